"""How people play without thinking: they press anything on their planners."""

from __future__ import annotations

from random import Random

from tests import sim
from tests.sim import Person, Post, Room, World

GREEN = 3
"""The style of the button that settles a draft."""


def asked(world: World, room: Room) -> Person:
    """Whom the newest post asks."""
    text = room.last.text
    return next(person for person in world.people if person.mention in text)


async def planned(person: Person, room: Room) -> Post:
    """The person's planner."""
    return (await person.press(room.last, "My move")).post


async def picked(person: Person, planner: Post, rng: Random) -> None:
    """One press on a planner: mostly what settles the draft, if there is such a button, else anything."""
    buttons = [button for button in planner.buttons if button.enabled]
    settling = [button for button in buttons if button.style == GREEN]
    control = settling[0] if settling and rng.random() < 0.8 else rng.choice([*planner.selects, *buttons])
    if isinstance(control, sim.Select):
        answer = await person.choose(planner, rng.choice(list(control.options)), select=control.custom_id)
    else:
        answer = await person.press(planner, control.custom_id)
    assert all(post.id == planner.id for post in answer.posts), f"refused: {answer.text}"


async def pressed_to_the_end(world: World, room: Room, rng: Random) -> None:
    """Everybody presses anything on their planners until the game is over."""
    while "My move" in room.last.labels:
        person = asked(world, room)
        planner = await planned(person, room)
        while planner.buttons or planner.selects:
            await picked(person, planner, rng)
            planner = planner.now() or planner
