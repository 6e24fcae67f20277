"""Every sentence for people goes through the catalogue: in a made-up language all of them wear brackets."""

from __future__ import annotations

import gettext
import re
from random import Random

import pytest

from bot import locales
from tests.playing import asked
from tests.sim import Post, World

NAMES = re.compile(
    r"## .*"  # games are called what their boxes say
    r"|• `/\w+ new` .*"  # and commands what Discord knows them by
    r"|[NESW]{1,2}"
    r"|\d+ .*"  # cards of DUOS: data, as in `duos_cards.json`
)
"""What is the same in every language."""


class Bracketed(gettext.NullTranslations):
    """A language that puts every sentence into brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


@pytest.fixture(autouse=True)
def bracketed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locales, "_catalogue", lambda _: Bracketed())


def bare(post: Post) -> list[str]:
    """What the post says outside of the catalogue: lines, labels and alt texts without a bracket."""
    text = re.sub(r"```.*?```", "", post.text, flags=re.DOTALL)  # a map is no sentence
    said = [*text.splitlines(), *post.labels, *(picture.alt or "" for picture in post.pictures)]
    return [text for text in said if any(c.isalpha() for c in text) and "⟦" not in text and not NAMES.fullmatch(text)]


@pytest.mark.parametrize("command", ["animals", "twobytwo", "thistown", "duos"])
async def test_all_that_is_said_is_in_the_catalogue(world: World, undrawn: None, command: str) -> None:
    world.bot.tables.rng = Random(1)
    lobby = (await world.bob.slash(f"{command} new", players=3)).post
    assert bare(lobby) == []
    table = world.games.last
    for person in (world.carol, world.dave):
        assert bare((await person.press(table, "join:")).post) == []
    room = world.games.threads[-1]
    assert bare(room.last) == []
    planner = (await asked(world, room).press(room.last, "mine:")).post
    assert bare(planner) == []
    for verb in ("show:", "rules:"):
        assert bare((await world.erin.press(room.last, verb)).post) == []
    for words in ("games mine", "games why", "games help", "games notify", "games stats", f"{command} start"):
        assert bare((await world.bob.slash(words, room)).post) == [], words
    await world.wait(hours=25)
    assert bare(room.last) == []
