"""Every touch of SimCord's private names, for the local table and the tests alike.

SimCord is pinned to one version; when the pin moves, this file is what has to be read again.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import simcord
from simcord import interactions
from simcord.actors import MemberActor
from simcord.backend import serializers
from simcord.backend.models import Interaction, Message
from simcord.builders import ChannelHandle, GuildHandle, UserHandle
from simcord.components import walk_components
from simcord.enums import InteractionType
from simcord.env import Env
from simcord.preview import Preview
from simcord.results import InteractionResult

VOLATILE = {"subscribers", "transcript", "http_requests", "faults"}
"""What of a backend is not the world: who listens, what was logged, which failures are planted."""

OLDEST_SCREEN = 50
"""How many publications ago a screen may be from to be acted on."""

BUTTON = 2
"""The type of a button among components."""

UNSEEN = {"TYPING_START", "INTERACTION_CREATE"}
"""Events in a channel that change nothing to be seen there."""


def settle_quickly(env: Env) -> None:
    """Look for the end of the bot's work every half millisecond; SimCord's own 50 ms make an action slow."""
    patiently = env._settle_internal

    def settle(*, idle: float = 0.05, **rest: Any) -> Any:
        return patiently(idle=min(idle, 0.0005), **rest)

    env._settle_internal = settle  # type: ignore[method-assign]


# ------------------------------------------------------------------ the world


def pack(env: Env) -> bytes:
    """The whole simulated Discord but for the uploaded files: people, rooms, messages, commands and clock."""
    files, env.backend.cdn._blobs = env.backend.cdn._blobs, {}
    try:
        world = {name: value for name, value in env.backend.__dict__.items() if name not in VOLATILE}
        return pickle.dumps({"simcord": simcord.__version__, "world": world})
    finally:
        env.backend.cdn._blobs = files


def unpack(env: Env, packed: bytes, files: dict[str, bytes]) -> bool:
    """Put a packed world into an environment that has not started; False if another SimCord made it."""
    state = pickle.loads(packed)
    if state["simcord"] != simcord.__version__:
        return False
    env.backend.__dict__.update(state["world"])
    env.backend.cdn._blobs = files
    return True


def files_of(env: Env) -> dict[str, bytes]:
    """The uploaded files by address."""
    return env.backend.cdn._blobs


def files_in_use(env: Env) -> set[str]:
    """The addresses of the files that messages still show."""
    rooms = env.backend.messages.values()
    return {file["url"] for room in rooms for message in room.values() for file in message.attachments}


def watch(env: Env, changed: Callable[[int], None]) -> None:
    """Call `changed` with the id of each channel in which something happens."""

    def heard(event: str, payload: Mapping[str, Any]) -> None:
        if event not in UNSEEN and payload.get("channel_id"):
            changed(int(payload["channel_id"]))

    env.backend.subscribers.append(heard)


def forget_what_passed(env: Env) -> bool:
    """Empty the logs, which grow without end; whether there was anything in them."""
    happened = bool(env.backend.transcript)
    env.backend.transcript.clear()
    env.backend.http_requests.clear()
    return happened


def move_clock(env: Env, seconds: float) -> None:
    """Set the clock of an environment that has not started forward."""
    env.backend.clock.advance(seconds)


def name_bot(env: Env, name: str) -> None:
    """Call the bot so, in an environment that has not started."""
    env.backend.bot_user.name = name


def guild_of(env: Env) -> GuildHandle:
    """The first server of the world."""
    return GuildHandle(env, next(iter(env.backend.guilds.values())))


def people_of(env: Env, guild: GuildHandle) -> list[MemberActor]:
    """The human members of the server, in the order in which they came."""
    owner = guild.owner.id
    return [
        MemberActor(env, guild, UserHandle(env, env.backend.users[user]))
        for user in guild._guild.members
        if user != owner and not env.backend.users[user].bot
    ]


def room_of(env: Env, channel_id: int) -> ChannelHandle:
    """The channel, thread or DM with that id; BackendError 10003 if there is none."""
    channel = env.backend.get_channel(channel_id)
    guild = None if channel.guild_id is None else GuildHandle(env, env.backend.get_guild(channel.guild_id))
    return ChannelHandle(env, guild, channel)


def is_text_channel(room: ChannelHandle) -> bool:
    """Whether it is an ordinary text channel."""
    return room._channel.type == 0


def is_archived(room: ChannelHandle) -> bool:
    """Whether it is a thread that was archived."""
    thread = room._channel.thread_metadata
    return thread is not None and thread.archived


def may_enter(room: ChannelHandle, person: MemberActor) -> bool:
    """Whether that person sees the room: a private thread has members only."""
    return room._channel.type != 12 or person.id in room._channel.thread_members


def newest_message(env: Env, channel_id: int) -> int:
    """The id of the newest message there, 0 if none."""
    return max(env.backend.messages.get(channel_id, {}), default=0)


def unread_messages(env: Env, channel_id: int, seen: int) -> int:
    """How many messages everybody sees there came after the message `seen`."""
    return sum(message.id > seen for message in messages_of(env, channel_id, None))


# ------------------------------------------------------------------- messages


def messages_of(env: Env, channel_id: int, viewer: int | None) -> Iterator[Message]:
    """The messages of a room that viewer sees (None: those that everybody sees), oldest first."""
    stored = env.backend.messages.get(channel_id, {})
    return (stored[number] for number in sorted(stored) if stored[number].visible_to(viewer))


def message_of(env: Env, channel_id: int, message_id: int) -> Message | None:
    """A message as it is now, None if it was deleted."""
    return env.backend.messages.get(channel_id, {}).get(message_id)


def payload_of(env: Env, message: Message) -> dict[str, Any]:
    """The message as Discord sends it with a press."""
    return deepcopy(dict(serializers.message_payload(env.backend, message)))


def parts_of(components: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Every component of a layout, nested ones included, in order."""
    return walk_components(list(components))


