"""Makes the pictures and fonts beside this file out of their public sources; `make art` runs it.

Needs once: `npm` on the path, the Debian packages fonts-noto-core, fonts-wqy-microhei and fonts-unifont, and
the development extras of this project (resvg-py, fonttools).  The results are committed, so that nobody else
needs them.

    pictures.txt    (input) one picture a line: its code point and its name in Noto
    pictures.webp   all of them at 160 px, lossless, and pictures.json: name or code point -> cell
    portraits.webp  the few that are ever shown larger, at 400 px, and portraits.json
    emoji.webp      every emoji without a skin tone at 40 px, for names, and emoji.json: code points -> cell
    fonts/*.woff2   the subsets, and coverage.json: font -> the ranges of code points it can draw
"""

from __future__ import annotations

import json
import math
import subprocess
import tarfile
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import resvg_py
from fontTools import subset
from fontTools.ttLib import TTFont
from PIL import Image

HERE = Path(__file__).parent
DOWNLOADS = HERE.parents[1] / "build" / "art"
DEBIAN = Path("/usr/share/fonts")

NOTO = "@iconify-json/noto@1.2.9"
ROUNDED = "@expo-google-fonts/m-plus-rounded-1c@0.4.4"

PORTRAITS = ("mouse", "cat", "dog", "elephant")
SKIN_TONES = ("1f3fb", "1f3fc", "1f3fd", "1f3fe", "1f3ff")

LATIN_CYRILLIC_GREEK = (
    "U+0020-007E,U+00A0-024F,U+0259,U+02B0-02FF,U+0300-036F,U+0370-03FF,U+0400-052F,U+1E00-1EFF,U+2000-206F,"
    "U+2070-209F,U+20A0-20BF,U+2100-214F,U+2190-21FF,U+2200-22FF,U+25A0-25FF,U+2600-26FF,U+2713-2718,U+FFFD"
)
EVERYTHING = "*"


def unpacked(package: str, folder: Path) -> Path:
    """The folder with the files of that npm package, fetched on first use."""
    if not folder.exists():
        folder.mkdir(parents=True)
        subprocess.run(["npm", "pack", "--silent", package], cwd=folder, check=True)
        with tarfile.open(next(folder.glob("*.tgz"))) as archive:
            archive.extractall(folder, filter="data")
    return folder / "package"


class Noto:
    """The Noto emoji, drawn from their outlines at any size."""

    def __init__(self, package: Path) -> None:
        self.icons: dict[str, Any] = json.loads((package / "icons.json").read_text())
        self.names: dict[str, str] = json.loads((package / "chars.json").read_text())

    def drawn(self, name: str, size: int) -> Image.Image:
        """That emoji in a square of `size` pixels; drawn at this size, since shrinking leaves noise."""
        icons, aliases = self.icons["icons"], self.icons["aliases"]
        icon = icons.get(name) or icons[aliases[name]["parent"]]
        width = icon.get("width", self.icons["width"])
        height = icon.get("height", self.icons["height"])
        svg = (
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
            f' width="{size}" height="{size}" viewBox="0 0 {width} {height}">{icon["body"]}</svg>'
        )
        png = resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size)
        return Image.open(BytesIO(bytes(png))).convert("RGBA")


def sheet(file: str, pictures: list[Image.Image], cells: Mapping[str, int], columns: int, **how: Any) -> None:
    """Writes the pictures as one grid, and beside it the index that tells which cell is which."""
    size = pictures[0].width
    grid = Image.new("RGBA", (columns * size, math.ceil(len(pictures) / columns) * size))
    for cell, picture in enumerate(pictures):
        grid.paste(picture, (cell % columns * size, cell // columns * size))
    grid.save(HERE / f"{file}.webp", method=6, **how)
    index = {"size": size, "columns": columns, "cells": cells}
    (HERE / f"{file}.json").write_text(json.dumps(index, separators=(",", ":")) + "\n")


def make_pictures(noto: Noto) -> None:
    listed = [line.split() for line in (HERE / "pictures.txt").read_text().splitlines()]
    for code, name in listed:
        assert noto.names[code] == name, f"{code} is {noto.names[code]}, not {name}"
    cells = {key: cell for cell, line in enumerate(listed) for key in line}
    drawings = [noto.drawn(name, 160) for _, name in listed]
    sheet("pictures", drawings, cells, 20, lossless=True, quality=100)

    portraits = {name: cell for cell, name in enumerate(PORTRAITS)}
    sheet("portraits", [noto.drawn(name, 400) for name in PORTRAITS], portraits, 4, lossless=True, quality=100)

    plain = [code for code in noto.names if not any(tone in code for tone in SKIN_TONES)]
    emoji = {code.replace("-fe0f", ""): cell for cell, code in enumerate(plain)}
    sheet("emoji", [noto.drawn(noto.names[code], 40) for code in plain], emoji, 48, quality=80, alpha_quality=90)


def cut(source: Path, name: str, characters: str = EVERYTHING, face: int = 0) -> None:
    """Writes that part of a font as WOFF2, with its shaping rules but without its glyph names."""
    subset.main(
        [
            str(source),
            f"--unicodes={characters}",
            f"--output-file={HERE / 'fonts' / name}.woff2",
            f"--font-number={face}",
            "--flavor=woff2",
            "--layout-features=*",
            "--name-IDs=*",
            "--notdef-outline",
            "--no-glyph-names",
        ]
    )


def ranges(numbers: Iterable[int]) -> list[list[int]]:
    """The numbers as first and last of every unbroken run."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return runs


def make_fonts(rounded: Path) -> None:
    (HERE / "fonts").mkdir(exist_ok=True)
    for weight in ("700Bold", "800ExtraBold"):
        source = rounded / weight / f"MPLUSRounded1c_{weight}.ttf"
        cut(source, f"rounded-{weight[3:].lower()}", LATIN_CYRILLIC_GREEK)
    for script in ("Arabic", "Hebrew", "Thai", "Devanagari"):
        cut(DEBIAN / f"truetype/noto/NotoSans{script}-Bold.ttf", script.lower())
    cut(DEBIAN / "truetype/wqy/wqy-microhei.ttc", "wenquanyi")
    cut(DEBIAN / "opentype/unifont/unifont.otf", "unifont")

    coverage = {
        file.stem: ranges(TTFont(file).getBestCmap() or ()) for file in sorted((HERE / "fonts").glob("*.woff2"))
    }
    (HERE / "fonts" / "coverage.json").write_text(json.dumps(coverage, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    make_pictures(Noto(unpacked(NOTO, DOWNLOADS / "noto")))
    make_fonts(unpacked(ROUNDED, DOWNLOADS / "rounded"))
