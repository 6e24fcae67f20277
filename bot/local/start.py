"""Starts a game at the local table as people would: the slash command of its host, then everybody's presses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from discord import AppCommandOptionType
from discord.app_commands import Command, Parameter
from simcord.backend.errors import OptionError
from simcord.backend.models import Message

from bot.client import Dawdle
from bot.local import simcord_private as private
from bot.local.table import LocalTable
from bot.press import Press

PLAYERS = "players"
"""The option of every `new` that says how many seats the table has."""

Setting = str | int | float | bool


class NotStarted(Exception):
    """The game could not be started, with the sentence that says why."""


@dataclass(frozen=True)
class Offer:
    """A game that can be started, and what may be set about it besides the number of players."""

    command: str
    title: str
    players: range
    secret: bool
    options: tuple[Parameter, ...]


def offers(bot: Dawdle) -> list[Offer]:
    """Every game that the bot has a cog for."""
    found = []
    for cog in bot.game_cogs():
        group = cog.app_command
        new = group.get_command("new") if group else None
        assert group is not None and isinstance(new, Command), f"{cog.qualified_name} has no command `new`"
        options = tuple(option for option in new.parameters if option.name != PLAYERS)
        found.append(Offer(group.name, cog.game.title, cog.game.players, cog.game.secret, options))
    return found


async def start(
    table: LocalTable, offer: Offer, people: Sequence[str], robots: int, settings: Mapping[str, str]
) -> int:
    """The room in which the game is now played; the first of `people` is its host.  Raises NotStarted."""
    total = len(people) + robots
    if not people:
        raise NotStarted("A game needs at least one of you; choose who plays.")
    if total not in offer.players:
        few, many = offer.players[0], offer.players[-1]
        raise NotStarted(f"{offer.title} is for {few} to {many} players, and that would be {total}.")
    options = {option.name: _value(option, settings.get(option.name, "")) for option in offer.options}
    given = {name: value for name, value in options.items() if value is not None}
    host, *guests = people
    before = max(private.newest_message(table.env, room.id) for room in await table.rooms())
    said, lobby = await _open(table, host, f"{offer.command} new", {PLAYERS: total, **given}, before)
    if lobby is None:
        raise NotStarted(f"The bot said: {said or 'nothing'}")
    for guest in guests:
        await _press(table, guest, lobby, "join")
    for _ in range(robots):
        await _press(table, host, lobby, "robot")
    threads = (room.id for room in await table.rooms() if room.kind == "thread" and room.id > before)
    return max(threads, default=lobby.channel_id)


def choices_of(option: Parameter) -> dict[str, Setting]:
    """What may be chosen for that option, by label; empty where anything may be typed."""
    if option.type is AppCommandOptionType.boolean:
        return {"yes": True, "no": False}
    return {choice.name: choice.value for choice in option.choices}


def _value(option: Parameter, text: str) -> Setting | None:
    """What the form's text means for that option; None: as the command has it."""
    if choices := choices_of(option):
        return next((value for value in choices.values() if str(value) == text), None)
    if option.type is AppCommandOptionType.integer:
        return int(text) if text.lstrip("-").isdigit() else None
    return text or None


async def _open(
    table: LocalTable, host: str, command: str, options: Mapping[str, Setting], before: int
) -> tuple[str, Message | None]:
    """What the bot answered, and the post newer than `before` in which people may join, if there is one."""
    try:
        answer = await table.do(lambda: table.seats[host].slash(table.games, command, **options))
    except OptionError as error:
        raise NotStarted(f"{error}.") from None
    said = answer.response.content if answer.response else ""
    for room in await table.rooms():
        for message in private.messages_of(table.env, room.id, None):
            if message.id > before and _control(message, "join"):
                return said, message
    return said, None


async def _press(table: LocalTable, seat: str, lobby: Message, verb: str) -> None:
    """That seat presses the button that does `verb`."""
    data = {"custom_id": _control(lobby, verb), "component_type": private.BUTTON}
    screen = private.payload_of(table.env, lobby)
    press = private.press(table.env, table.seats[seat].id, screen, data)
    await table.do(lambda: private.deliver(table.env, [press]))


def _control(message: Message, verb: str) -> str | None:
    """The custom_id of the control that does `verb`."""
    for part in private.parts_of(message.components):
        press = Press.parse(part.get("custom_id", ""))
        if press is not None and press.verb == verb:
            return str(press)
    return None
