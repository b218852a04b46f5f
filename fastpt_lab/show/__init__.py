"""Values to terminal text and to static HTML that survives in a saved notebook; pure."""
