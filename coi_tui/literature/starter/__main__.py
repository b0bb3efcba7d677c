"""``python -m coi_tui.literature.starter``: what the starter library holds, a line a lineage."""

from __future__ import annotations

import sys

from coi_tui.literature.starter.loader import lineage_stats, stats_table
from coi_tui.model.errors import CoiError


def main() -> int:
    """Print the counts; 1 with one sentence when a file is broken."""
    try:
        sys.stdout.write(stats_table(lineage_stats()))
    except CoiError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
