"""Find the next line that could begin something, in bytes and without looking at the others."""

from __future__ import annotations

import heapq

from fastpt_lab.build.logs.recognise import WORDS

_NEEDLES: tuple[bytes, ...] = (
    *(word.encode() for word in WORDS),
    # A log written under a GBK locale.
    *(word.encode("gb18030") for word in WORDS if not word.isascii()),
)


class Finder:
    """The hits of all words in one block, each word searched once.

    `bytes.find` runs at gigabytes per second where one alternation of all words, tried at every
    byte, does not.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._hits: list[tuple[int, bytes]] = []
        for needle in _NEEDLES:
            found = data.find(needle)
            if found >= 0:
                self._hits.append((found, needle))
        heapq.heapify(self._hits)

    def next(self, position: int) -> int | None:
        """Return the first hit at or after `position`, None if there is none."""
        hits = self._hits
        while hits and hits[0][0] < position:
            needle = hits[0][1]
            found = self._data.find(needle, position)
            if found < 0:
                heapq.heappop(hits)
            else:
                heapq.heapreplace(hits, (found, needle))
        return hits[0][0] if hits else None
