"""DUOS on Discord: `/duos`, its planner and its rules in short."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from discord import app_commands

from bot.answers import Interaction, defer
from bot.gamecog import AS_USUAL, FIND, GameCog, Period, TableNumber
from bot.locales import _
from bot.menu import Button, Choice, Field, Form, Panel, Row, Select, buttons_in_rows
from bot.rules.base import Refused
from bot.rules.duos import BOXES, LAYOUT, LONGEST_WORD, PAIRS, Duos, DuosView, Happening, Hinted, Pair, TurnScored
from renderers import duos as renderer
from renderers.duos_words import category_name, describe_reveal, pair_in_words
from renderers.people import People

if TYPE_CHECKING:
    from bot.client import Dawdle

EMBLEMS = ("🔲", "🟣", "⚡", "💧")
"""The four pairs on buttons: the colours and signs of their markers in the picture."""

LONGEST_REASON = 100
"""The letters with which the narrator may explain a pair."""


class DuosCog(GameCog, group_name="duos", group_description="DUOS: make the pairs that the others will make too"):
    """The commands of DUOS.

    A draft is the card that is picked as the first of a pair, or the hint that would be given.
    """

    game = Duos
    renderer = renderer

    def panel(self, view: DuosView, moves: tuple[str, ...], draft: str, people: People) -> Panel:
        opened = _opened(view, draft)
        hint = draft if draft in moves and draft.startswith(("yes ", "no ")) else ""
        lines = [_question(view, people), *_hints(view, moves, people)]
        # Four lines whatever is paired, so that the grid stays under the finger.
        pairs = [_pair(view, pair) for pair in view.pairs] + ["…"] * (PAIRS - len(view.pairs))
        lines += [f"{emblem} {pair}" for emblem, pair in zip(EMBLEMS, pairs, strict=True)]
        lines.append(_consequence(view, hint) if hint else _next_step(view, moves, opened))
        rows: list[Row] = [*_grid(view, opened), _actions(view, moves), *_hint_rows(view, moves, hint)]
        shown = (view.pairs if renderer.has_four_pairs(view) else (), view.seat in view.locked, view.hints)
        return Panel("\n".join(lines), tuple(rows), repr(shown))

    def completed(self, draft: str, picked: str, view: DuosView) -> str | None:
        """The pair that a second card closes."""
        one, other = _opened(view, draft), _opened(view, picked)
        return None if one is None or other is None or one == other else f"pair {one} {other}"

    def second_picture(self, view: DuosView, people: People) -> tuple[Callable[[], bytes], str] | None:
        """What everybody has paired in the turn before."""
        words = describe_reveal(view, people)
        return (lambda: renderer.reveal(view, people) or b"", words) if words else None

    def told(self, event: Happening, people: People, remarks: Mapping[tuple[int, int], str]) -> str:
        """With the narrator's reasons, pair by pair."""
        told = [renderer.tell(event, people)]
        if isinstance(event, TurnScored) and event.narrator is not None:
            reasons = _reasons(remarks.get((event.turn, event.narrator), ""))
            for pair in event.pairs[event.narrator]:
                if pair in reasons:
                    words = pair_in_words(pair, event.pictures)
                    told.append(f"> {words}: {people.quote(reasons[pair])}")
        return "\n".join(told)

    def form(self, name: str, view: DuosView, remark: str) -> Form:
        match name.split(" "):
            case ["pairs"]:
                made = [*view.pairs, *[()] * PAIRS][:PAIRS]
                return Form(_("Your four pairs"), tuple(_pair_field(view, number) for number in enumerate(made)))
            case ["word"]:
                return Form(_("Your hint"), (Field(_("One word, which everybody sees"), longest=LONGEST_WORD),))
            case ["because", *pairs] if 0 < len(pairs) <= PAIRS:
                _must_narrate(view)
                reasons = _reasons(remark)
                fields = [
                    Field(
                        pair_in_words(pair, view.pictures),
                        reasons.get(pair, ""),
                        longest=LONGEST_REASON,
                        required=False,
                    )
                    for pair in map(_parsed, pairs)
                ]
                return Form(_("They belong together because…"), tuple(fields))
            case _:
                return super().form(name, view, remark)

    def moves_of_form(self, name: str, values: list[list[str]], view: DuosView) -> tuple[str, ...]:
        match name:
            case "pairs":
                if len(values) != PAIRS or any(len(cards) != 2 for cards in values):
                    raise Refused("Pick two cards for each of the four pairs.")
                return ("clear", *(f"pair {one} {other}" for one, other in values))
            case "word":
                return (f"word {values[0][0].strip()}",)
            case _:
                return super().moves_of_form(name, values, view)

    def remark_of_form(self, name: str, values: list[list[str]], view: DuosView) -> str | None:
        kind, *pairs = name.split(" ")
        if kind != "because":
            return None
        _must_narrate(view)
        return _remark({_parsed(pair): text for pair, (text,) in zip(pairs, values, strict=False)})

    def rules_text(self) -> str:
        return "\n".join(
            [
                _("## DUOS in short"),
                _("Twelve pictures lie on the table. Which belong together? Think what the others will think."),
                _("**Every turn** all make four pairs of the twelve cards in secret, for whatever reason they like:"),
                _("colour, shape, use, a story. Eight cards are used, four are left over."),
                _("When all have locked, the pairs are shown. You may unlock until then."),
                _("### Three to six players: the competition"),
                _("One player is the **narrator**. The others try to make the narrator's pairs."),
                _("• A player gets **1 point** for each pair shared with the narrator."),
                _("• The narrator gets, for each player: 4 shared pairs **2 points**, 2 or 3 **1 point**, else none."),
                _("In the picture Ann narrates: Bo shares 4 pairs, Cy 2, Di 1, and Ann gets 2 + 1 + 0 = 3 points."),
                _(
                    "Everybody narrates twice, once in each category. Most points win; equal totals share the "
                    "victory. The narrator may say in a few words why two cards belong together: **Because…**"
                ),
                _("### Two players: together"),
                _("Both make pairs, nine turns long. **Three or four alike win the turn**; how many can you win?"),
                _("Once a turn each of you may give a hint, which must be of another kind than your partner's:"),
                _("• **WORD**: one word · **YES**: a card that you use · **NO**: a card that you do not use"),
                _("YES and NO bind whoever says them; the partner is free."),
                _(
                    "A set of cards lies for two turns, the second time with its other side up. No card comes twice "
                    "in a game. The order of the two cards and the colour of a pair do not matter."
                ),
            ]
        )

    def rules_picture(self) -> Callable[[], bytes]:
        return renderer.rules_picture

    @app_commands.command(description="Open a table of DUOS in this channel")
    @app_commands.describe(
        players="2: you play together against the cards; 3 to 6: for points, and you may start from 3",
        box="Which pictures; each box has two categories",
        first="The category of the first turn",
        time="The time for each question; the server says the usual",
        thread="Play in a thread of its own",
    )
    @app_commands.guild_only()
    async def new(
        self,
        interaction: Interaction,
        players: app_commands.Range[int, 2, 6] = 4,
        box: Literal["sport-fairy", "things-animals"] | None = None,
        first: Literal["sport", "fairy", "things", "animals"] | None = None,
        time: Period = AS_USUAL,
        thread: bool | None = None,
    ) -> None:
        chosen = {"box": box or next((name for name, sides in BOXES.items() if first in sides), None), "first": first}
        options = {name: value for name, value in chosen.items() if value is not None}
        least = min(players, 3)
        await self.open_table(interaction, most=players, least=least, options=options, period=time, thread=thread)

    @app_commands.command(description="Make a pair of two cards, in secret")
    @app_commands.describe(one="A card by its number", other="The card that belongs to it")
    async def pair(self, interaction: Interaction, one: str, other: str, table: TableNumber = FIND) -> None:
        await self.move(interaction, table, f"pair {_number(one)} {_number(other)}")

    @pair.autocomplete("one")
    async def _free(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self._cards(interaction, typed, _free_cards)

    @pair.autocomplete("other")
    async def _partners(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        one = _number(str(interaction.namespace.one))
        return await self._cards(
            interaction, typed, lambda view: [card for card in _free_cards(view) if str(card) != one]
        )

    @app_commands.command(description="Take one of your pairs apart")
    @app_commands.describe(one="A card of the pair", other="Its partner")
    async def unpair(self, interaction: Interaction, one: str, other: str, table: TableNumber = FIND) -> None:
        await self.move(interaction, table, f"unpair {_number(one)} {_number(other)}")

    @unpair.autocomplete("one")
    async def _paired(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self._cards(interaction, typed, lambda view: [card for pair in view.pairs for card in pair])

    @unpair.autocomplete("other")
    async def _partner(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        one = _number(str(interaction.namespace.one))
        return await self._cards(
            interaction,
            typed,
            lambda view: [card for pair in view.pairs if one in map(str, pair) for card in pair if str(card) != one],
        )

    @app_commands.command(description="Take all your pairs apart")
    async def clear(self, interaction: Interaction, table: TableNumber = FIND) -> None:
        await self.move(interaction, table, "clear")

    @app_commands.command(description="Lock your four pairs in; when all have, they are shown")
    async def lock(self, interaction: Interaction, table: TableNumber = FIND) -> None:
        await self.move(interaction, table, "lock")

    @app_commands.command(description="Unlock your pairs, while others are still choosing")
    async def unlock(self, interaction: Interaction, table: TableNumber = FIND) -> None:
        await self.move(interaction, table, "unlock")

    @app_commands.command(description="Two players: say one word as your hint of this turn")
    @app_commands.describe(word="One word, which everybody sees")
    async def word(self, interaction: Interaction, word: str, table: TableNumber = FIND) -> None:
        await self.move(interaction, table, f"word {word.strip()}")

    @app_commands.command(description="Two players: say YES to a card that you will use")
    @app_commands.describe(card="A card by its number")
    async def yes(self, interaction: Interaction, card: str, table: TableNumber = FIND) -> None:
        await self.move(interaction, table, f"yes {_number(card)}")

    @app_commands.command(description="Two players: say NO to a card that you will not use")
    @app_commands.describe(card="A card by its number")
    async def no(self, interaction: Interaction, card: str, table: TableNumber = FIND) -> None:
        await self.move(interaction, table, f"no {_number(card)}")

    @yes.autocomplete("card")
    async def _used(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self.suggest(interaction, "yes ", typed, _hinted_card)

    @no.autocomplete("card")
    async def _unused(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self.suggest(interaction, "no ", typed, _hinted_card)

    @app_commands.command(description="As the narrator: say why two cards belong together; shown with the pairs")
    @app_commands.describe(pair="One of your pairs", reason="A few words")
    async def because(
        self,
        interaction: Interaction,
        pair: str,
        reason: app_commands.Range[str, 1, LONGEST_REASON],
        table: TableNumber = FIND,
    ) -> None:
        await defer(interaction, private=True)
        found = await self.find(interaction, table)
        seat = found.seat_of(interaction.user.id)
        view = found.running().view(seat)
        assert isinstance(view, DuosView)
        _must_narrate(view)
        explained = _parsed(pair)
        if explained not in view.pairs:
            raise Refused("First make that pair; then say why.")
        remark = (await self.bot.store.remarks(found.id)).get((found.turn, seat), "")
        remark = _remark(_reasons(remark) | {explained: reason})
        found = await self.bot.tables.keep_remark(found.id, interaction.user.id, found.turn, remark)
        await self.show_planner(interaction, found, stored=True)

    @because.autocomplete("pair")
    async def _pairs(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        asked = await self.asked(interaction)
        if asked is None:
            return []
        view, _moves = asked
        return self.matching({_pair(view, pair): _written(pair) for pair in view.pairs}, typed)

    async def _cards(
        self, interaction: Interaction, typed: str, cards: Callable[[DuosView], Iterable[int]]
    ) -> list[app_commands.Choice[str]]:
        """Autocomplete: these cards of the view of whoever types, by number and name."""
        asked = await self.asked(interaction)
        if asked is None:
            return []
        view, _moves = asked
        return self.matching({_card(view, card): str(card) for card in cards(view)}, typed)


# The planner


def _opened(view: DuosView, draft: str) -> int | None:
    """The card that waits for its partner."""
    return next((card for card in _free_cards(view) if str(card) == draft), None)


def _free_cards(view: DuosView) -> list[int]:
    """The cards of which a pair can be made now."""
    if view.seat in view.locked or renderer.has_four_pairs(view):
        return []
    used = {card for pair in view.pairs for card in pair}
    return [card for card in range(1, LAYOUT + 1) if card not in used]


def _grid(view: DuosView, opened: int | None) -> list[Row]:
    """The twelve cards as they lie: a tap opens a pair, closes it, or parts it."""
    return list(buttons_in_rows([_card_button(view, card, opened) for card in range(1, LAYOUT + 1)], 4))


def _card_button(view: DuosView, card: int, opened: int | None) -> Button:
    label = _card(view, card)
    for emblem, pair in zip(EMBLEMS, view.pairs, strict=False):
        if card in pair:
            partner = sum(pair) - card
            enabled = view.seat not in view.locked
            return Button(label, "play", f"unpair {card} {partner}", "chosen", emblem, enabled)
    if card == opened:
        return Button(label, "draft", "", "good")
    return Button(label, "draft", str(card), enabled=card in _free_cards(view))


def _actions(view: DuosView, moves: tuple[str, ...]) -> tuple[Button, ...]:
    """What can be done with the pairs."""
    if "unlock" in moves:
        buttons = [Button(_("Unlock"), "play", "unlock")]
    else:
        buttons = [
            Button(_("Lock in"), "play", "lock", "good", enabled="lock" in moves),
            Button(_("Clear"), "play", "clear", enabled=bool(view.pairs)),
            Button(_("Type it"), "form", "pairs"),
        ]
    if view.narrator == view.seat:
        pairs = " ".join(["because", *map(_written, view.pairs)])
        buttons.append(Button(_("Because…"), "form", pairs, enabled=bool(view.pairs)))
    if "word <word>" in moves:
        buttons.append(Button(_("Word"), "form", "word"))
    return tuple(buttons)


def _hint_rows(view: DuosView, moves: tuple[str, ...], hint: str) -> list[Row]:
    """The cards to which two players may say YES or NO, and the button that says it."""
    rows: list[Row] = []
    for kind, words in (("yes ", _("YES: a card that you use")), ("no ", _("NO: a card that you do not use"))):
        choices = [
            Choice(_hinted_card(view, move), move, chosen=move == hint) for move in moves if move.startswith(kind)
        ]
        if choices:
            rows.append(Select(words, tuple(choices)))
    if hint:
        card = _hinted_card(view, hint)
        label = _("Say YES to {card}", card=card) if hint.startswith("yes") else _("Say NO to {card}", card=card)
        rows.append((Button(label, "play", hint, "good"),))
    return rows


def _pair_field(view: DuosView, numbered: tuple[int, tuple[int, ...]]) -> Field:
    """The field in which one of the four pairs is picked."""
    number, pair = numbered
    return Field(
        _("{emblem} Pair {n}: two cards", emblem=EMBLEMS[number], n=number + 1),
        choices=tuple(Choice(_card(view, card), str(card), chosen=card in pair) for card in range(1, LAYOUT + 1)),
        picks=2,
    )


# Words


def _question(view: DuosView, people: People) -> str:
    assert view.category is not None
    gaps = {"turn": view.turn, "turns": view.turns, "category": category_name(view.category)}
    if view.narrator is None:
        return _(
            "**Turn {turn} of {turns}: {category}.** Make four pairs, and think what your partner pairs: three alike "
            "win the turn.",
            **gaps,
        )
    if view.narrator == view.seat:
        return _(
            "**You narrate turn {turn} of {turns}: {category}.** Make four pairs that the others will think of too.",
            **gaps,
        )
    return _(
        "**Turn {turn} of {turns}: {category}.** Make the four pairs that {who}, the narrator, makes.",
        who=people[view.narrator],
        **gaps,
    )


def _hints(view: DuosView, moves: tuple[str, ...], people: People) -> list[str]:
    """The hints of this turn, and whether one may be given."""
    lines = [
        renderer.tell(event, people) for event in view.events if isinstance(event, Hinted) and event.turn == view.turn
    ]
    if any(move.startswith(("word ", "yes ", "no ")) for move in moves):
        lines.append(_("You may give **one hint** in this turn. Everybody sees it, and YES and NO bind you."))
    return lines


def _next_step(view: DuosView, moves: tuple[str, ...], opened: int | None) -> str:
    """What to press next."""
    if "unlock" in moves:
        return _("Your pairs are **locked**. You may unlock them until everybody has locked.")
    if opened is not None:
        return _("**{card}** and …? Tap its partner, or tap it again to let it go.", card=_card(view, opened))
    if "lock" in moves:
        return _("These are your four pairs. **Lock in**, or tap a card of a pair to part it.")
    if renderer.has_four_pairs(view):
        return _("These pairs do not agree with the hint that you gave: tap a card of a pair to part it.")
    if view.pairs:
        return _("Tap two more cards that belong together; tap a card of a pair to part it.")
    return _("Tap two cards that belong together. Nobody sees your pairs until everybody has locked.")


def _consequence(view: DuosView, hint: str) -> str:
    card = _hinted_card(view, hint)
    if hint.startswith("yes"):
        return _("You would say **YES** to {card}, and must use it. This cannot be taken back.", card=card)
    return _("You would say **NO** to {card}, and must not use it. This cannot be taken back.", card=card)


def _card(view: DuosView, card: int) -> str:
    return f"{card} {view.pictures[card - 1].label}"


def _pair(view: DuosView, pair: Pair) -> str:
    return " + ".join(_card(view, card) for card in pair)


def _hinted_card(view: DuosView, move: str) -> str:
    """The card that `yes 5` or `no 5` names."""
    return _card(view, int(move.split(" ")[1]))


def _number(text: str) -> str:
    """The number with which somebody names a card; empty where there is none."""
    return (re.findall(r"\d+", text) or [""])[0]


# The narrator's reasons


def _must_narrate(view: DuosView) -> None:
    if view.narrator != view.seat:
        raise Refused("Only the narrator of this turn says why cards belong together.")


def _written(pair: Pair) -> str:
    """The pair in addresses and remarks: `1-5`."""
    return "{}-{}".format(*pair)


def _parsed(text: str) -> Pair:
    cards = sorted({int(card) for card in re.findall(r"\d{1,2}", text)} & set(range(1, LAYOUT + 1)))
    if len(cards) != 2:
        raise Refused("A pair is two different cards.")
    return cards[0], cards[1]


def _remark(reasons: Mapping[Pair, str]) -> str:
    """The reasons as one text, a line each: the pair, a blank, and why."""
    said = {pair: " ".join(reason.split())[:LONGEST_REASON] for pair, reason in reasons.items()}
    return "\n".join(f"{_written(pair)} {reason}" for pair, reason in said.items() if reason)


def _reasons(remark: str) -> dict[Pair, str]:
    """The reasons that `_remark` has written."""
    lines = (line.partition(" ") for line in remark.splitlines())
    return {_parsed(pair): reason for pair, _blank, reason in lines}


async def setup(bot: Dawdle) -> None:
    await bot.add_cog(DuosCog(bot))
