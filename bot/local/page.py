"""The page of the local table: a small web server on this computer that shows the rooms and lets time pass."""

from __future__ import annotations

import logging
import traceback
from collections import deque
from collections.abc import Awaitable, Callable
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from aiohttp import web
from discord import AppCommandOptionType
from discord.app_commands import Parameter

from bot.local.start import NotStarted, Offer, choices_of, offers, start
from bot.local.table import LocalTable, Room

SKIPS = {"1 hour": 3_600, "1 day": 86_400, "3 days": 259_200}
MOST_PANES = 9
WAITED_FOR = "waited-for"
PROJECT = Path(__file__).parents[2]
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; "
        "frame-src http://127.0.0.1:*; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Errors(logging.Handler):
    """The last errors that were logged, as (what was being done, what went wrong, the traceback)."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.kept: deque[tuple[str, str, str]] = deque(maxlen=20)

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        wrong = trace = ""
        if error is not None:
            frames = traceback.extract_tb(error.__traceback__)
            ours = [frame for frame in frames if _is_ours(frame.filename)] or frames
            place = f", in {ours[-1].filename.removeprefix(f'{PROJECT}/')}, line {ours[-1].lineno}" if ours else ""
            wrong = f"{type(error).__name__}: {error}{place}."
            trace = "".join(traceback.format_exception(error))
        self.kept.append((record.getMessage(), wrong, trace))


class Page:
    """The page.  Which rooms are open, seen by whom, stands in its address: `/?open=<room>.<seat>&open=…`."""

    def __init__(self, table: LocalTable, errors: Errors, port: int) -> None:
        self._table = table
        self._errors = errors
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        self._offers = offers(table.bot)
        self._notice = ("", "")
        self._last_seat: dict[int, str] = {}

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._only_from_here])
        app.router.add_get("/", self._index)
        app.router.add_get("/room/{key}", self._room)
        for name, kind in (("page.css", "text/css"), ("page.js", "text/javascript")):
            app.router.add_get(f"/{name}", _static(name, kind))
        app.router.add_post("/start", self._start)
        app.router.add_post("/skip", self._skip)
        app.router.add_post("/forget", self._forget)
        return app

    @web.middleware
    async def _only_from_here(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse what another web site makes the browser ask for: foreign host names, and changes from elsewhere."""
        if request.host not in self._hosts:
            raise web.HTTPForbidden(text="This page is for this computer only.")
        if request.method != "GET" and request.headers.get("Origin") != f"http://{request.host}":
            raise web.HTTPForbidden(text="That did not come from the page of the local table.")
        response = await handler(request)
        response.headers.update(HEADERS)
        return response

    # What is asked for

    async def _index(self, request: web.Request) -> web.Response:
        rooms = await self._table.rooms()
        panes = _panes(request, rooms)
        for room, seat in panes:
            self._table.see(room.id)
            self._last_seat[room.id] = seat
        return web.Response(text=self._html(rooms, panes), content_type="text/html")

    async def _room(self, request: web.Request) -> web.StreamResponse:
        room, _, seat = request.match_info["key"].partition(".")
        try:
            address = await self._table.view(int(room), seat)
        except (KeyError, ValueError):
            raise web.HTTPNotFound(text="There is no such room any more.") from None
        return web.Response(status=302, headers={"Location": address})

    async def _skip(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        seconds = SKIPS.get(str(form.get("time")), 0)
        back = str(form.get("back"))
        self._notice = ("", "")
        try:
            await self._table.skip(seconds)
        except TimeoutError:
            self._notice = (back, "So much happened that the bot is not done yet; the clock stopped on the way.")
        return _back(back)

    async def _forget(self, request: web.Request) -> web.StreamResponse:
        self._errors.kept.clear()
        return _back(str((await request.post()).get("back")))

    async def _start(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        settings = {key: str(value) for key, value in form.items()}
        offer = next((each for each in self._offers if each.command == settings.get("game")), None)
        if offer is None:
            raise web.HTTPNotFound(text="There is no such game.")
        people = [seat for seat in map(str, form.getall("who", [])) if seat in self._table.seats]
        robots = int(settings["robots"]) if settings.get("robots", "").isdigit() else 0
        try:
            room = await start(self._table, offer, people, robots, settings)
        except NotStarted as reason:
            self._notice = ("/", str(reason))
            return _back("/")
        self._notice = ("", "")
        waiting = next((each.waiting for each in await self._table.rooms() if each.id == room), ())
        return _back(_address([(room, (*waiting, *people)[0])]))

    # What is shown

    def _html(self, rooms: list[Room], panes: list[tuple[Room, str]]) -> str:
        unread = sum(room.unread for room in rooms)
        opened = [(room.id, seat) for room, seat in panes]
        address = _address(opened)
        back = f'<input type="hidden" name="back" value="{escape(address)}">'
        where, sentence = self._notice
        notice = escape(sentence) if where == address else ""
        main = "".join(self._pane(number, panes) for number in range(len(panes))) or self._welcome()
        return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{f"({unread}) " if unread else ""}Dawdle · the local table</title>
<link rel="stylesheet" href="/page.css">
<script src="/page.js" defer></script>
</head>
<body>
<aside id="side">
<header><a href="/"><h1>Dawdle</h1><p class="soft">The local table</p></a></header>
<section id="clock" aria-label="Clock">{self._clock(back)}</section>
<nav id="rooms" aria-label="Rooms">{self._list(rooms, opened)}</nav>
<section id="errors" aria-label="Errors of the bot">{self._said_errors(back)}</section>
</aside>
<main id="main" class="{"rooms" if panes else "welcome"}">{main}</main>
<div id="notice" role="status">{notice}</div>
</body>
</html>
"""

    def _clock(self, back: str) -> str:
        now = self._table.env.now()
        skips = "".join(f'<button name="time" value="{name}">+ {name}</button>' for name in SKIPS)
        return (
            f'<p class="soft">It is now (UTC)</p><time datetime="{now.isoformat()}">{now:%a %d %b %Y, %H:%M}</time>'
            f'<form method="post" action="/skip" aria-label="Let time pass">{back}{skips}</form>'
        )

    def _list(self, rooms: list[Room], opened: list[tuple[int, str]]) -> str:
        def row(room: Room) -> str:
            seat = self._last_seat.get(room.id) or (*room.waiting, *room.players, *room.who)[0]
            here = any(room.id == open_room for open_room, _ in opened)
            classes = ["room", *(["unread"] if room.unread else []), *(["here"] if here else [])]
            classes += ["old"] if room.archived else []
            sign = {"channel": "#", "thread": "↳", "dm": "@"}[room.kind]
            count = f'<span class="count" title="not read yet">{room.unread}</span>' if room.unread else ""
            name = escape(room.name)
            waits = ", ".join(who.capitalize() for who in room.waiting)
            note = f'<small class="soft">waits for {waits}</small>' if waits else ""
            beside = (
                f'<a class="beside" href="{escape(_address([*opened, (room.id, seat)]))}" '
                f'title="Open {name} beside the others" aria-label="Open {name} beside the others">⊞</a>'
            )
            return (
                f'<div class="row {room.kind}"><a class="{" ".join(classes)}" '
                f'href="{escape(_address([(room.id, seat)]))}" {"aria-current=page" if here else ""}>'
                f'<span class="sign" aria-hidden="true">{sign}</span><span class="name">{name}{note}</span>{count}</a>'
                f"{beside if opened and not here else ''}</div>"
            )

        public = "".join(row(room) for room in rooms if room.kind != "dm")
        direct = "".join(row(room) for room in rooms if room.kind == "dm")
        heading = "<h2>Direct messages to</h2>" if direct else ""
        return f'<a class="new" href="/">Start a game</a><h2>Server</h2>{public}{heading}{direct}'

    def _pane(self, number: int, panes: list[tuple[Room, str]]) -> str:
        room, seat = panes[number]
        opened = [(each.id, who) for each, who in panes]

        def instead(*panes: tuple[int, str]) -> str:
            return escape(_address([*opened[:number], *panes, *opened[number + 1 :]]))

        def chip(who: str) -> str:
            name = who.capitalize()
            waits = f" {WAITED_FOR}" if who in room.waiting else ""
            if who == seat:
                return f'<a class="seat here{waits}" href="{instead((room.id, who))}" aria-current="true">{name}</a>'
            does = f"Be {name} here" + (", for whom the game waits" if waits else "")
            return (
                f'<a class="seat{waits}" href="{instead((room.id, who))}" title="{does}" aria-label="{does}">'
                f"{who[0].upper()}</a>"
            )

        near = [who for who in room.who if not room.players or who in room.players or who == seat]
        seats = "".join(map(chip, near)) if len(room.who) > 1 else ""
        if others := "".join(chip(who) for who in room.who if who not in near):
            seats += (
                '<details><summary class="seat" title="Be somebody else here">…</summary>'
                f'<div class="others">{others}</div></details>'
            )
        key = f"{room.id}.{seat}"
        name = escape(f"{room.name}'s direct messages" if room.kind == "dm" else room.name)
        return (
            f'<section class="pane" id="pane-{key}" aria-label="{name}, seen by {seat.capitalize()}">'
            f'<header><h2>{name}</h2><nav class="seats" aria-label="Who you are">{seats}</nav>'
            f'<a class="close" href="{instead()}" title="Close" aria-label="Close {name}">×</a></header>'
            f'<iframe src="/room/{key}" title="{name}, seen by {seat.capitalize()}"></iframe></section>'
        )

    def _welcome(self) -> str:
        games = "".join(self._game(offer) for offer in self._offers)
        return f"""<article id="welcome">
<h2>A table for yourself</h2>
<p>This is the real bot in a make-believe Discord on this computer. Nobody else sees it, nothing leaves it,
and you are everybody: {", ".join(seat.capitalize() for seat in self._table.seats)}.</p>
<ol>
<li><b>Start a game</b> below. Its board opens just as it looks in Discord.</li>
<li><b>Play</b>: press <b>My move</b> under the board. The round buttons above a room change who you are in it.</li>
<li><b>Secrets</b> are asked in each player's direct messages, on the left. ⊞ opens a room beside the others.</li>
<li><b>Let time pass</b> with the buttons under the clock, to see reminders and deadlines.</li>
</ol>
<h3>Start a game</h3>
{games or "<p>No game is installed.</p>"}
</article>"""

    def _game(self, offer: Offer) -> str:
        few, many = offer.players[0], offer.players[-1]
        people = "".join(
            f'<label><input type="checkbox" name="who" value="{seat}" {"checked" if number < 2 else ""}> '
            f"{seat.capitalize()}</label>"
            for number, seat in enumerate(self._table.seats)
        )
        options = "".join(_field(option) for option in offer.options)
        secret = " · secret choices" if offer.secret else ""
        return f"""<details class="game" name="game">
<summary><b>{escape(offer.title)}</b><span class="soft">{few} to {many} players{secret}</span></summary>
<form method="post" action="/start">
<input type="hidden" name="game" value="{escape(offer.command)}">
<fieldset><legend>Who plays? You move for all of them.</legend><div class="people">{people}</div></fieldset>
<label><b>Robots</b> that play too:
<input class="robots" type="number" name="robots" value="{max(0, min(1, many - 2))}" min="0" max="{many - 1}"></label>
<fieldset><legend>Options</legend><div class="options">{options}</div></fieldset>
<div><button class="main">Start {escape(offer.title)}</button></div>
</form>
</details>"""

    def _said_errors(self, back: str) -> str:
        if not self._errors.kept:
            return ""
        times = len(self._errors.kept)
        told = "".join(
            f"<p><b>{escape(doing)}.</b> {escape(wrong)}</p>"
            f"{f'<details><summary>The whole story</summary><pre>{escape(trace)}</pre></details>' if trace else ''}"
            for doing, wrong, trace in reversed(self._errors.kept)
        )
        return (
            f"<details><summary>The bot failed {'once' if times == 1 else f'{times} times'}</summary>"
            f'{told}<form method="post" action="/forget">{back}<button>Forget that</button></form></details>'
        )


def _is_ours(file: str) -> bool:
    """Whether that source file is part of the bot, not of a library, which may be installed in the same folder."""
    return file.startswith(f"{PROJECT}/") and "site-packages" not in file


def _panes(request: web.Request, rooms: list[Room]) -> list[tuple[Room, str]]:
    """The rooms that the address wants open, each with the seat that sees it."""
    by_id = {str(room.id): room for room in rooms}
    keys = [key.partition(".") for key in dict.fromkeys(request.query.getall("open", []))]
    panes = [(by_id[room], seat) for room, _, seat in keys if room in by_id and seat in by_id[room].who]
    return panes[:MOST_PANES]


def _field(option: Parameter) -> str:
    """The field of a form for one option of a command."""
    name, default = escape(option.name), option.default
    if choices := choices_of(option):
        if default not in choices.values():
            choices = {"as usual": "", **choices}
        listed = "".join(
            f'<option value="{escape(str(value))}" {"selected" if value == default else ""}>{escape(label)}</option>'
            for label, value in choices.items()
        )
        field = f'<select name="{name}">{listed}</select>'
    else:
        value = escape(str(default)) if isinstance(default, (str, int, float)) else ""
        kind = "number" if option.type is AppCommandOptionType.integer else "text"
        limits = "".join(
            f' {limit}="{bound}"'
            for limit, bound in (("min", option.min_value), ("max", option.max_value))
            if bound is not None
        )
        field = f'<input type="{kind}" name="{name}" value="{value}"{limits}>'
    return f'<label><b>{name}</b>{field}<span class="soft">{escape(str(option.description))}</span></label>'


def _address(panes: list[tuple[int, str]]) -> str:
    """The address of the page with those rooms open, each seen by its seat."""
    return "/?" + urlencode([("open", f"{room}.{seat}") for room, seat in panes]) if panes else "/"


def _back(address: str) -> web.Response:
    """Go to that address of ours."""
    return web.Response(status=303, headers={"Location": address if address.startswith("/?") else "/"})


def _static(name: str, kind: str) -> Handler:
    content = Path(__file__).with_name(name).read_text(encoding="utf-8")

    async def serve(request: web.Request) -> web.Response:
        return web.Response(text=content, content_type=kind)

    return serve
