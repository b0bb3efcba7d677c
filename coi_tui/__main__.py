"""``python -m coi_tui`` and the console command ``coi``."""

from __future__ import annotations

import sys

from coi_tui.cli import run


def main() -> None:
    """Run the command line; the exit code says how it went (0 done, 1 failed, 2 usage, 3 consent or budget, 130 interrupted)."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
