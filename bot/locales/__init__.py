"""Every sentence for people goes through here, so that another language is one catalogue more.

The English sentence is the key.  Catalogues lie beside this file as `<language>/LC_MESSAGES/dawdle.po`, made by
`make messages`; a language without one speaks English.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent
_speaking: ContextVar[gettext.NullTranslations | None] = ContextVar("speaking", default=None)


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    return gettext.translation("dawdle", _FOLDER, [language], fallback=True)


@cache
def languages() -> tuple[str, ...]:
    """The languages there is a catalogue of, and English."""
    return tuple(sorted({"en", *(file.parts[-3] for file in _FOLDER.glob("*/LC_MESSAGES/dawdle.mo"))}))


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within this block sentences are in that language (`en`, `pt-BR` …); English where it has no catalogue."""
    token = _speaking.set(_catalogue(language))
    try:
        yield
    finally:
        _speaking.reset(token)


def _(template: str, **values: object) -> str:
    """The sentence in the reader's language, its `{named}` gaps filled."""
    catalogue = _speaking.get()
    return (catalogue.gettext(template) if catalogue else template).format(**values)


def plural(one: str, many: str, n: int, **values: object) -> str:
    """The sentence for that number, which fills the gap `{n}`."""
    catalogue = _speaking.get()
    template = catalogue.ngettext(one, many, n) if catalogue else (one if n == 1 else many)
    return template.format(n=n, **values)


def and_list(words: list[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    if len(words) < 2:
        return "".join(words)
    return _("{most} and {last}", most=", ".join(words[:-1]), last=words[-1])
