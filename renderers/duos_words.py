"""How DUOS reads and is told: its events in sentences, and everything that a view knows in words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.locales import _, and_list, plural
from bot.rules.duos import (
    TURNS_FOR_TWO,
    DuosView,
    Ended,
    Happening,
    Hint,
    Hinted,
    Pair,
    Picture,
    TurnScored,
)
from renderers.people import People


def category_name(category: str) -> str:
    """The category in the reader's language."""
    words = {"sport": _("Sport"), "fairy": _("Fairy tales"), "things": _("Things"), "animals": _("Animals")}
    return words[category]


def rating(won: int) -> str:
    """What so many of nine turns won say about two players."""
    return (
        _("Two strangers so far. Try again!"),
        _("A first spark. It can only get better."),
        _("Not so dark any more: there is hope."),
        _("You begin to get the knack of it."),
        _("Well paired!"),
        _("Smoothly done!"),
        _("A splendid team!"),
        _("Marvellous!"),
        _("Kindred spirits: two heads, one thought."),
        _("Flawless. You read each other's minds!"),
    )[won]


def pair_in_words(pair: Pair, pictures: Sequence[Picture]) -> str:
    """The names of both cards of a pair."""
    return " + ".join(pictures[card - 1].label for card in pair)


def _pairs_in_words(pairs: Sequence[Pair], pictures: Sequence[Picture]) -> str:
    return ", ".join(pair_in_words(pair, pictures) for pair in pairs)


def ask(view: DuosView, people: People) -> str:
    """One sentence: what is asked now, of whom."""
    if view.category is None:
        return _("The game is over.")
    gaps = {"turn": view.turn, "turns": view.turns, "category": category_name(view.category)}
    if view.narrator is None:
        return _("Turn {turn} of {turns}, {category}: both of you make four pairs; three alike win the turn.", **gaps)
    return _(
        "Turn {turn} of {turns}, {category}: {who} narrates, and everybody makes four pairs in secret.",
        who=people[view.narrator],
        **gaps,
    )


def tell(event: Happening, people: People) -> str:
    """One sentence for one event."""
    match event:
        case Hinted() if event.hint.word is not None:
            return _("{who} says one word: **{word}**.", who=people[event.seat], word=people.quote(event.hint.word))
        case Hinted() if event.hint.kind == "yes":
            return _(
                "{who} says **YES** to card {n}, {label}.", who=people[event.seat], n=event.hint.card, label=event.label
            )
        case Hinted():
            return _(
                "{who} says **NO** to card {n}, {label}.", who=people[event.seat], n=event.hint.card, label=event.label
            )
        case TurnScored(narrator=None):
            return _tell_for_two(event)
        case TurnScored():
            return _tell_narrated(event, people)
        case Ended(winners=()):
            return _(
                "**{won} of {turns} turns won.** {rating}",
                won=event.scores[0],
                turns=TURNS_FOR_TWO,
                rating=rating(event.scores[0]),
            )
        case Ended(winners=(winner,)):
            return plural(
                "**{who} wins** with {n} point.",
                "**{who} wins** with {n} points.",
                event.scores[winner],
                who=people[winner],
            )
        case Ended():
            return _(
                "**{who}** share the victory with {points} points each.",
                who=_all(event.winners, people),
                points=event.scores[event.winners[0]],
            )


def _tell_for_two(event: TurnScored) -> str:
    shared = event.shared[0]
    if not shared:
        return _("Turn {turn} is **lost**: no pair in common.", turn=event.turn)
    gaps = {"turn": event.turn, "pairs": _pairs_in_words(shared, event.pictures)}
    if event.points[0]:
        return plural(
            "Turn {turn} is **won** with {n} pair in common: {pairs}.",
            "Turn {turn} is **won** with {n} pairs in common: {pairs}.",
            len(shared),
            **gaps,
        )
    return plural(
        "Turn {turn} is **lost** with only {n} pair in common: {pairs}.",
        "Turn {turn} is **lost** with only {n} pairs in common: {pairs}.",
        len(shared),
        **gaps,
    )


