"""Is it the device, the runtime, torch, the extension or the numbers: bottom up."""
