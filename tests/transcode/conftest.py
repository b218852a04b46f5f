from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _own_cache(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keep the caches of tables and headers out of the user's, and share them between tests."""
    folder = tmp_path_factory.getbasetemp() / "transcode-cache"
    monkeypatch.setenv("FASTPT_CACHE_DIR", str(folder))
