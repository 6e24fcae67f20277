"""The bot's own sentences about tables, and users' text made safe for posts."""

from __future__ import annotations

import re
import unicodedata

from bot.deadlines import Pace
from bot.locales import _, and_list, plural
from bot.table import ANYBODY, Table
from renderers.people import People

_MARKUP = re.compile(r"([\\*_~|`>#\[\]()<:@])")
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_JOINERS = "\u200d\ufe0f"


def tidy(text: str) -> str:
    """The text in one line without invisible or direction-changing characters."""
    kept = (c if c in _JOINERS or unicodedata.category(c) not in _INVISIBLE else " " for c in text)
    return " ".join("".join(kept).split())


def escape(text: str) -> str:
    """A user's text as Discord shows it literally: no markup, no link, no mention."""
    return _MARKUP.sub(r"\\\1", tidy(text))


def plain_people(table: Table) -> People:
    """The seats for pictures and alt text."""
    return People(tuple(tidy(seat.name) or _("Player {n}", n=n) for n, seat in enumerate(table.seats, 1)), tidy)


def post_people(table: Table) -> People:
    """The seats for posts: bold-safe, and nothing in a name is markup."""
    names = tuple(escape(seat.name) or _("Player {n}", n=n) for n, seat in enumerate(table.seats, 1))
    return People(names, escape)


def moment(seconds: int, style: str = "f") -> str:
    """An instant as Discord shows it in every reader's own time zone."""
    return f"<t:{seconds}:{style}>"


def table_name(table: Table) -> str:
    return _("{title} · table {number}", title=table.kind.title, number=table.id)


def link(guild: int, channel: int, message: int | None = None) -> str:
    """The address of a channel or of one message in it."""
    address = f"https://discord.com/channels/{guild}/{channel}"
    return address if message is None else f"{address}/{message}"


