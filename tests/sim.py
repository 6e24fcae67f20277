"""The test kit: the real bot in a simulated Discord, seen through the eyes of the people in it.

A test asks for the fixture `world` and lets people act:

    async def test_a_second_press_is_refused(world):
        bob, carol = world.bob, world.carol
        await bob.slash("thistown new", players=2)          # in #games unless room= says otherwise
        board = world.games.threads[-1].last                # a Post: text, buttons, selects, pictures, pings
        answer = await bob.press(board, "Join")             # by label, custom_id, or part of either
        assert "You sit" in answer.text and answer.ephemeral
        form = await bob.press(board, "Type it")            # form.form is the modal, if one was shown
        await bob.fill(form, {"Your word": "kettle"})       # by label or custom_id
        await bob.choose(board, "C5")                       # the select that has that value or label
        await world.together(bob.pressing(board, "A"), carol.pressing(board, "A"))   # in the same instant
        await world.twice(bob.pressing(board, "A"))         # one press, delivered two times
        await bob.press(board, "A", as_seen=True)           # an old screen: message deleted, button gone, …
        assert "Choose" in bob.dm.last.text                 # direct messages
        world.fail("closed DMs", bob.dm)                    # see FAILURES and DOING
        await world.wait(hours=24)                          # the clock
        await world.restart()                               # a new bot on the same database
        await board.delete(); await world.games.delete()    # a moderator tidies up

A Post is what was on the screen when it was read; `post.now()` reads it again.
Any ERROR log record fails the test; one that provokes an error on purpose ends with `caplog.clear()`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime, timedelta
from fnmatch import fnmatch
from typing import Any, TypeVar

import discord
from simcord.actors import MemberActor
from simcord.backend.models import Message
from simcord.builders import ChannelHandle
from simcord.env import Env
from simcord.results import InteractionResult

from bot.local import simcord_private as private

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan")

FAILURES = {
    "closed DMs": (403, 50007),
    "no mutual server": (403, 50278),
    "opening DMs too fast": (403, 40003),
    "missing permissions": (403, 50013),
    "missing access": (403, 50001),
    "unknown channel": (404, 10003),
    "unknown message": (404, 10008),
    "archived thread": (400, 50083),
    "unknown interaction": (404, 10062),
    "already acknowledged": (400, 40060),
    "rate limited": (429, 0),
    "old message edited too often": (429, 30046),
    "server error": (500, 0),
}
"""Discord's ways to say no: HTTP status and code."""

DOING = {
    "send": ("POST", "/channels/{room}/messages"),
    "edit": ("PATCH", "/channels/{room}/messages/*"),
    "delete": ("DELETE", "/channels/{room}/messages/*"),
    "thread": ("POST", "/channels/{room}*/threads"),
    "open DM": ("POST", "/users/@me/channels"),
    "answer": ("POST", "/interactions/*/callback"),
    "follow up": ("POST", "/webhooks/*"),
    "edit answer": ("PATCH", "/webhooks/*/messages/*"),
    "pin": ("PUT", "/channels/{room}/*pins/*"),
    "anything": ("*", "*"),
}
"""What the bot may be doing when it fails."""

T = TypeVar("T")

STRING_SELECT, TEXT_INPUT, TEXT = 3, 4, 10


@dataclass(frozen=True)
class Picture:
    """An uploaded picture."""

    name: str
    alt: str
    content: bytes


@dataclass(frozen=True)
class Button:
    """A button on a post."""

    label: str
    custom_id: str
    enabled: bool
    style: int


@dataclass(frozen=True)
class Select:
    """A list on a post or in a form: labels by value, and the values chosen beforehand."""

    custom_id: str
    options: Mapping[str, str]
    chosen: tuple[str, ...]
    fewest: int
    most: int
    placeholder: str


