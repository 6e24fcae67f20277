"""Every press of a button, select or form comes through here, is acknowledged and enters the door.

The address on the control says everything (`bot.press`), so that a press works after a restart, on an old post and
in a direct message alike.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import discord

from bot import panels, words
from bot.answers import GONE, UNREACHABLE, Interaction, defer, say, show
from bot.gamecog import GameCog
from bot.hall import privacy
from bot.locales import _, speaking
from bot.menu import Panel
from bot.planner import closed_layout, panel_of, receipt
from bot.press import Press
from bot.rules.base import Refused
from bot.table import Passed, Table

if TYPE_CHECKING:
    from bot.client import Dawdle

log = logging.getLogger(__name__)


async def handle(bot: Dawdle, interaction: Interaction) -> None:
    """Answers one press, whatever it is; nothing escapes but what the log should show."""
    if interaction.type not in (discord.InteractionType.component, discord.InteractionType.modal_submit):
        return
    data: dict[str, Any] = dict(interaction.data or {})
    press = Press.parse(str(data.get("custom_id", "")))
    with speaking(str(interaction.locale)):
        if await admitted(bot, interaction):
            await guarded(bot, interaction, _answer(bot, interaction, press, data), press.table if press else None)


async def admitted(bot: Dawdle, interaction: Interaction) -> bool:
    """Whether the interaction is to be acted upon: Discord has not delivered it before, and its user is not hammering.

    Whoever hammers is answered at once and by the press alone: follow-ups would count against the whole bot.
    """
    if not bot.turnstile.is_first(interaction.id):
        return False
    if not bot.turnstile.admits(interaction.user.id):
        await guarded(bot, interaction, say(interaction, _("Slow down: press again in a few seconds.")))
        return False
    await bot.heard_of(interaction.user.id)
    return True


async def guarded(bot: Dawdle, interaction: Interaction, answer: Any, table_id: int | None = None) -> None:
    """Runs that answer; a refusal is said, a failure is logged and ends in a sentence too."""
    try:
        await answer
    except Refused as refused:
        sentence = _(refused.template, **refused.values)
        if isinstance(refused, Passed) and table_id is not None:
            sentence = f"{sentence} {await _where(bot, table_id)}"
        await say(interaction, sentence)
    except discord.HTTPException as error:
        if error.code in GONE:
            log.info("An answer came too late (%s)", error.code)
            return
        log.warning("An answer failed: Discord said %s (%s)", error.status, error.code)
        await _apologise(interaction)
    except UNREACHABLE as error:
        log.warning("An answer failed: %s", type(error).__name__)
        await _apologise(interaction)
    except Exception:
        log.exception("A press or command failed at table %s", table_id)
        await _apologise(interaction)


async def _apologise(interaction: Interaction) -> None:
    try:
        await say(
            interaction,
            _("That answer got lost on the way. What was stored counts: `/games show` tells where things stand."),
        )
    except (discord.HTTPException, *UNREACHABLE) as error:
        log.warning("Even the apology failed: %s", type(error).__name__)


async def _where(bot: Dawdle, table_id: int) -> str:
    """A link to the newest public post of the table."""
    posts = [post for post in await bot.store.posts(table_id) if post.audience in ("lobby", "public")]
    row = await bot.store.table(table_id)
    if row is None or not posts:
        return ""
    return _("The game goes on here: {link}", link=words.link(row.guild, posts[-1].channel, posts[-1].message))


async def _answer(bot: Dawdle, interaction: Interaction, press: Press | None, data: dict[str, Any]) -> None:
    if press is None:
        raise Refused("That control is from an older version; `/games show` brings the board.")
    if press.verb == "forget":
        await privacy.forget(bot, interaction)
        return
    table = await bot.table_for(interaction, press.table)
    cog = bot.game_cog(table.game)
    user = interaction.user.id
    if press.seat is not None and table.seat_of(user) != press.seat:
        raise Refused("That planner is somebody else's.")
    match press.verb:
        case "join":
            await cog.join_table(interaction, table.id)
        case "leave":
            await defer(interaction)
            await bot.tables.leave(table.id, user, press.turn)
        case "start":
            await defer(interaction)
            await bot.tables.start(table.id, user)
        case "robot":
            await defer(interaction)
            await bot.tables.add_robot(table.id, user)
        case "pick":
            await defer(interaction)
            await bot.tables.pick(table.id, user, interaction.user.display_name, press.argument)
        case "abandon":
            await defer(interaction)
            manages = isinstance(interaction.user, discord.Member) and interaction.permissions.manage_guild
            await bot.tables.abandon(table.id, user, manages and interaction.guild_id == table.guild)
            await say(interaction, _("{table} is ended.", table=words.table_name(table)))
        case "concede":
            await defer(interaction)
            table.running()
            await bot.tables.leave(table.id, user)
            await say(interaction, _("You have left {table}.", table=words.table_name(table)))
        case "take":
            await cog.take_seat(interaction, table, int(press.argument))
        case "rematch":
            await cog.rematch(interaction, table)
        case "rules":
            await cog.show_rules(interaction)
        case "show":
            await cog.show_board(interaction, table)
        case "mine":
            table.seat_of(user)
            await defer(interaction, private=True)
            await cog.show_planner(interaction, await bot.tables.resume(table.id, user))
        case "form":
            await _open_form(interaction, cog, table, press)
        case "play" | "draft" | "undo" | "filled":
            await _plan(bot, interaction, cog, table, press, data)
        case _:
            raise Refused("That control is from an older version; `/games show` brings the board.")


async def _open_form(interaction: Interaction, cog: GameCog, table: Table, press: Press) -> None:
    seat = table.seat_of(interaction.user.id)
    table.running()
    if table.turn != press.turn:
        raise Passed
    remark = (await cog.bot.store.remarks(table.id)).get((table.turn, seat), "")
    spec = cog.form(press.argument, table.view(seat), remark)
    modal = panels.form(spec, press.argument, table.id, table.turn, seat)
    await interaction.response.send_modal(modal)
    modal.stop()


async def _plan(
    bot: Dawdle, interaction: Interaction, cog: GameCog, table: Table, press: Press, data: dict[str, Any]
) -> None:
    """A press on a planner, or on a control of the game's own under the public post."""
    user = interaction.user.id
    await defer(interaction)
    before = None if press.seat is None else (await panel_of(bot, table, press.seat))[0]
    argument = str(data["values"][0]) if data.get("values") else press.argument
    stored = True
    match press.verb:
        case "draft":
            stored = await _pick(bot, cog, table, press, user, argument)
        case "undo":
            await bot.tables.undo(table.id, user, press.turn)
        case "filled":
            await _play_form(bot, cog, table, press, user, panels.filled(data.get("components", [])))
        case _:
            await bot.tables.play(table.id, user, [argument], press.turn)
    if press.seat is not None and before is not None:
        await _redraw(bot, interaction, cog, press, press.seat, before, stored)


