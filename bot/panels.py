"""Plain panels (`bot.menu`) as Discord's messages: planners, forms and the rows under a public post."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import discord
from discord import ui

from bot.menu import Button, Choice, Form, Panel, Row, Select, Verb
from bot.press import Press

PICTURE = "board.png"
"""The file name of every picture: the same for all, so that it tells nothing."""

MOST_CONTENT = 2_000
MOST_ALT_TEXT = 1_024
MOST_PANEL_TEXT = 3_500

_STYLES = {
    "plain": discord.ButtonStyle.secondary,
    "chosen": discord.ButtonStyle.primary,
    "good": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


def clip(text: str, most: int) -> str:
    """The text, cut with `..` where it is longer than that many characters."""
    return text if len(text) <= most else text[: most - 2].rstrip() + ".."


def button(spec: Button, table: int, turn: int, seat: int | None) -> ui.Button[Any]:
    """One button that carries its address."""
    return ui.Button(
        label=clip(spec.label, 80) or None,
        emoji=spec.emoji,
        style=_STYLES[spec.style],
        disabled=not spec.enabled,
        custom_id=str(Press(table, turn, seat, spec.verb, spec.argument)),
    )


def _options(choices: Sequence[Choice]) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=clip(choice.label, 100),
            value=choice.argument,
            description=clip(choice.note, 100) or None,
            emoji=choice.emoji,
            default=choice.chosen,
        )
        for choice in choices
    ]


def select(spec: Select, index: int, table: int, turn: int, seat: int | None) -> ui.Select[Any]:
    """One select; `index` tells it from others in the same message."""
    return ui.Select(
        placeholder=clip(spec.placeholder, 150),
        custom_id=str(Press(table, turn, seat, spec.verb, f"select {index}")),
        options=_options(spec.choices),
    )


def _items(rows: Sequence[Row], table: int, turn: int, seat: int | None) -> Iterator[list[ui.Item[Any]]]:
    for index, row in enumerate(rows):
        if isinstance(row, Select):
            yield [select(row, index, table, turn, seat)]
        else:
            yield [button(spec, table, turn, seat) for spec in row]


def classic_view(rows: Sequence[Row], more: Sequence[Button], table: int, turn: int) -> ui.View:
    """The controls under a public post: the game's own rows, then those that every game has."""
    view = ui.View(timeout=None)
    last = [button(spec, table, turn, None) for spec in more]
    for number, items in enumerate([*_items(rows, table, turn, None), last]):
        for item in items:
            item.row = number
            view.add_item(item)
    view.stop()
    return view


def planner(panel: Panel, table: int, turn: int, seat: int, alt_text: str | None) -> ui.LayoutView:
    """The planner; `alt_text` describes the picture that is sent with it, None when there is none."""
    view = ui.LayoutView(timeout=None)
    box: ui.Container[Any] = ui.Container(accent_colour=0xFFD64A)
    box.add_item(ui.TextDisplay(clip(panel.text, MOST_PANEL_TEXT)))
    if alt_text is not None:
        gallery: ui.MediaGallery[Any] = ui.MediaGallery()
        gallery.add_item(media=f"attachment://{PICTURE}", description=clip(alt_text, MOST_ALT_TEXT) or None)
        box.add_item(gallery)
    for items in _items(panel.rows, table, turn, seat):
        row: ui.ActionRow[Any] = ui.ActionRow()
        for item in items:
            row.add_item(item)
        box.add_item(row)
    view.add_item(box)
    view.stop()
    return view


def form(spec: Form, name: str, table: int, turn: int, seat: int) -> ui.Modal:
    """The form; its fields come back in the order of the specification."""
    modal = ui.Modal(title=clip(spec.title, 45), custom_id=str(Press(table, turn, seat, "filled", name)), timeout=None)
    for number, field in enumerate(spec.fields):
        part: ui.Item[Any]
        if field.choices:
            part = ui.Select(
                custom_id=f"field {number}",
                min_values=field.picks if field.required else 0,
                max_values=field.picks,
                required=field.required,
                options=_options(field.choices),
            )
        else:
            part = ui.TextInput(
                custom_id=f"field {number}",
                default=field.value or None,
                max_length=field.longest,
                required=field.required,
                style=discord.TextStyle.paragraph if field.longest > 100 else discord.TextStyle.short,
            )
        modal.add_item(ui.Label(text=clip(field.label, 45), component=part))
    return modal


def filled(components: Sequence[dict[str, Any]]) -> list[list[str]]:
    """What was filled in, field by field: a text as a list of one, picks as they are."""
    found: list[list[str]] = []
    for component in components:
        if "component" in component:
            found += filled([component["component"]])
        elif "components" in component:
            found += filled(component["components"])
        elif "values" in component:
            found.append(list(component["values"]))
        elif "value" in component:
            found.append([component["value"] or ""])
    return found


def digest(*parts: object) -> str:
    """A short fingerprint of what a message shows."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def confirmation(label: str, verb: Verb, table: int, turn: int) -> ui.View:
    """One red button that does what cannot be undone."""
    return classic_view((), [Button(label, verb, style="danger")], table, turn)