class Post:
    """A message as it was when it was read."""

    def __init__(self, env: Env, message: Message) -> None:
        self._env = env
        self.payload = private.payload_of(env, message)
        self.id = message.id
        self.room_id = message.channel_id
        self.content = message.content
        self.ephemeral = message.is_ephemeral
        self.pinned = message.pinned
        self.edited = message.edited_timestamp is not None
        self.components = deepcopy(message.components)
        self.pings = tuple(message.ping_user_ids)
        """The ids of those whom the post notifies."""
        self._attachments = deepcopy(message.attachments)

    @property
    def text(self) -> str:
        """All it says: its content, its texts, and the titles and words of its embeds."""
        said = [self.content, *(str(part["content"]) for part in self.parts(TEXT))]
        for embed in self.payload["embeds"]:
            said += [embed.get("title") or "", embed.get("description") or ""]
            said += [f"{field['name']}: {field['value']}" for field in embed.get("fields") or ()]
        return "\n".join(line for line in said if line)

    @property
    def buttons(self) -> list[Button]:
        """Its buttons in order, without links."""
        return [
            Button(part.get("label") or "", part["custom_id"], not part.get("disabled"), part["style"])
            for part in self.parts(private.BUTTON)
            if "custom_id" in part
        ]

    @property
    def labels(self) -> list[str]:
        """What stands on its buttons."""
        return [button.label for button in self.buttons]

    @property
    def selects(self) -> list[Select]:
        """Its lists in order."""
        return [_select(part) for part in self.parts(STRING_SELECT)]

    @property
    def pictures(self) -> list[Picture]:
        """Its files with content and alt text, whether given with the file or in the layout."""
        alts: dict[str, str] = {}
        for part in private.parts_of(self.components):
            for item in (*(part.get("items") or ()), part):
                media = item.get("media")
                if isinstance(media, Mapping) and item.get("description"):
                    alts[str(media.get("url", "")).rsplit("/", 1)[-1]] = str(item["description"])
        return [
            Picture(
                each["filename"],
                alts.get(each["filename"]) or each.get("description") or "",
                private.bytes_of(self._env, each["url"]),
            )
            for each in self._attachments
        ]

    def parts(self, *types: int) -> list[Mapping[str, Any]]:
        """Its components of those types."""
        return [part for part in private.parts_of(self.components) if part.get("type") in types]

    def now(self) -> Post | None:
        """The same message as it is now, None if it was deleted."""
        message = private.message_of(self._env, self.room_id, self.id)
        return None if message is None else Post(self._env, message)

    async def delete(self) -> None:
        """A moderator deletes it."""
        private.delete_message(self._env, self.room_id, self.id)
        await self._env.settle()

    def __repr__(self) -> str:
        return f"<Post {self.text!r} {self.labels} {[select.placeholder for select in self.selects]}>"


class Room:
    """A channel, a thread or somebody's DM."""

    def __init__(self, env: Env, handle: ChannelHandle, viewer: int | None = None) -> None:
        self._env = env
        self.handle = handle
        self.id = handle.id
        self.name = handle.name
        self._viewer = viewer

    @property
    def posts(self) -> list[Post]:
        """What everybody sees there, oldest first."""
        return [Post(self._env, message) for message in private.messages_of(self._env, self.id, None)]

    def posts_seen_by(self, person: Person) -> list[Post]:
        """What that person sees there, ephemeral answers included."""
        return [Post(self._env, message) for message in private.messages_of(self._env, self.id, person.id)]

    @property
    def last(self) -> Post:
        """The newest post."""
        posts = self.posts
        assert posts, f"nothing was posted in {self.name or 'this DM'}"
        return posts[-1]

    @property
    def text(self) -> str:
        """Everything said there."""
        return "\n".join(post.text for post in self.posts)

    @property
    def threads(self) -> list[Room]:
        """Its threads, oldest first."""
        return [Room(self._env, handle) for handle in self.handle.threads]

    @property
    def archived(self) -> bool:
        """Whether it is an archived thread."""
        return private.is_archived(self.handle)

    async def archive(self) -> None:
        """The thread falls asleep; plant "archived thread" too where editing shall fail."""
        private.archive(self._env, self.id)
        await self._env.settle()

    async def delete(self) -> None:
        """A moderator deletes it."""
        private.delete_channel(self._env, self.id)
        await self._env.settle()


class Answer:
    """What the bot did about one interaction."""

    def __init__(self, env: Env, result: InteractionResult, pressed: Mapping[str, Any] | None = None) -> None:
        self._env = env
        self.result = result
        self.acknowledged = result.acknowledged
        self.form = result.modal
        """The form that was shown, as Discord received it."""
        shown = [each for each in (result.response, *result.followups) if each is not None]
        stored = [private.message_of(env, each.channel_id, each.id) for each in shown]
        posts = [Post(env, message) for message in stored if message is not None]
        self.posts = [post for post in posts if post.payload != pressed]
        """The answers; the message that was pressed is among them if the press changed it."""

    @property
    def post(self) -> Post:
        """The last thing answered."""
        assert self.posts, "the bot answered with no message"
        return self.posts[-1]

    @property
    def text(self) -> str:
        """Everything answered."""
        return "\n".join(post.text for post in self.posts)

    @property
    def ephemeral(self) -> bool:
        """Whether only the one who asked sees the answer."""
        return self.post.ephemeral

    @property
    def fields(self) -> dict[str, Mapping[str, Any]]:
        """The fields of the form by label."""
        assert self.form is not None, f"the bot showed no form but said: {self.text}"
        fields: dict[str, Mapping[str, Any]] = {}
        for part in private.parts_of(self.form["components"]):
            if "component" in part:
                fields[part["label"]] = part["component"]
            elif part.get("type") == TEXT_INPUT and part.get("label"):
                fields[part["label"]] = part
        return fields

    def __repr__(self) -> str:
        return f"<Answer {self.posts} form={self.form is not None} acknowledged={self.acknowledged}>"


