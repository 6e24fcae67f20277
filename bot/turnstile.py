"""Lets every press and command in once, and nobody more often than a person can mean it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable

MOST, WINDOW = 20, 10
"""Presses and commands of one user that are let in within so many seconds."""

REMEMBERED = 10_000
"""Deliveries that are told from repetitions: Discord repeats some after a broken connection."""


class Turnstile:
    """Asked about each delivery before anything is done about it.  `clock` gives seconds that never run backwards."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._delivered: dict[int, None] = {}
        self._passed: deque[tuple[float, int]] = deque()
        self._recent: Counter[int] = Counter()

    def is_first(self, delivery: int) -> bool:
        """Whether it was not delivered before."""
        if delivery in self._delivered:
            return False
        self._delivered[delivery] = None
        if len(self._delivered) > REMEMBERED:
            del self._delivered[next(iter(self._delivered))]
        return True

    def admits(self, user: int) -> bool:
        """Whether the user may act once more now."""
        now = self._clock()
        while self._passed and now - self._passed[0][0] >= WINDOW:
            _, gone = self._passed.popleft()
            self._recent[gone] -= 1
            if not self._recent[gone]:
                del self._recent[gone]
        if self._recent[user] >= MOST:
            return False
        self._passed.append((now, user))
        self._recent[user] += 1
        return True
