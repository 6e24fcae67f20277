"""The shared drawing: pictures, badges and words, and the name of anybody."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from PIL import Image

from renderers import canvas, names
from renderers.theme import CREAM, GOLD, INK, LOOKS

NASTY = [
    "Marguerite",
    "Борис Иванов",
    "Κατερίνα",
    "Nguyễn Thị Hồng",
    "田中さくら",
    "김민준",
    "محمد علي",
    "שלום דוד",
    "สมชาย",
    "प्रिया",
    "🦁 Leo 🐘",
    "👨‍👩‍👧 fam 🇫🇷 👍🏽",
    "𝓕𝓪𝓷𝓬𝔂 𝕹𝖆𝖒𝖊",
    "Ｆｕｌｌｗｉｄｔｈ",
    "Z̷̢̛͓a̶͇͝l̵̰͐g̸̮͠o̴̡͊ ̷̺̈́t̵̩̋e̸͔͐x̵̪̾t̶̬̕",
    "\u202eevil\u202c rtl",
    "ㅤ",
    "\u200b\u200b",
    "꧁༺ 𝕯𝖆𝖗𝖐 ༻꧂",
    "xX_DragonSlayer_9000_Xx_long_n",
    "ʕ•ᴥ•ʔ ☆彡",
    "❤️‍🔥 ★ ♛",
    "አበበ",
    "𓀀𓂀",
    "ᚠᚢᚦ",
    "(╯°□°)╯︵ ┻━┻",
]


def has_ink(image: Image.Image) -> bool:
    return image.getchannel("A").getbbox() is not None


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("width", [60, 150, 400])
def test_any_name_is_drawn_within_its_width(name: str, width: int) -> None:
    drawn = names.name_sprite(name, width)
    assert drawn.width <= width
    assert has_ink(drawn)


@settings(max_examples=150, deadline=None)
@given(some.text(max_size=40), some.integers(40, 300))
def test_no_name_is_too_strange(name: str, width: int) -> None:
    drawn = names.name_sprite(name, width)
    assert 1 <= drawn.width <= width
    assert has_ink(drawn)


def test_ornamental_letters_become_plain() -> None:
    assert names.clean("𝓕𝓪𝓷𝓬𝔂 𝕹𝖆𝖒𝖊") == "Fancy Name"
    assert names.clean("Ｆｕｌｌｗｉｄｔｈ") == "Fullwidth"


def test_accents_stay_and_piles_of_marks_go() -> None:
    assert names.clean("Nguye\u0302\u0303n") == "Nguyễn"
    assert names.clean("Z\u0337a\u0336l\u0335g\u0338o\u0334") == "Zalgo"
    assert names.clean("प्रिया") == "प्रिया"


def test_what_cannot_be_seen_goes() -> None:
    assert names.clean("\u202eevil\u202c  rtl") == "evil rtl"
    for nothing in ("", "ㅤ", "\u200b\u200b", "\u200d\ufe0f", "\u2800"):
        assert names.clean(nothing) == ""


def test_an_emoji_of_several_parts_stays_whole() -> None:
    assert names.clusters("👨‍👩‍👧a👍🏽") == ["👨‍👩‍👧", "a", "👍🏽"]
    family = names.runs("👨‍👩‍👧")
    assert [run.font for run in family] == [names.EMOJI]


def test_a_name_that_is_too_long_ends_in_two_dots() -> None:
    short, long = names.name_sprite("Wi", 200), names.name_sprite("Wi" * 30, 200)
    assert short.width < 60
    assert 150 < long.width <= 200


def test_every_listed_picture_is_there_by_name_and_by_code_point() -> None:
    for line in (canvas.ASSETS / "pictures.txt").read_text().splitlines():
        code, name = line.split()
        by_name, by_code = canvas.sheet("pictures").picture(name, 160), canvas.picture(code, 160)
        assert has_ink(by_name)
        assert by_name.tobytes() == by_code.tobytes()
    canvas.picture.cache_clear()


def test_nine_seats_differ_in_colour_and_in_emblem() -> None:
    assert len(LOOKS) == 9
    assert len({look.colour for look in LOOKS}) == 9
    assert len({look.emblem for look in LOOKS}) == 9
    assert len({canvas.badge(seat, 48).tobytes() for seat in range(9)}) == 9


@pytest.mark.parametrize("file", sorted(canvas.ASSETS.glob("*.pal")), ids=lambda file: file.stem)
def test_a_palette_has_the_colours_of_the_seats_and_of_letters_exactly(file: Path) -> None:
    flat = file.read_bytes()
    assert len(flat) == 768
    colours = {tuple(flat[at : at + 3]) for at in range(0, 768, 3)}
    assert {INK, CREAM, GOLD, *(look.colour for look in LOOKS)} <= colours


def test_words_shrink_until_they_fit_and_wrap_at_spaces() -> None:
    assert canvas.fitting("Hi", 300, (40, 20)) == 40
    assert canvas.fitting("A rather long line of words", 300, (40, 20)) == 20
    lines = canvas.wrapped("one two three four five six", 20, 120)
    assert " ".join(lines) == "one two three four five six"
    assert all(canvas.width_of(line, 20) <= 120 for line in lines)


def test_the_picture_is_a_png_of_the_canvas() -> None:
    frame = Image.new("RGB", (canvas.WIDTH, canvas.HEIGHT), CREAM)
    canvas.stamp(frame, canvas.badge(0, 80), 640, 480)
    canvas.stamp(frame, canvas.panel(300, 200, head=INK), 20, 20)
    png = Image.open(BytesIO(canvas.encode(frame, "no such game")))
    assert (png.format, png.size) == ("PNG", (1280, 960))
    assert png.convert("RGB").getpixel((640, 480)) == pytest.approx(CREAM, abs=8)


def test_threads_draw_the_same_as_one_alone() -> None:
    def draw(_: int) -> bytes:
        frame = Image.new("RGB", (canvas.WIDTH, canvas.HEIGHT), CREAM)
        for seat in range(9):
            canvas.stamp(frame, canvas.badge(seat, 90), 100 + seat * 120, 300)
            names.draw_name(frame, 100 + seat * 120, 400, NASTY[seat], 110, anchor="mm")
        return canvas.encode(frame, "no such game")

    with ThreadPoolExecutor(4) as pool:
        drawn = set(pool.map(draw, range(8)))
    assert drawn == {draw(0)}