class Person:
    """Somebody in the server."""

    def __init__(self, world: World, actor: MemberActor) -> None:
        self._world = world
        self._env = world.env
        self.actor = actor
        self.id = actor.id
        self.name = actor.name
        self.mention = actor.mention

    @property
    def dm(self) -> Room:
        """Their direct messages with the bot."""
        return Room(self._env, self.actor.user.dm_channel)

    async def slash(self, command: str, room: Room | None = None, **options: Any) -> Answer:
        """Type a slash command, `group name` without the slash; people as options are members."""
        await self._world.pause()
        room = room or self._world.games
        given = {name: value.actor if isinstance(value, Person) else value for name, value in options.items()}
        if room.handle.guild is None:
            return Answer(self._env, await self.actor.user.slash(command, **given))
        return Answer(self._env, await self.actor.slash(room.handle, command, **given))

    async def suggestions(
        self, command: str, option: str, typed: str = "", room: Room | None = None, **filled: Any
    ) -> list[tuple[str, Any]]:
        """The choices that pop up while typing into an option: (label, value)."""
        room = room or self._world.games
        if room.handle.guild is None:
            choices = await self.actor.user.autocomplete(command, option, typed, **filled)
        else:
            choices = await self.actor.autocomplete(room.handle, command, option, typed, **filled)
        return [(choice["name"], choice["value"]) for choice in choices]

    async def press(self, post: Post, button: str, *, as_seen: bool = False, locale: str = "en-US") -> Answer:
        """Press the button with that label or custom_id (else: the one button that contains it).

        It is looked for on the message as it is now; `as_seen` presses what stood there when it was read.
        """
        return (await self._world.together(self.pressing(post, button, as_seen=as_seen, locale=locale)))[0]

    def pressing(self, post: Post, button: str, *, as_seen: bool = False, locale: str = "en-US") -> private.Press:
        """The same press, for `world.together` and `world.twice`."""
        shown = self._screen(post, as_seen)
        found = _the_one(shown.buttons, button, lambda each: (each.label, each.custom_id))
        assert found.enabled, f"the button {found.label!r} is disabled"
        data = {"custom_id": found.custom_id, "component_type": private.BUTTON}
        return private.press(self._env, self.id, shown.payload, data, locale)

    async def press_id(self, post: Post, custom_id: str) -> Answer:
        """Send a press with any custom_id at all, as a forged or very old client would."""
        data = {"custom_id": custom_id, "component_type": private.BUTTON}
        return (await self._world.together(private.press(self._env, self.id, post.payload, data)))[0]

    async def choose(
        self, post: Post, *picks: str, select: str = "", as_seen: bool = False, locale: str = "en-US"
    ) -> Answer:
        """Pick values or labels; `select` (custom_id or placeholder) tells lists with equal choices apart."""
        shown = self._screen(post, as_seen)
        if select:
            found = _the_one(shown.selects, select, lambda each: (each.placeholder, each.custom_id))
        else:
            having = [each for each in shown.selects if all(_value(each, pick) is not None for pick in picks)]
            assert len(having) == 1, f"{len(having)} selects offer {picks}: {_offered(shown)}"
            found = having[0]
        values = [_value(found, pick) for pick in picks]
        assert None not in values, f"not all of {picks} are offered: {_offered(shown)}"
        assert found.fewest <= len(values) <= found.most, f"{found.fewest} to {found.most} must be picked"
        data = {"custom_id": found.custom_id, "component_type": STRING_SELECT, "values": values}
        press = private.press(self._env, self.id, shown.payload, data, locale)
        return (await self._world.together(press))[0]

    async def fill(self, shown: Answer, values: Mapping[str, Any]) -> Answer:
        """Fill in and send the form: values by label or custom_id; text, or a list of picked values."""
        fields = shown.fields
        ids = {label: field["custom_id"] for label, field in fields.items()}
        given = {ids.get(name, name): value for name, value in values.items()}
        await self._world.pause()
        form = shown.result
        if private.is_in_dm(form):
            return Answer(self._env, await self.actor.user.submit_modal(form, given))
        return Answer(self._env, await self.actor.submit_modal(form, given))

    async def leave(self) -> None:
        """Leave the server."""
        self._world.guild.remove_member(self.actor)
        await self._env.settle()

    def _screen(self, post: Post, as_seen: bool) -> Post:
        if as_seen:
            return post
        message = private.message_of(self._env, post.room_id, post.id)
        assert message is not None, "that post was deleted; press it as_seen"
        assert message.visible_to(self.id), f"{self.name} cannot see that post"
        return Post(self._env, message)

    def __repr__(self) -> str:
        return f"<{self.name}>"


