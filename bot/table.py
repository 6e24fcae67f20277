"""One table: who sits there, what is being asked, and until when.

Every change is a pure function from a table to a table that raises Refused when it is not allowed; `bot.tables`
stores the results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Literal

from bot.deadlines import LONGEST, MOST_BANK, MOST_EXTENSION, SHORTEST, Pace, spread
from bot.robots import choose
from bot.rules import games
from bot.rules.base import Game, Refused, View
from bot.store import LogLine

State = Literal["open", "running", "over"]

Ending = Literal["played", "abandoned", "agreed", "conceded", "expired"]
"""By the rules; by the host; by everybody's vote; because all but one have left; because the time was up."""

ANYBODY = 0
"""Of a seat that is offered: whoever wants it may take it."""

BELL, UNDO = "bell", "undo"
"""Two lines of a log that are no moves of the game: the time was up, and a move was taken back."""

ROBOT_NAMES = ("Ada", "Bolt", "Cog", "Dot", "Echo", "Flint", "Gizmo", "Hex", "Iris")


class Passed(Refused):
    """An answer to a question that is not the one being asked any more."""

    def __init__(self) -> None:
        super().__init__("That moment has passed.")


@dataclass(frozen=True)
class Seat:
    """Who sits there: a user, or a robot (`user` None)."""

    user: int | None
    name: str
    choice: str | None = None
    """What the player picked while joining, where the game has a `seat_choice`."""
    steward: bool = False
    """A robot plays until the user acts again."""
    left: bool = False
    """The user has given the seat up, and a robot plays it."""
    offered: int | None = None
    """The user who may take the seat over, `ANYBODY`, or None."""
    away: int | None = None
    """Until when the user is away."""
    pauses: bool = False
    """Whether the clock stands while the user is away; else a robot plays."""
    bank: int = 0
    """Seconds beyond the time for each question that are left in this game."""
    spent: int = 0
    """How much of the bank the present question has cost."""
    wants_end: bool = False
    """Has voted to end the game without a result."""
    answers: int = 0
    """How many questions the user has answered, and how many of them in time."""
    punctual: int = 0

    @property
    def player(self) -> int | None:
        """The user who plays or may take the seat back; None for a robot and for a seat that was given up."""
        return None if self.left else self.user

    @property
    def robot(self) -> bool:
        """Whether a robot plays now."""
        return self.player is None or self.steward


@dataclass(frozen=True)
class Outage:
    """The last time the bot was away, and how much of it was given back to the clock."""

    began: int = 0
    credited: int = 0