async def _pick(bot: Dawdle, cog: GameCog, table: Table, press: Press, user: int, picked: str) -> bool:
    """Keeps what was picked as the draft, or makes the move that it completes; whether that was a move."""
    seat = table.seat_of(user)
    async with bot.publisher.planner(table.id, seat):
        table = await bot.tables.load(table.id)
        move = cog.completed(await bot.store.draft(table.id, seat, press.turn), picked, table.running().view(seat))
        if move is None:
            await bot.tables.keep_draft(table.id, user, press.turn, picked)
        else:
            await bot.tables.play(table.id, user, [move], press.turn)
    return move is not None


async def _redraw(
    bot: Dawdle, interaction: Interaction, cog: GameCog, press: Press, seat: int, before: Panel, stored: bool
) -> None:
    """Shows the planner anew where it was pressed; in direct messages the next question has a message of its own."""
    async with bot.publisher.planner(press.table, seat):
        table = await bot.tables.load(press.table)
        message = interaction.message.id if interaction.message else None
        post = next((post for post in await bot.store.posts(table.id) if post.message == message), None)
        if post is not None and table.turn != press.turn:
            await show(interaction, closed_layout(table, receipt(bot)), [], replace=True)
            await bot.store.retire_post(post.id)
            return
        picture = before.picture if table.turn == press.turn else None
        shown = await cog.show_planner(interaction, table, stored=stored, replace=True, picture=picture)
        if post is not None and shown is not None:
            await bot.store.update_post(post.id, version=table.version, told=0, digest=shown)


async def _play_form(bot: Dawdle, cog: GameCog, table: Table, press: Press, user: int, values: list[list[str]]) -> None:
    view = table.view(table.seat_of(user))
    remark = cog.remark_of_form(press.argument, values, view)
    if remark is not None:
        await bot.tables.keep_remark(table.id, user, press.turn, remark)
    else:
        await bot.tables.play(table.id, user, cog.moves_of_form(press.argument, values, view), press.turn)