class World:
    """One server with the bot, a channel #games and nine people in it, and nobody else."""

    alice: Person
    bob: Person
    carol: Person
    dave: Person
    erin: Person
    frank: Person
    grace: Person
    heidi: Person
    ivan: Person

    def __init__(self, env: Env, make_bot: Callable[[], discord.Client]) -> None:
        self.env = env
        self._make_bot = make_bot
        self.guild = env.create_guild("Test server")
        self.games = self.channel("games")
        self.people = tuple(self.newcomer(name) for name in NAMES)
        for person in self.people:
            setattr(self, person.name, person)

    @property
    def bot(self) -> Any:
        """The bot that is running now."""
        return self.env.bot

    def newcomer(self, name: str, shown: str | None = None, *, manager: bool = False) -> Person:
        """Somebody who joins the server, shown as `shown` or the capitalized name; a `manager` has Manage Server."""
        user = self.env.create_user(name, global_name=shown or name.capitalize())
        powers = discord.Permissions(manage_guild=True)
        roles = [self.guild.create_role("Managers", permissions=powers)] if manager else []
        return Person(self, self.guild.add_member(user, roles=roles))

    def channel(self, name: str) -> Room:
        """A new text channel."""
        return Room(self.env, self.guild.create_text_channel(name))

    def room(self, room_id: int) -> Room:
        """Any channel, thread or DM by its id."""
        return Room(self.env, private.room_of(self.env, room_id))

    async def settle(self) -> None:
        """Let the bot finish what it is doing."""
        await self.env.settle()

    async def together(self, *presses: private.Press) -> list[Answer]:
        """All those presses in the same instant."""
        await self.pause()
        results = await private.deliver(self.env, presses)
        return [
            Answer(self.env, result, press.payload["message"]) for press, result in zip(presses, results, strict=True)
        ]

    async def twice(self, press: private.Press) -> Answer:
        """One press that Discord delivers two times."""
        return (await self.together(press, press))[0]

    def now(self) -> datetime:
        """The simulated time, UTC."""
        return self.env.now()

    async def pause(self) -> None:
        """The two seconds that people take between two actions, in which the paced outbox empties."""
        await self.wait(seconds=2)

    async def wait(self, **duration: float) -> None:
        """Let time pass: `hours=24`, as for timedelta."""
        usual, self.env.settle_timeout = self.env.settle_timeout, 60.0
        try:
            await self.env.advance_time(timedelta(**duration).total_seconds())
        finally:
            self.env.settle_timeout = usual

    async def restart(self) -> None:
        """Stop the bot and start a new one on the same database."""
        await self.env.settle()
        await self.bot.close()
        await self.env.restart_bot(self._make_bot())

    def fail(self, failure: str, room: Room | None = None, doing: str = "send", times: int | None = None) -> None:
        """Let the bot fail in that way when it does that (in that room); `times` None: until mended."""
        status, code = FAILURES[failure]
        method, path = _request(doing, room)
        self.env.inject_error(method, path, status=status, code=code, message=failure, times=times)

    def mend(self) -> None:
        """End all planted failures."""
        private.mend(self.env)

    def calls(self, doing: str, room: Room | None = None) -> int:
        """How often the bot has tried that."""
        method, path = _request(doing, room)
        return sum(
            method in ("*", request.method) and fnmatch(request.path, path) for request in self.env.http_requests
        )

    async def throw_out_bot(self) -> None:
        """The bot is removed from the server."""
        private.remove_guild(self.env, self.guild.id)
        await self.env.settle()


def _request(doing: str, room: Room | None) -> tuple[str, str]:
    method, path = DOING[doing]
    return method, path.format(room="*" if room is None else room.id)


def _select(part: Mapping[str, Any]) -> Select:
    options = part.get("options") or ()
    return Select(
        part["custom_id"],
        {option["value"]: option["label"] for option in options},
        tuple(option["value"] for option in options if option.get("default")),
        part.get("min_values", 1),
        part.get("max_values", 1),
        part.get("placeholder") or "",
    )


def _value(select: Select, pick: str) -> str | None:
    if pick in select.options:
        return pick
    return next((value for value, label in select.options.items() if label == pick), None)


def _offered(post: Post) -> list[dict[str, str]]:
    return [dict(select.options) for select in post.selects]


def _the_one(items: Sequence[T], wanted: str, names: Callable[[T], tuple[str, str]]) -> T:
    """The item named exactly so, else the only one whose name contains it."""
    exact = [item for item in items if wanted in names(item)]
    found = exact or [item for item in items if any(wanted in name for name in names(item))]
    offered = [names(item) for item in items]
    assert len(found) == 1, f"{len(found)} match {wanted!r} among {offered}"
    return found[0]
