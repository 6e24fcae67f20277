"""The Discord client: opens the store, loads every cog found, routes presses, keeps the clock, and stops cleanly."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import pkgutil
from typing import Any, cast

import discord
from discord import app_commands
from discord.ext import commands, tasks

import cogs
from bot import router
from bot.answers import Interaction
from bot.clock import LONGEST_SLEEP, Clock
from bot.config import HEARTBEAT, Config
from bot.courier import Courier
from bot.gamecog import GameCog
from bot.locales import speaking
from bot.membership import UNKNOWN_MEMBER, Membership
from bot.noticeboard import Noticeboard
from bot.notices import Notices
from bot.outbox import Outbox
from bot.publish import Publisher
from bot.rules.base import Refused
from bot.settings import settings_of
from bot.steward import Steward
from bot.store import Store
from bot.table import Table
from bot.tables import Tables
from bot.turnstile import Turnstile

log = logging.getLogger(__name__)

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    create_private_threads=True,
    manage_threads=True,
    attach_files=True,
    embed_links=True,
    read_message_history=True,
    use_external_emojis=True,
    pin_messages=True,
)
"""What the invite asks for; only seeing, sending and attaching are needed."""

DRAIN = 15
"""Seconds that what is under way may take at the end; whatever is not shown by then is shown at the next start."""


class CommandTree(app_commands.CommandTree["Dawdle"]):
    """Commands speak the user's language, and every refusal or failure ends in a sentence."""

    async def _call(self, interaction: Interaction) -> None:
        with speaking(str(interaction.locale)):
            await super()._call(interaction)

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        if interaction.type is discord.InteractionType.autocomplete:
            return True
        return await router.admitted(self.client, interaction)

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        async def raised() -> None:
            raise _cause(error)

        with speaking(str(interaction.locale)):
            await router.guarded(self.client, interaction, raised())


def _cause(error: app_commands.AppCommandError) -> Exception:
    """What really went wrong, as something that can be said."""
    if isinstance(error, app_commands.CommandInvokeError):
        return error.original
    if isinstance(error, app_commands.NoPrivateMessage):
        return Refused("That works in a server only.")
    if isinstance(error, (app_commands.MissingPermissions, app_commands.CheckFailure)):
        return Refused("You may not do that here.")
    if isinstance(error, app_commands.TransformerError) and isinstance(error.__cause__, Refused):
        return error.__cause__
    if isinstance(error, app_commands.TransformerError):
        return Refused("{value} is not one of the choices.", value=error.value)
    return error


