"""How Pebbles looks, reads and is told."""

from __future__ import annotations

from io import BytesIO

from PIL import Image, ImageDraw

from bot.locales import _, plural
from bot.rules.pebbles import PebblesView, Took  # pyright: ignore[reportMissingImports] - found at run time
from renderers.people import People


def draw(view: PebblesView, people: People, moves: tuple[str, ...] = (), draft: str = "") -> bytes:
    image = Image.new("RGB", (1280, 960), "wheat")
    pen = ImageDraw.Draw(image)
    for number in range(view.heap):
        x, y = 240 + number % 3 * 400, 200 + number // 3 * 280
        pen.ellipse((x - 90, y - 60, x + 90, y + 60), fill="slategray")
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def describe(view: PebblesView, people: People) -> str:
    return plural("{n} pebble is left.", "{n} pebbles are left.", view.heap)


def tell(event: Took, people: People) -> str:
    return _("**{who}** takes {count}.", who=people[event.seat], count=event.count)


def ask(view: PebblesView, people: People) -> str:
    if view.outcome is not None:
        return _("**{who}** takes the last pebble and wins.", who=people[view.outcome.winners[0]])
    return _("{who}, how many pebbles do you take?", who=people[view.waiting[0]])
