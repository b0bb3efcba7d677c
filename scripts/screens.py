"""``python scripts/screens.py [--out docs/screens] [--only NAME]``: pictures of the journey, made offline from fixed data."""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.states import PICTURED, STATES, State, make_seed, shown  # noqa: E402  the folder above is not installed

JOURNEY = (
    "home_empty", "home", "home_new", "stages", "workbench_undecided", "candidates", "reader", "novelty", "arena_model",
    "review", "ideas", "support", "means_check", "scipip_papers", "nova_plan",
    "plan", "workbench_running", "failed", "edit", "log", "cost", "settings", "export", "help",
)  # fmt: skip
SIZES = ((120, 36), (80, 24))


async def picture(state: State, size: tuple[int, int], seed: Path, out: Path) -> Path:
    """One SVG; the random part of its class names is replaced, so that equal screens are equal files."""
    with tempfile.TemporaryDirectory() as folder:
        async with shown(state, seed, Path(folder), size) as pilot:
            svg = pilot.app.export_screenshot(title=f"coi-tui  {state.name}")
    svg = re.sub(r"terminal-\d+", "terminal-0", svg)
    file = out / f"{state.name}-{size[0]}x{size[1]}.svg"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(svg, encoding="utf-8")
    return file


async def pictures(out: Path, only: str = "") -> list[Path]:
    """All states of the journey at both sizes, or one of them."""
    pictured = [*(s for s in STATES if s.name in JOURNEY), *PICTURED]
    chosen = [s for s in (*STATES, *PICTURED) if s.name == only] if only else pictured
    with tempfile.TemporaryDirectory() as folder:
        seed = await make_seed(Path(folder))
        return [await picture(state, size, seed, out) for state in chosen for size in SIZES]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "screens")
    parser.add_argument("--only", default="", help="the name of one state")
    args = parser.parse_args()
    for file in asyncio.run(pictures(args.out.resolve(), args.only)):
        sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    main()