class Dawdle(commands.AutoShardedBot):
    """The bot.  Everything it knows is in `store`; everything that changes a table goes through `tables`."""

    store: Store
    tables: Tables
    courier: Courier
    membership: Membership
    notices: Notices
    publisher: Publisher
    noticeboard: Noticeboard
    steward: Steward
    clock: Clock
    turnstile: Turnstile

    def __init__(self, config: Config) -> None:
        super().__init__(
            command_prefix=(),
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            tree_cls=CommandTree,
            max_ratelimit_timeout=60,
        )
        self.config = config
        self._stopping = False
        self._connected = False

    @staticmethod
    def now() -> int:
        """The time, in whole seconds since 1970, UTC; the only clock there is."""
        return int(discord.utils.utcnow().timestamp())

    async def setup_hook(self) -> None:
        self.store = await Store.open(self.config.database)
        self.tables = Tables(self.store, self.now)
        loop = asyncio.get_running_loop()
        outbox = Outbox(loop.time)
        self.courier = Courier(self, outbox)
        self.membership = Membership(self.tables, self.has_left)
        self.notices = Notices(self.tables, self.courier, self.language_of)
        self.publisher = Publisher(self, outbox)
        self.noticeboard = Noticeboard(self, outbox)
        self.steward = Steward(self.tables)
        self.clock = Clock(
            self.tables, self.publisher.refresh, self.membership.look_after, (self.notices, self.noticeboard)
        )
        self.turnstile = Turnstile(loop.time)
        self.tables.listeners.append(self._changed)
        await self.load_extension("bot.hall")
        for module in pkgutil.iter_modules(cogs.__path__):
            await self.load_extension(f"cogs.{module.name}")
        await self.noticeboard.load()
        await self._sync()
        self._clock_loop.start()

    async def close(self) -> None:
        """Lets what is under way finish, then disconnects and lets go of the database."""
        if self._stopping:
            return
        self._stopping = True
        self._clock_loop.cancel()
        self._heartbeat_loop.cancel()
        if hasattr(self, "store"):
            drained = asyncio.gather(self.steward.settled(), self.publisher.settled())
            done, _ = await asyncio.wait({drained}, timeout=DRAIN)
            if not done:
                log.warning("Stopped before everything was shown; the next start shows it")
        await super().close()
        if hasattr(self, "store"):
            await self.store.close()

    def game_cog(self, game: str) -> GameCog:
        """The cog of that game."""
        for cog in self.game_cogs():
            if cog.game.name == game:
                return cog
        raise Refused("This game is not installed any more.")

    def game_cogs(self) -> list[GameCog]:
        """The cogs of all games, in the order of their names."""
        found = [cast(GameCog, cog) for cog in self.cogs.values() if isinstance(cog, GameCog)]
        return sorted(found, key=lambda cog: cog.game.name)

    async def table_for(self, interaction: Interaction, number: int) -> Table:
        """The table with that number; Refused to those who have no seat and do not see where it is played."""
        table = await self.tables.load(number)
        if table.seated(interaction.user.id):
            return table
        if table.guild != interaction.guild_id:
            raise Refused("That table is in another server.")
        channel = interaction.guild.get_channel(table.channel) if interaction.guild else None
        member = interaction.user
        if channel and isinstance(member, discord.Member) and not channel.permissions_for(member).view_channel:
            raise Refused("That table is in a channel that is closed to you.")
        return table

    async def language_of(self, table: Table) -> str:
        """The language of a table's public posts."""
        return await self.language_in(table.guild)

    async def language_in(self, server: int) -> str:
        """The language of public posts: what the server has settled, or the server's own."""
        if (language := (await settings_of(self.store, server)).language) is not None:
            return language
        guild = self.get_guild(server)
        return str(guild.preferred_locale) if guild else "en"

    async def heard_of(self, user: int) -> None:
        """The user has acted, so direct messages are worth another try."""
        channel, refused = await self.store.dm(user)
        if refused:
            await self.store.set_dm(user, channel, False)

    async def has_left(self, server: int, user: int) -> bool:
        """Whether Discord says that the user is in that server no more."""
        guild = self.get_guild(server)
        if guild is None:
            return False
        try:
            await guild.fetch_member(user)
        except discord.NotFound as error:
            return error.code in UNKNOWN_MEMBER
        except discord.HTTPException as error:
            log.info("Whether a player is still there is not known (%s)", error.code)
        return False

    async def on_interaction(self, interaction: Interaction) -> None:
        await router.handle(self, interaction)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Thrown out: what is played there waits until we are let in again."""
        await self.store.park_server(guild.id, self.now())

    async def on_guild_join(self, guild: discord.Guild) -> None:
        for table_id in await self.store.parked_in(guild.id):
            await self.publisher.bring_back(table_id)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        log.exception("The event %s failed", event_method)

    async def _changed(self, table: Table) -> None:
        if self._stopping:
            return
        self.publisher.refresh(table.id)
        self.noticeboard.changed(table)
        await self.rewind()

    def shown(self, table: Table) -> None:
        """The table is shown as it is stored, so that a robot may answer."""
        if not self._stopping:
            self.steward.wake(table)

    async def show_later(self, table_id: int) -> None:
        """That table could not be shown just now."""
        self.clock.missed(table_id)
        if not self._stopping:
            await self.rewind()

    # The clock

    async def rewind(self) -> None:
        """Lets the clock sleep until the next thing that is due now."""
        self._clock_loop.change_interval(seconds=await self.clock.rest())

    @tasks.loop(seconds=LONGEST_SLEEP)
    async def _clock_loop(self) -> None:
        try:
            self._clock_loop.change_interval(seconds=await self.clock.tick())
        except Exception:
            log.exception("The clock failed")

    @_clock_loop.before_loop
    async def _before_clock(self) -> None:
        await self.wait_until_ready()
        await self.clock.beat(self.config.heartbeat)
        self._heartbeat_loop.change_interval(seconds=self.config.heartbeat)
        self._heartbeat_loop.start()
        for table_id in await self.store.running():
            try:
                self.steward.wake(await self.tables.load(table_id))
            except Refused as refused:
                log.error("Table %s stands still: %s", table_id, refused)

    @tasks.loop(seconds=HEARTBEAT)
    async def _heartbeat_loop(self) -> None:
        try:
            if self._connected:
                await self.clock.beat(self.config.heartbeat)
        except Exception:
            log.exception("The heartbeat failed")

    async def on_connect(self) -> None:
        self._connected = True

    async def on_resumed(self) -> None:
        self._connected = True

    async def on_disconnect(self) -> None:
        self._connected = False

    # Commands

    async def _sync(self) -> None:
        """Sends the commands to Discord when they differ from those that were sent last."""
        ordered = sorted(self.tree.get_commands(), key=lambda command: command.name)
        payload = [command.to_dict(self.tree) for command in ordered]
        fingerprint = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        if fingerprint != await self.store.note("commands") or self.config.sync:
            await self.tree.sync()
            await self.store.set_note("commands", fingerprint)


def make_bot(config: Config) -> Dawdle:
    """The bot, not started yet."""
    return Dawdle(config)


def invite_link(client_id: int) -> str:
    """The address with which a server lets the bot in."""
    return discord.utils.oauth_url(client_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))
