"""``python -m coi_tui`` and the console command ``coi``."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line; the exit code says how it went (0 done, 1 failed, 2 usage, 3 consent or
    budget, 130 interrupted)."""
    # pydantic would look through every installed package for plugins: a tenth of our imports
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:  # the imports take a while, in which a person may press ^c
        from coi_tui.cli import main as run
        from coi_tui.cli.output import prepare_streams
        from coi_tui.process import collect_seldom, freeze_gc

        collect_seldom()
        prepare_streams()
        code = run(sys.argv[1:])
        # at the end of a run Python would go through everything once more: 0.4 s before the shell
        # has its prompt
        freeze_gc()
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted; finished work is saved.\n")
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