def bytes_of(env: Env, url: str) -> bytes:
    """The content of an uploaded file."""
    content = env.backend.cdn.get(url)
    assert content is not None, f"no file at {url}"
    return content


def delete_message(env: Env, channel_id: int, message_id: int) -> None:
    """A moderator deletes a message."""
    env.backend.delete_message(channel_id, message_id)


def delete_channel(env: Env, channel_id: int) -> None:
    """A moderator deletes a channel or thread."""
    env.backend.delete_channel(channel_id)


def archive(env: Env, thread_id: int) -> None:
    """A thread is archived; SimCord lets the bot edit and send there all the same."""
    env.backend.edit_channel(thread_id, {}, thread_metadata={"archived": True})


def remove_guild(env: Env, guild_id: int) -> None:
    """The bot is thrown out of the server."""
    env.backend.remove_guild(guild_id)


def mend(env: Env) -> None:
    """Take every planted failure away."""
    env.backend.faults.clear()


# -------------------------------------------------------------------- presses


@dataclass
class Press:
    """One interaction that is ready to be delivered, once or several times."""

    record: Interaction
    payload: dict[str, Any]


def press(env: Env, user_id: int, message: Mapping[str, Any], data: Mapping[str, Any], locale: str = "en-US") -> Press:
    """A press by that user on a message as that user's screen shows it, whether or not it still exists."""
    channel_id = int(message["channel_id"])
    record, payload = interactions.base_payload(
        env.backend,
        type=InteractionType.MESSAGE_COMPONENT,
        channel_id=channel_id,
        guild_id=env.backend.get_channel(channel_id).guild_id,
        user_id=user_id,
        data=dict(data),
    )
    record.source_message_id = int(message["id"])
    payload["message"] = dict(message)
    payload["locale"] = locale
    return Press(record, payload)


async def deliver(env: Env, presses: Sequence[Press]) -> list[InteractionResult]:
    """Deliver the presses in the same instant, then wait until the bot is done with all of them."""
    for each in presses:
        env.backend.emit("INTERACTION_CREATE", each.payload)
    await env.settle()
    return [InteractionResult(env, each.record) for each in presses]


def is_in_dm(result: InteractionResult) -> bool:
    """Whether the interaction took place in direct messages."""
    return result._interaction.guild_id is None


# ------------------------------------------------------------------- previews


async def open_preview(
    env: Env, room: ChannelHandle, viewer: MemberActor, origin: str, style: str, turns: asyncio.Lock
) -> Preview:
    """A preview of that room as that person sees it, made to be shown in a frame of a page from `origin`.

    `style` is added to its style sheet.  What the browser does in it waits for `turns`, as SimCord does one thing
    at a time.  It may be done on a screen that is a moment old, unless the controls of that very message have
    changed since: SimCord would press whatever is now in the same place.
    """
    viewers = [viewer if room.guild is not None else viewer.user]
    preview = env.preview(room, viewers=viewers, layout="channel")
    server, act, publish = preview._server, preview._action, preview._publish
    serve = server._static
    shown: dict[tuple[str, int], dict[str, int]] = {}

    def controls(message_id: str) -> int:
        message = message_of(env, room.id, int(message_id))
        return 0 if message is None else hash(repr(message.components))

    def publish_and_note(page: Any, **reason: Any) -> None:
        publish(page, **reason)
        messages = (page.snapshot or {}).get("messages", ())
        shown[page.id, page.revision] = {message_id: controls(message_id) for message_id in messages}
        shown.pop((page.id, page.revision - OLDEST_SCREEN), None)

    async def serve_with_style(request: Any) -> Any:
        response = await serve(request)
        if request.path == "/preview.css":
            response.text += style
        return response

    async def act_in_turn(context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        async with turns:
            page = preview._pages.get(context_id or "")
            if page is not None and "published_revision" in body:
                target = str(body.get("target_id", ""))
                seen = shown.get((page.id, body["published_revision"]), {})
                if target.isdigit() and seen.get(target) != controls(target):
                    preview._publish(page)
                else:
                    body = {**body, "published_revision": page.revision}
            return await act(context_id, body)

    server._static = serve_with_style  # type: ignore[method-assign]
    server._SECURITY_HEADERS = {  # type: ignore[misc]
        name: value.replace("frame-ancestors 'none'", f"frame-ancestors {origin}")
        for name, value in server._SECURITY_HEADERS.items()
        if name != "X-Frame-Options"
    }
    preview._action = act_in_turn  # type: ignore[method-assign]
    preview._publish = publish_and_note  # type: ignore[method-assign]
    await preview.__aenter__()
    env._preview = None  # or no second preview could be opened beside it
    page = preview._python
    assert page is not None
    page.target_id = page.window_end_id = None  # browser pages, copies of this one, follow the newest message
    return preview


def is_open(preview: Preview) -> bool:
    """Whether the preview still serves its page."""
    return preview._active


def is_shown(preview: Preview) -> bool:
    """Whether a browser shows that preview."""
    return len(preview._pages) > 1


def is_behind(preview: Preview, changed: str) -> bool:
    """Whether a browser shows that preview as it was before `changed` (ISO time, UTC, with Z)."""
    pages = [page for page in preview._pages.values() if page is not preview._python]
    return any(page.published_at is not None and page.published_at < changed for page in pages)
