"""``python -m coi_tui`` and the console command ``coi``."""

from __future__ import annotations

import gc
import os
import sys


def prepare() -> None:
    """What has to be so before anything large is imported."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # none is used, and looking for them reads every installed package
    gc.set_threshold(200_000, 20, 50)  # imports make many objects and no garbage


def main() -> None:
    """Run the command line; the exit code says how it went (0 done, 1 failed, 2 usage, 3 consent or budget, 130 interrupted)."""
    prepare()
    from coi_tui.cli import run

    code = run(sys.argv[1:])
    gc.freeze()  # a last collection over every module would cost a fifth of a second
    sys.exit(code)


if __name__ == "__main__":
    main()
