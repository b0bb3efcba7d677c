"""``python -m benchmarks.startup``: how long ``coi --help`` and the import of the app take, beside a Python that does nothing."""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

from benchmarks.coi_process import command, table

WATCHED = ("textual", "openai", "httpx", "jinja2", "numpy", "pypdfium2", "sqlite_utils")


def milliseconds(arguments: list[str], times: int) -> list[float]:
    """Wall times of a process, the first left out (it fills the caches)."""
    found = []
    for _ in range(times + 1):
        started = time.perf_counter()
        subprocess.run(arguments, capture_output=True, check=True)
        found.append((time.perf_counter() - started) * 1000)
    return found[1:]


def loaded(code: str) -> str:
    """Which of the heavy packages are in ``sys.modules`` after some code."""
    probe = f"import sys\n{code}\nprint(*[n for n in {WATCHED!r} if n in sys.modules])"
    return (
        subprocess.run(
            [sys.executable, "-c", probe], capture_output=True, text=True, check=True
        ).stdout.strip()
        or "none"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup", description=__doc__)
    parser.add_argument("--times", type=int, default=15)
    args = parser.parse_args()
    cases = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "coi --help": command("--help"),
        "import coi_tui.app": [sys.executable, "-c", "import coi_tui.app"],
        "import textual.app": [sys.executable, "-c", "import textual.app"],
        "import openai": [sys.executable, "-c", "import openai"],
    }
    base, rows = 0.0, []
    for name, arguments in cases.items():
        times = milliseconds(arguments, args.times)
        middle = statistics.median(times)
        base = base or middle
        rows.append(
            (
                name,
                f"{min(times):.0f}",
                f"{middle:.0f}",
                f"{max(times):.0f}",
                f"{middle / base:.1f}",
            )
        )
    print(table(rows, ("", "least ms", "median ms", "most ms", "times python -c pass")))
    print("loaded by the command line:", loaded("import coi_tui.cli"))
    print("loaded by the app:", loaded("import coi_tui.app"))


if __name__ == "__main__":
    main()