@dataclass(frozen=True, kw_only=True)
class Table:
    """One running game in a channel.  `setup` and `position` are None while the table is open."""

    id: int
    game: str
    guild: int
    channel: int
    place: int | None
    """The thread or channel in which it is played; None until that is settled."""
    host: int
    state: State
    options: Mapping[str, Any]
    most: int
    """The number of seats; the table starts by itself when all are taken."""
    least: int
    """The number of players from which the host may start."""
    pace: Pace
    thread: bool
    """Whether the game is played in a thread of its own."""
    seats: tuple[Seat, ...]
    rules: int
    version: int = 0
    created: int = 0
    due: int | None = None
    """When the clock must look next."""
    asked: int | None = None
    """When the question was put, and when its time is up."""
    began: int | None = None
    """When its time began, if somebody who was away has come back meanwhile."""
    deadline: int | None = None
    extension: int = 0
    """What the host has added to this question."""
    credit: int = 0
    """What was added to this question because the bot itself was away."""
    outage: Outage = field(default_factory=Outage)
    late: bool = False
    """Whether the time for this question is up, so that those who are late are named."""
    ending: Ending | None = None
    several: bool = False
    """Whether this question was put to several players at once."""
    order: tuple[int, ...] = ()
    """The users in the order in which they are seated; a table without one is seated at random."""
    setup: Mapping[str, Any] | None = None
    position: Game | None = None
    played: tuple[LogLine, ...] = ()
    """The lines that are not in the log yet."""

    @property
    def kind(self) -> type[Game]:
        return games()[self.game]

    @property
    def turn(self) -> int:
        """The number of the question now being asked; -1 while the table is open."""
        return self.position.turn if self.position else -1

    @property
    def waiting(self) -> tuple[int, ...]:
        return self.position.waiting() if self.position and self.state == "running" else ()

    @property
    def owing(self) -> tuple[int, ...]:
        """The seats whose own players the table waits for."""
        return tuple(seat for seat in self.waiting if not self.seats[seat].robot)

    @property
    def begins(self) -> int:
        """When the time for this question begins: when it was put, or when those are back for whom the clock stands."""
        paused = (self.seats[seat].away or 0 for seat in self.waiting if self.seats[seat].pauses)
        return max([self.asked or 0, self.began or 0, *paused])

    @property
    def winners(self) -> tuple[int, ...]:
        """The winning seats of a table that is over."""
        outcome = self.position.outcome() if self.position else None
        if outcome is not None:
            return outcome.winners
        if self.ending == "conceded":
            return tuple(number for number, seat in enumerate(self.seats) if seat.player is not None)
        return ()

    @property
    def overdue(self) -> tuple[int, ...]:
        """The seats that hold the game up, played by their own players, once the time is up."""
        if self.position is None or not self.late or self.state != "running":
            return ()
        return tuple(seat for seat in self.position.overdue() if not self.seats[seat].robot)

    def seat_of(self, user: int) -> int:
        """The seat of that user, or Refused."""
        for number, seat in enumerate(self.seats):
            if seat.player == user:
                return number
        raise Refused("You have no seat at this table.")

    def seated(self, user: int) -> bool:
        return any(seat.player == user for seat in self.seats)

    def robot_plays(self, seat: int) -> bool:
        return self.seats[seat].robot

    def running(self) -> Game:
        """The position of a running game, or Refused."""
        if self.state == "open":
            raise Refused("The game has not started yet.")
        if self.state == "over" or self.position is None:
            raise Refused("The game is over.")
        return self.position

    def view(self, seat: int | None) -> View:
        """What that seat may know of a game that has been dealt."""
        assert self.position is not None
        return self.position.view(seat)

    def last_moment(self, seat: int) -> int | None:
        """When the policy is applied to a seat that stays late; None while the question has no deadline."""
        if self.deadline is None:
            return None
        own = self.seats[seat]
        more = self.pace.period if own.offered is not None else 0
        return self.pace.after(self.deadline, own.spent + own.bank + self.pace.grace + more)

    # Before the game

    def join(self, user: int, name: str) -> Table:
        self._must_be_open()
        if self.seated(user):
            raise Refused("You have a seat already.")
        return self._with_seat(Seat(user, name))

    def add_robot(self, user: int) -> Table:
        self._must_be_open()
        self.must_be_host(user)
        taken = {seat.name for seat in self.seats}
        return self._with_seat(Seat(None, next(name for name in ROBOT_NAMES if name not in taken)))

    def pick(self, user: int, choice: str) -> Table:
        """Notes that the user wants this value of the game's `seat_choice`."""
        self._must_be_open()
        number = self.seat_of(user)
        if self.kind.seat_choice is None or choice not in self.kind.seat_choice.labels:
            raise Refused("There is no such choice in this game.")
        if any(seat.choice == choice for seat in self.seats if seat.user != user):
            raise Refused("Somebody else has picked that already.")
        return self._with(number, choice=choice)

    def paced(self, user: int, pace: Pace) -> Table:
        """Sets how fast the table will be played."""
        self._must_be_open()
        self.must_be_host(user)
        if not SHORTEST <= pace.period <= LONGEST:
            raise Refused("The time for each question lies between 15 minutes and 7 days.")
        if not 0 <= pace.bank <= MOST_BANK:
            raise Refused("The bank holds at most 14 days.")
        return replace(self, pace=pace)

    def start(self, user: int, rng: Random, now: int) -> Table:
        self._must_be_open()
        self.must_be_host(user)
        if len(self.seats) < self.least:
            raise Refused("At least {least} players are needed.", least=self.least)
        return self._dealt(rng, now)

    def filled(self, rng: Random, now: int) -> Table:
        """The same table, or the started game when all seats are taken."""
        return self._dealt(rng, now) if self.state == "open" and len(self.seats) == self.most else self

    # The game

    def play(self, seat: int, moves: Sequence[str], now: int) -> Table:
        """Makes these moves one after the other, all or none."""
        position = self.running()
        for move in moves:
            position = position.play(seat, move)
        return self._moved(position, now, tuple(LogLine(seat, move, now) for move in moves))

    def play_own(self, user: int, moves: Sequence[str], now: int) -> Table:
        """Makes these moves for the user, who is back and spends of the bank where the time was up."""
        seat = self.seat_of(user)
        table = self.taken_back(seat, now)
        cost = 0
        if seat in table.overdue and table.deadline is not None:
            own = table.seats[seat]
            cost = min(table.pace.between(table.deadline, now) - own.spent, own.bank)
        moved = table.play(seat, moves, now)
        if seat not in table.waiting or (moved.turn == table.turn and seat in moved.waiting):
            return moved
        own = moved.seats[seat]
        goes_on = moved.asked == table.asked and seat in moved.waiting
        in_time = table.deadline is None or now <= table.deadline
        return moved._with(
            seat,
            bank=own.bank - cost,
            spent=own.spent + cost if goes_on else 0,
            answers=own.answers + 1,
            punctual=own.punctual + int(in_time),
        )._with_alarm()

    def undo(self, user: int, now: int) -> Table:
        """Takes that user's last move back, as far as the rules let it."""
        seat = self.seat_of(user)
        return self._moved(self.running().undo(seat), now, (LogLine(seat, UNDO, now),))

    def robot_played(self, rng: Random, now: int) -> Table:
        """The first robot that the table waits for has answered the question."""
        seat = next((seat for seat in self.waiting if self.robot_plays(seat)), None)
        if seat is None:
            return self
        table, turn = self, self.turn
        while table.turn == turn and seat in table.waiting:
            position = table.running()
            table = table.play(seat, [choose(self.game, position.view(seat), position.moves(seat), rng)], now)
        return table

    # The clock

    def ring(self, now: int) -> Table:
        """What the clock does to a table that is due: absences end, time runs out, the policy is applied."""
        position = self.running()
        table = self
        for number, seat in enumerate(self.seats):
            if seat.away is not None and seat.away <= now:
                began = seat.away if seat.pauses and number in table.waiting else table.began
                table = replace(table, began=began)
                table = table._with(number, away=None, pauses=False, steward=seat.steward and seat.pauses)
        if not table.late and table.deadline is not None and table.deadline <= now:
            rung = position.bell()
            if rung != position:
                return table._moved(rung, now, (LogLine(None, BELL, now),))
            table = replace(table, late=True)
        if table.late:
            for seat in table.overdue:
                last = table.last_moment(seat)
                if last is not None and last <= now and table.state == "running":
                    table = table.given_up_on(seat)
        return table._with_alarm()

    def given_up_on(self, seat: int) -> Table:
        """Applies the policy to a seat whose player stays late or has left the server."""
        match self.pace.policy:
            case "wait":
                return self
            case "end":
                return replace(self, state="over", ending="expired")
            case "replace" if self.seats[seat].offered is None:
                return self._with(seat, offered=ANYBODY)._with_host()
            case _:
                return self._with(seat, steward=True, bank=0)._with_host()

    def credited(self, began: int, ended: int) -> Table:
        """Gives the clock back what the bot's own absence took from it, once."""
        if self.state != "running" or self.deadline is None:
            return self
        done = self.outage.credited if self.outage.began == began else 0
        gap = self.pace.between(began, ended)
        if gap <= done:
            return self
        table = replace(self, outage=Outage(began, gap), credit=self.credit + gap - done)
        return table._with_deadline()._with_alarm()

    def extended(self, user: int, seconds: int, now: int, allowed: bool) -> Table:
        """Adds that much to the time of this question, in all; asking twice changes nothing."""
        self.running()
        if not allowed:
            self.must_be_host(user)
        if not 0 < seconds <= MOST_EXTENSION:
            raise Refused("An extension is at most 7 days.")
        if seconds <= self.extension:
            return self
        table = replace(self, extension=seconds)._with_deadline()
        return replace(table, late=table.late and (table.deadline or 0) <= now)._with_alarm()

    # People

    def goes_away(self, user: int, until: int, used: int, now: int) -> Table:
        """The user is away until then; `used` days of this year's absences are spent already."""
        seat = self.seat_of(user)
        if self.state != "running":
            return self
        days = -(-(until - now) // 86_400)
        pauses = self.pace.absence == "pause" and used + days <= self.pace.away_days
        table = self._with(seat, away=until, pauses=pauses, steward=not pauses)
        if not pauses or seat not in table.waiting:
            return table._with_alarm()
        return replace(table._with_deadline(), late=False)._with_alarm()

    def taken_back(self, seat: int, now: int) -> Table:
        """The same table with that seat played by its user again."""
        own = self.seats[seat]
        if not own.steward and own.away is None and own.offered is None:
            return self
        table = self._with(seat, steward=False, away=None, pauses=False, offered=None)
        if own.pauses and seat in table.waiting:
            table = replace(table, began=now)._with_deadline()
        return table._with_alarm()

    def back(self, user: int, now: int) -> Table:
        """The same table with the user there again, who was away or late."""
        return self.taken_back(self.seat_of(user), now) if self.state == "running" else self

    def resumed(self, user: int, now: int) -> Table:
        """The same table with the seat played by its user again, who was late; who is away stays away."""
        late = [seat.steward and seat.away is None for seat in self.seats if seat.player == user]
        return self.taken_back(self.seat_of(user), now) if self.state == "running" and any(late) else self

    def gone(self, user: int) -> Table:
        """The same table when that player has left the server: where the others would wait, the seat is offered."""
        self.running()
        number = next((number for number, seat in enumerate(self.seats) if seat.player == user), None)
        if number is None or self.seats[number].robot:
            return self
        if self.pace.policy == "wait":
            return self._with(number, offered=ANYBODY)._with_host()
        return self.given_up_on(number)._with_alarm()

    def leave(self, user: int) -> Table:
        """Gives up a seat: of an open table it is free again, in a running game a robot plays it."""
        number = self.seat_of(user)
        if self.state == "over":
            raise Refused("The game is over.")
        if self.state == "open":
            seats = self.seats[:number] + self.seats[number + 1 :]
            table = replace(self, seats=seats)
            if not any(seat.player for seat in seats):
                return replace(table, state="over", ending="abandoned")
            return table._with_host()
        table = self._with(number, left=True, offered=ANYBODY, steward=False, away=None)
        players = [seat for seat in table.seats if seat.player is not None]
        if not players:
            return replace(table, state="over", ending="abandoned")._with_alarm()
        if len(players) == 1 and all(seat.user is not None for seat in table.seats):
            return replace(table, state="over", ending="conceded")._with_alarm()
        return table._with_host()._with_alarm()

    def offer(self, user: int, seat: int, to: int, allowed: bool) -> Table:
        """Offers that seat to another user, who must accept."""
        self.running()
        if not allowed:
            self.must_be_host(user)
        if not 0 <= seat < len(self.seats) or self.seats[seat].user is None:
            raise Refused("That seat is no player's.")
        if self.seated(to):
            raise Refused("That player has a seat at this table already.")
        return self._with(seat, offered=to)

    def take_seat(self, seat: int, user: int, name: str, now: int) -> Table:
        """The user takes over a seat that was offered, with a full bank and the full time for this question."""
        self.running()
        if not 0 <= seat < len(self.seats) or self.seats[seat].offered is None:
            raise Refused("That seat is not free any more.")
        if self.seats[seat].offered not in (ANYBODY, user):
            raise Refused("That seat is offered to somebody else.")
        if self.seated(user):
            raise Refused("You have a seat already.")
        table = self._set(seat, Seat(user, name, choice=self.seats[seat].choice, bank=self.pace.bank))
        if seat in table.waiting:
            table = table._asking(now)
        return table._with_host()._with_alarm()

    def vote_end(self, user: int, now: int) -> Table:
        """Notes that the user wants to end the game without a result; it ends when all who still play do."""
        self.running()
        seat = self.seat_of(user)
        table = self.taken_back(seat, now)._with(seat, wants_end=True)
        if all(seat.wants_end for number, seat in enumerate(table.seats) if table.votes(number, now)):
            return replace(table, state="over", ending="agreed")._with_alarm()
        return table

    def votes(self, seat: int, now: int) -> bool:
        """Whether an end needs the vote of that seat: no robot's, none that is free, and nobody's who stays away."""
        own, last = self.seats[seat], self.last_moment(seat)
        vanished = seat in self.overdue and last is not None and last <= now
        return not own.robot and own.offered != ANYBODY and not vanished

    def abandon(self, user: int, allowed: bool) -> Table:
        """Ends the table without a result; for its host, or whoever else is `allowed`."""
        if self.state == "over":
            raise Refused("The game is over.")
        if not allowed:
            self.must_be_host(user)
        return replace(self, state="over", ending="abandoned")._with_alarm()

    def renamed(self, user: int, name: str) -> Table:
        """The same table with the user's present name."""
        for number, seat in enumerate(self.seats):
            if seat.user == user and seat.name != name:
                return self._with(number, name=name)
        return self

    def forgotten(self, user: int, name: str) -> Table:
        """The same table without a trace of the user: an unfinished seat is given up first."""
        table = self.leave(user) if self.state != "over" and self.seated(user) else self
        for number, seat in enumerate(table.seats):
            if seat.user == user:
                table = table._with(number, user=None, name=name, left=False)
            elif seat.offered == user:
                table = table._with(number, offered=None)
        if table.host == user:
            table = replace(table, host=next((seat.player for seat in table.seats if seat.player is not None), 0))
        return replace(table, order=tuple(other for other in table.order if other != user))

    def must_be_host(self, user: int) -> None:
        if user != self.host:
            raise Refused("Only the host of the table may do that.")

    # Inside

    def _must_be_open(self) -> None:
        if self.state == "running":
            raise Refused("The game has started already.")
        if self.state == "over":
            raise Refused("The game is over.")

    def _with_seat(self, seat: Seat) -> Table:
        if len(self.seats) >= self.most:
            raise Refused("All seats are taken.")
        return replace(self, seats=(*self.seats, seat))

    def _set(self, number: int, seat: Seat) -> Table:
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    def _with(self, number: int, **changes: Any) -> Table:
        """The same table with these changes to one seat."""
        return self._set(number, replace(self.seats[number], **changes))

    def _with_host(self) -> Table:
        """The same table with a host who plays: the next player, when the old one does not any more."""
        present = [seat.user for seat in self.seats if not seat.robot and seat.offered != ANYBODY]
        if self.host in present or not present:
            return self
        return replace(self, host=present[0])

    def _with_deadline(self) -> Table:
        """The same table with the deadline that follows from when and whom it asked."""
        if self.asked is None:
            return replace(self, deadline=None)
        time = self.pace.period + self.extension + self.credit
        return replace(self, deadline=self.pace.after(self.begins, time) + spread(self.id))

    def _with_alarm(self) -> Table:
        """The same table with the time at which the clock must look next."""
        return replace(self, due=min(self._alarms(), default=None))

    def _alarms(self) -> Iterator[int]:
        if self.state != "running":
            return
        if not self.late and self.deadline is not None:
            yield self.deadline
        if self.late and self.pace.policy != "wait":
            yield from (last for seat in self.overdue if (last := self.last_moment(seat)) is not None)
        yield from (seat.away for seat in self.seats if seat.away is not None)

    def _dealt(self, rng: Random, now: int) -> Table:
        count = len(self.seats)
        seats = list(self.seats)
        rng.shuffle(seats)
        seats.sort(key=lambda seat: self.order.index(seat.user) if seat.user in self.order else len(self.order))
        options = self.kind.complete(count, {**self.options, **self._picked(seats)})
        setup = self.kind.shuffle(count, options, rng)
        table = replace(
            self,
            state="running",
            options=options,
            setup=setup,
            position=self.kind.deal(count, options, setup),
            rules=self.kind.version,
            seats=tuple(replace(seat, bank=self.pace.bank) for seat in seats),
        )
        return table._asking(now)._with_alarm()

    def _picked(self, seats: Sequence[Seat]) -> Mapping[str, Any]:
        """The option that the seats picked for themselves; who picked nothing gets the first that is free."""
        choice = self.kind.seat_choice
        if choice is None:
            return {}
        picked = [seat.choice for seat in seats]
        free = iter([value for value in choice.labels if value not in picked])
        return {choice.option: [value or next(free) for value in picked]}

    def _moved(self, position: Game, now: int, lines: tuple[LogLine, ...]) -> Table:
        """The table after these lines; a player who goes on acting keeps the same deadline."""
        table = replace(self, position=position, played=(*self.played, *lines))
        if position.outcome() is not None:
            return replace(table, state="over", ending="played")._with_alarm()
        bell = any(line.seat is None for line in lines)
        if self.late and not bell and position.turn == self.turn and (rung := position.bell()) != position:
            return table._moved(rung, now, (LogLine(None, BELL, now),))
        if position.turn != self.turn and (bell or position.waiting() != self.waiting):
            table = table._asking(now)
        return table._with_alarm()

    def _asking(self, now: int) -> Table:
        """The same table with the full time for a question that is put now."""
        seats = tuple(replace(seat, spent=0) for seat in self.seats)
        several = len(self.owing) > 1
        table = replace(self, seats=seats, asked=now, began=None, extension=0, credit=0, late=False, several=several)
        return table._with_deadline()
