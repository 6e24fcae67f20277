"""Animal Crossing on Discord: `/animals`, its planner and its rules in short."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

from discord import app_commands

from bot.answers import Interaction
from bot.gamecog import AS_USUAL, FIND, GameCog, Period, TableNumber
from bot.locales import _, plural
from bot.menu import Button, Panel, Row
from bot.rules.animal_crossing import ISLAND, RAFTS, WEIGHTS, AnimalCrossing, AnimalCrossingView
from renderers import animal_crossing as renderer
from renderers.people import People

if TYPE_CHECKING:
    from bot.client import Dawdle

EMOJI = {"mouse": "🐭", "cat": "🐱", "dog": "🐶", "elephant": "🐘", ISLAND: "🏝️", "raft": "🛶"}


class AnimalCrossingCog(
    GameCog, group_name="animals", group_description="Animal Crossing: cross the water with a secret animal"
):
    """The commands of Animal Crossing."""

    game = AnimalCrossing
    renderer = renderer

    def panel(self, view: AnimalCrossingView, moves: tuple[str, ...], draft: str, people: People) -> Panel:
        asked = {
            "animal": _("**Which animal are you in round {round}?** Only you see this.", round=view.round + 1),
            "place": _("**Where do you stand?** All see it; you may move until all are ready or the time is up."),
            "both": _("**Which animal are you, and where do you stand?** Both are secret until the time is up."),
        }[view.question or "place"]
        lines = [asked, _loads(view)]
        rows: list[Row] = []
        if view.question != "place":
            rows.append(tuple(_animal(view, animal) for animal in WEIGHTS))
        elif view.animal is not None:
            lines.append(_("You are the {animal}.", animal=animal_name(view.animal)))
        if view.question != "animal":
            rows.append(_places(view, own=view.seat))
        if "ready" in moves:
            rows.append((Button(_("Ready"), "play", "ready", "good"),))
        elif "unready" in moves:
            lines.append(_("You are **ready**."))
            rows.append((Button(_("Not ready after all"), "play", "unready"),))
        if view.question == "animal" and view.animal is not None:
            lines.append(_("You may change it until everybody has chosen."))
        return Panel("\n".join(lines), tuple(rows))

    def public_rows(self, view: AnimalCrossingView) -> tuple[Row, ...]:
        if view.question != "place":
            return ()
        ready = (Button(_("Ready"), "play", "ready", "good"), Button(_("Not ready"), "play", "unready"))
        return (_places(view, own=None), ready)

    def honours(self, earned: Mapping[str, int]) -> list[str]:
        said = {
            "token": plural("{n} token", "{n} tokens", earned.get("token", 0)),
            "half": plural("{n} half token", "{n} half tokens", earned.get("half", 0)),
            "strike": plural("{n} strike", "{n} strikes", earned.get("strike", 0)),
        }
        return [words for prize, words in said.items() if earned.get(prize)]

    def rules_text(self) -> str:
        return "\n".join(
            [
                _("## Animal Crossing in short"),
                _("Five rounds. You are animals on an island, and rafts leave for home. Most points win."),
                _("**1. Choose an animal in secret.** 🐭 mouse 1 · 🐱 cat 2 · 🐶 dog 3 · 🐘 elephant 5."),
                _("**2. Stand on a raft or stay on the island.** Everybody may move until all are ready."),
                _("**3. The rafts leave.** First some are scared off and sink, all at once:"),
                _("• a cat scares off every mouse · a mouse scares off every elephant"),
                _("• more dogs than cats scare off every cat · nothing scares a dog"),
                _("Then the weights of those left are added: **more than the load, and all of them sink**."),
                _("**Points.** Who crosses scores the own weight; a mouse the number of mice on its raft."),
                _("On the island nobody sinks: one point for each player who sank, but none for a dog."),
                _("Points and animals stay hidden until the end, unless the table plays with public scores."),
                _("**Prizes.** A token for most points, a strike for least, half a token for more than 10 points."),
                _(
                    "Whoever has no place when the time is up is on the island. Without your animal the game waits; "
                    "the post says until when, and who then chooses for you."
                ),
            ]
        )

    def rules_picture(self) -> Callable[[], bytes]:
        return renderer.rules_picture

    @app_commands.command(description="Open a table of Animal Crossing in this channel")
    @app_commands.describe(
        players="How many seats the table has; you may start from 3",
        boarding="open: everybody sees where you stand; secret: nobody does",
        scores="hidden: points and animals stay secret until the end",
        time="The time for each question; the server says the usual",
        thread="Play in a thread of its own",
    )
    @app_commands.guild_only()
    async def new(
        self,
        interaction: Interaction,
        players: app_commands.Range[int, 3, 9] = 6,
        boarding: Literal["open", "secret"] = "open",
        scores: Literal["hidden", "public"] = "hidden",
        time: Period = AS_USUAL,
        thread: bool | None = None,
    ) -> None:
        options = {"boarding": boarding, "scores": scores}
        await self.open_table(interaction, most=players, least=3, options=options, period=time, thread=thread)

    @app_commands.command(description="Choose your animal, in secret")
    @app_commands.describe(animal="mouse 1, cat 2, dog 3, elephant 5")
    async def choose(
        self,
        interaction: Interaction,
        animal: Literal["mouse", "cat", "dog", "elephant"],
        table: TableNumber = FIND,
    ) -> None:
        await self.move(interaction, table, f"choose {animal}")

    @app_commands.command(description="Stand on a raft")
    @app_commands.describe(raft="C is there from seven players on")
    async def board(self, interaction: Interaction, raft: Literal["A", "B", "C"], table: TableNumber = FIND) -> None:
        await self.move(interaction, table, f"board {raft}")

    @app_commands.command(description="Stay on the island, or go back there")
    async def stay(self, interaction: Interaction, table: TableNumber = FIND) -> None:
        await self.move(interaction, table, "stay")

    @app_commands.command(description="You are content; when all are, the rafts leave")
    @app_commands.describe(ready="no takes it back")
    async def ready(self, interaction: Interaction, ready: bool = True, table: TableNumber = FIND) -> None:
        await self.move(interaction, table, "ready" if ready else "unready")


def animal_name(animal: str) -> str:
    """The animal in the reader's language."""
    return {"mouse": _("mouse"), "cat": _("cat"), "dog": _("dog"), "elephant": _("elephant")}[animal]