def _tell_narrated(event: TurnScored, people: People) -> str:
    assert event.narrator is not None
    points = event.points
    others = sorted((s for s in range(len(points)) if s != event.narrator), key=lambda s: -points[s])
    return _(
        "**{who}** paired {pairs}. Points: {list}; {who} {points} as the narrator.",
        who=people[event.narrator],
        pairs=_pairs_in_words(event.pairs[event.narrator], event.pictures),
        list=", ".join(_("{who} {points}", who=people[seat], points=points[seat]) for seat in others),
        points=points[event.narrator],
    )


def _all(seats: Sequence[int], people: People) -> str:
    return and_list([people[seat] for seat in seats])


def describe(view: DuosView, people: People) -> str:
    """The whole state that the view may know, the most important first."""
    lines = [ask(view, people), *_result(view, people)]
    if view.pictures:
        cards = ", ".join(f"{number} {shown.label}" for number, shown in enumerate(view.pictures, 1))
        lines.append(_("Cards, four in a row: {cards}.", cards=cards))
    if view.category is not None and view.seat is not None:
        lines.append(_own_pairs(view))
    lines += [
        _hint_in_words(seat, people, hint, view.pictures) for seat, hint in enumerate(view.hints) if hint is not None
    ]
    if view.locked:
        lines.append(_("Locked: {who}.", who=_all(view.locked, people)))
    if view.waiting:
        lines.append(_("Still choosing: {who}.", who=_all(view.waiting, people)))
    lines.append(_points(view, people))
    for event in reversed(scored(view)):
        lines.append(_turn_in_words(event, people))
    return "\n".join(lines)


def _result(view: DuosView, people: People) -> list[str]:
    if view.outcome is None:
        return []
    if view.seats == 2:
        return [rating(view.scores[0])]
    return [_("Won by {who}.", who=_all(view.outcome.winners, people))]


def _hint_in_words(seat: int, people: People, hint: Hint, pictures: Sequence[Picture]) -> str:
    who = people[seat]
    if hint.card is None:
        return _("Hint of {who}: the word {word}.", who=who, word=people.quote(hint.word or ""))
    label = pictures[hint.card - 1].label
    if hint.kind == "yes":
        return _("Hint of {who}: yes to card {n}, {label}.", who=who, n=hint.card, label=label)
    return _("Hint of {who}: no to card {n}, {label}.", who=who, n=hint.card, label=label)


def _own_pairs(view: DuosView) -> str:
    if not view.pairs:
        return _("You have made no pairs yet.")
    listed = ", ".join(" + ".join(f"{card} {view.pictures[card - 1].label}" for card in pair) for pair in view.pairs)
    locked = view.seat in view.locked
    return _("Your pairs, locked: {pairs}.", pairs=listed) if locked else _("Your pairs so far: {pairs}.", pairs=listed)


def _points(view: DuosView, people: People) -> str:
    if view.seats == 2:
        return _("Turns won: {won} of {played} played.", won=view.scores[0], played=view.turn - 1)
    order = sorted(range(view.seats), key=lambda seat: -view.scores[seat])
    listed = [_("{who} {points}", who=people[seat], points=view.scores[seat]) for seat in order]
    return _("Points: {list}.", list=", ".join(listed))


def _turn_in_words(event: TurnScored, people: People) -> str:
    """All pairs of a turn, those that matched first."""
    parts: list[str] = []
    for seat, pairs in enumerate(event.pairs):
        shared = [pair for pair in pairs if pair in event.shared[seat]]
        others = [pair for pair in pairs if pair not in event.shared[seat]]
        words = _pairs_in_words([*shared, *others], event.pictures)
        role = _("{who}, narrator", who=people[seat]) if seat == event.narrator else people[seat]
        parts.append(
            plural(
                "{who} ({matched} matched, {n} point): {pairs}",
                "{who} ({matched} matched, {n} points): {pairs}",
                event.points[seat],
                who=role,
                matched=len(shared),
                pairs=words,
            )
        )
    return _(
        "Turn {turn}, {category}: {list}.",
        turn=event.turn,
        category=category_name(event.category),
        list="; ".join(parts),
    )


def describe_reveal(view: DuosView, people: People) -> str:
    """All pairs of the last scored turn in words; empty before the first."""
    return "".join(_turn_in_words(event, people) for event in scored(view)[-1:])


def scored(view: DuosView) -> list[TurnScored]:
    """The turns that are played, oldest first."""
    return [event for event in view.events if isinstance(event, TurnScored)]