def span(seconds: int) -> str:
    """A length of time in the largest unit that divides it."""
    if seconds % 86_400 == 0:
        return plural("{n} day", "{n} days", seconds // 86_400)
    if seconds % 3_600 == 0:
        return plural("{n} hour", "{n} hours", seconds // 3_600)
    return plural("{n} minute", "{n} minutes", seconds // 60)


def seat_line(table: Table, number: int) -> str:
    """One seat of an open table."""
    seat = table.seats[number]
    line = post_people(table)[number]
    if seat.user is None:
        line = _("{name} (robot)", name=line)
    if seat.user == table.host:
        line = _("{name} (host)", name=line)
    if seat.choice is not None and table.kind.seat_choice is not None:
        line = f"{line} · {_(table.kind.seat_choice.labels[seat.choice])}"
    return line


def pace(pace: Pace) -> list[str]:
    """How fast a table is played, in sentences."""
    late = {
        "steward": _("a robot plays for them until they act again"),
        "wait": _("the game waits for them"),
        "replace": _("their seat is offered to others"),
        "end": _("the game ends"),
    }[pace.policy]
    return [
        _("Time for each question: **{time}**.", time=span(pace.period)),
        _("Each seat may use **{time}** more in a whole game.", time=span(pace.bank))
        if pace.bank
        else _("No seat has time beyond that."),
        _("Whoever is late is named for **{time}**; then {policy}.", time=span(pace.grace), policy=late)
        if pace.grace
        else _("When somebody is late, {policy}.", policy=late),
        _("Weekends count. The time zone is {zone}.", zone=pace.zone)
        if pace.weekends
        else _("Weekends do not count. The time zone is {zone}.", zone=pace.zone),
        plural(
            "While players have said to be away, the clock stands, on {n} day a year; beyond it a robot plays.",
            "While players have said to be away, the clock stands, on {n} days a year; beyond them a robot plays.",
            pace.away_days,
        )
        if pace.absence == "pause" and pace.away_days
        else _("While players have said to be away, a robot plays."),
    ]


def lobby(table: Table) -> str:
    """The text of an open table's post."""
    lines = [f"## {table.kind.title}"]
    free = table.most - len(table.seats)
    lines += [f"{n + 1}. {seat_line(table, n)}" for n in range(len(table.seats))]
    if free and table.least < table.most:
        lines.append(
            plural(
                "**{n} seat is free.** The host may start from {least} players.",
                "**{n} seats are free.** The host may start from {least} players.",
                free,
                least=table.least,
            )
        )
    elif free:
        lines.append(plural("**{n} seat is free.**", "**{n} seats are free.**", free))
    if table.kind.seat_choice is not None:
        *labels, last = (_(label) for label in table.kind.seat_choice.labels.values())
        lines.append(
            _(
                "**{labels} or {last}?** Press yours, which takes a seat too; whoever presses none gets the first that"
                " is free.",
                labels=", ".join(labels),
                last=last,
            )
        )
    lines.append(_("It starts by itself when all seats are taken."))
    lines.append("-# " + " ".join(pace(table.pace)))
    return "\n".join(lines)


def cut_short(table: Table) -> str:
    """Why a game ended otherwise than by its rules; empty where it did not."""
    match table.ending:
        case "abandoned":
            return _("**The game was ended without a result.**")
        case "agreed":
            return _("**All players have agreed to end the game without a result.**")
        case "expired":
            return _("**The time was up: the game ends without a result.**")
        case "conceded" if table.position is not None and table.position.competitive:
            people = post_people(table)
            return _("**Everybody else has given up: {who} wins.**", who=and_list([people[n] for n in table.winners]))
        case "conceded":
            return _("**Everybody else has left: the game is over.**")
        case _:
            return ""


def waiting_for(table: Table, mention: bool) -> str:
    """Whom the table waits for and until when."""
    people = post_people(table)

    def named(seats: tuple[int, ...]) -> str:
        return and_list([f"<@{table.seats[seat].user}>" if mention else people[seat] for seat in seats])

    if table.deadline is None or not table.owing:
        return ""
    if not table.overdue:
        time, when = moment(table.deadline), moment(table.deadline, "R")
        return _("{who}: until {time} ({when}).", who=named(table.owing), time=time, when=when)
    lasts = [last for seat in table.overdue if (last := table.last_moment(seat)) is not None]
    time = moment(min(lasts))
    late = _("Late: {who}.", who=named(table.overdue))
    match table.pace.policy:
        case "steward":
            rest = _("From {time} a robot plays for whoever has not answered, until they act again.", time=time)
        case "replace":
            rest = _("From {time} their seats are offered to others.", time=time)
        case "end":
            rest = _("At {time} the game ends if they have not answered.", time=time)
        case "wait":
            rest = _("The game waits for them.")
    return f"{late} {rest}"


def standing(table: Table) -> str:
    """In a few words what a table waits for, and until when."""
    if table.state == "open":
        return _("open, {taken} of {most} seats taken", taken=len(table.seats), most=table.most)
    if table.state == "over":
        return _("over")
    people = post_people(table)
    names = and_list([people[seat] for seat in table.owing])
    if not names or table.deadline is None:
        return _("a robot is to play")
    if table.overdue:
        return _("late: {who}", who=and_list([people[seat] for seat in table.overdue]))
    return _("{who} until {time}", who=names, time=moment(table.deadline, "R"))


def within(lines: list[str], most: int) -> str:
    """The lines, of which the last are counted only where they do not fit into that many characters."""
    kept = list(lines)
    while len(kept) > 1 and len("\n".join(kept)) > most - 50:
        kept.pop()
    rest = len(lines) - len(kept)
    return "\n".join([*kept, *([plural("… and {n} more", "… and {n} more", rest)] if rest else [])])


def extended(table: Table) -> str:
    """How much time the host has added to this question."""
    if not table.extension or table.state != "running":
        return ""
    return _("{time} more was given for this question.", time=span(table.extension))


def votes(table: Table) -> str:
    """Who wants to end the game without a result."""
    people = post_people(table)
    wanting = [people[number] for number, seat in enumerate(table.seats) if seat.wants_end]
    if not wanting or table.state != "running":
        return ""
    return "-# " + plural(
        "{who} wants to end the game without a result: `/games vote-end`.",
        "{who} want to end the game without a result: `/games vote-end`.",
        len(wanting),
        who=and_list(wanting),
    )


def reminder(table: Table, seat: int, kind: str) -> str:
    """What the player of a seat is reminded of; `kind` as in `bot.reminders`."""
    if table.deadline is None:
        return _("you are asked.")
    time, when = moment(table.deadline), moment(table.deadline, "R")
    if table.late:
        last = table.last_moment(seat)
        if table.pace.policy == "wait" or last is None:
            return _("the time is up, and the game waits for you.")
        if kind == "last":
            return _("everybody else has answered, and the time is up; answer until {time}.", time=moment(last))
        return _("the time is up; answer until {time}.", time=moment(last))
    match kind:
        case "half":
            return _("half of the time is over; answer until {time} ({when}).", time=time, when=when)
        case "hour":
            return _("the time is nearly up; answer until {time} ({when}).", time=time, when=when)
        case "last":
            return _("everybody else has answered; you have time until {time} ({when}).", time=time, when=when)
        case _:
            return _("you are asked; answer until {time} ({when}).", time=time, when=when)


def absent(table: Table) -> str:
    """Who is away, who is played by a robot, and which seats are offered; nothing once the game is over."""
    if table.state == "over":
        return ""
    people = post_people(table)
    seats = list(enumerate(table.seats)) if table.state == "running" else []
    lines: list[str] = []
    if played := [people[number] for number, seat in seats if seat.steward and seat.away is None]:
        lines.append(_("A robot plays for {who} until they press **My move**.", who=and_list(played)))
    for number, seat in seats:
        if seat.away is not None:
            who, time = people[number], moment(seat.away, "D")
            lines.append(
                _("{who} is away until {time}; the clock stands while the game waits for them.", who=who, time=time)
                if seat.pauses
                else _("{who} is away until {time}; a robot plays.", who=who, time=time)
            )
        if seat.offered == ANYBODY:
            lines.append(_("The seat of {who} is free: press **Take the seat**.", who=people[number]))
        elif seat.offered is not None:
            lines.append(_("The seat of {who} is offered to {whom}.", who=people[number], whom=f"<@{seat.offered}>"))
    return "\n-# ".join(["", *lines]).strip() if lines else ""