def _loads(view: AnimalCrossingView) -> str:
    rafts = " · ".join(
        _("raft {raft} carries {load}", raft=raft, load=load) for raft, load in zip(RAFTS, view.loads, strict=False)
    )
    return _("Round {round} of 5: {rafts}.", round=view.round + 1, rafts=rafts)


def _animal(view: AnimalCrossingView, animal: str) -> Button:
    style = "chosen" if view.animal == animal else "plain"
    return Button(f"{animal_name(animal)} {WEIGHTS[animal]}", "play", f"choose {animal}", style, EMOJI[animal])


def _places(view: AnimalCrossingView, own: int | None) -> tuple[Button, ...]:
    """A button a raft and one for the island; the seat's own place is marked."""
    here = None if own is None else view.places[own]
    rafts = [
        Button(
            _("Raft {raft} · {load}", raft=raft, load=load),
            "play",
            f"board {raft}",
            "chosen" if here == raft else "plain",
            EMOJI["raft"],
        )
        for raft, load in zip(RAFTS, view.loads, strict=False)
    ]
    island = Button(_("Island"), "play", "stay", "chosen" if here == ISLAND else "plain", EMOJI[ISLAND])
    return (*rafts, island)


async def setup(bot: Dawdle) -> None:
    await bot.add_cog(AnimalCrossingCog(bot))
