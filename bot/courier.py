"""Delivers words to people: in a channel, with a mention, or by direct message."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import discord

from bot.notices import TryLater
from bot.outbox import Outbox, Urgency

if TYPE_CHECKING:
    from bot.client import Dawdle

log = logging.getLogger(__name__)

UNKNOWN_CHANNEL, NO_MUTUAL_SERVER = 10003, 50278


class Courier:
    """What it sends is paced by the outbox; a refusal is noted and never raised."""

    def __init__(self, bot: Dawdle, outbox: Outbox) -> None:
        self._bot = bot
        self._outbox = outbox

    async def open_dm(self, user: int) -> int | None:
        """The user's channel of direct messages; None when Discord refuses it."""
        channel, _refused = await self._bot.store.dm(user)
        if channel is not None:
            return channel
        try:
            await self._outbox.turn(Urgency.DIRECT)
            channel = (await self._bot.create_dm(discord.Object(user))).id
        except discord.HTTPException as error:
            if may_pass(error):
                raise
            await self.refused(user, error)
            return None
        await self._bot.store.set_dm(user, channel, False)
        return channel

    async def refused(self, user: int | None, error: discord.HTTPException) -> None:
        """Notes that direct messages do not reach the user, and forgets a channel that is gone."""
        log.info("A direct message was not delivered (%s)", error.code)
        if user is None:
            return
        channel, _refused = await self._bot.store.dm(user)
        await self._bot.store.set_dm(user, None if error.code == UNKNOWN_CHANNEL else channel, True)
        if error.code == NO_MUTUAL_SERVER:
            await self._bot.membership.look_for(user)

    async def write(self, user: int, text: str) -> tuple[int, int] | None:
        """One direct message: its channel and its id; None when it is refused."""
        try:
            channel = await self.open_dm(user)
            if channel is None:
                return None
            await self._outbox.turn(Urgency.DIRECT)
            sent = await self._bot.get_partial_messageable(channel).send(text, allowed_mentions=only(()))
        except (discord.RateLimited, OSError, TimeoutError):
            raise TryLater from None
        except discord.HTTPException as error:
            if may_pass(error):
                raise TryLater from None
            await self.refused(user, error)
            return None
        return channel, sent.id

    async def tell(self, user: int, text: str) -> bool:
        """One direct message, tried once; whether it arrived."""
        try:
            return await self.write(user, text) is not None
        except TryLater:
            return False

    async def post(self, channel: int, text: str, users: Sequence[int]) -> int | None:
        """One message in a channel that notifies these users: its id; None when it is refused."""
        try:
            await self._outbox.turn(Urgency.REMINDER)
            sent = await self._bot.get_partial_messageable(channel).send(text, allowed_mentions=only(users))
        except (discord.RateLimited, OSError, TimeoutError):
            raise TryLater from None
        except discord.HTTPException as error:
            if may_pass(error):
                raise TryLater from None
            log.info("A reminder was not posted (%s)", error.code)
            return None
        return sent.id

    async def announce(self, channel: int, text: str, users: Sequence[int]) -> None:
        """The same, tried once: nothing depends on it."""
        try:
            await self.post(channel, text, users)
        except TryLater:
            log.info("An announcement was not posted")

    async def remove(self, channel: int, message: int) -> None:
        """Deletes a message of ours, if it is still there and may be deleted."""
        try:
            await self._outbox.turn(Urgency.UPKEEP)
            await self._bot.get_partial_messageable(channel).get_partial_message(message).delete()
        except (discord.HTTPException, discord.RateLimited, OSError) as error:
            log.info("A reminder stays (%s)", type(error).__name__)


def may_pass(error: discord.HTTPException) -> bool:
    """Whether trying again later may help, because the failure is Discord's or the request came too soon."""
    return error.status == 429 or error.status >= 500


def only(users: Any) -> discord.AllowedMentions:
    """Nobody is notified but these users."""
    listed = [discord.Object(user) for user in users if user is not None]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=listed or False)
