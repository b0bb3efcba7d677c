"""``python -m benchmarks.probe OUT [--session NAME | --demo]``: the app with a probe of its event loop beside it.

The probe asks the loop for a turn every few milliseconds; what a turn comes late is what something held the loop. A watcher thread
notes where the main thread stood when the loop had not turned for ``LONG`` seconds. Both go to OUT as JSON at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import threading
import time
import traceback
from pathlib import Path

from benchmarks.standins.pair import ROOT
from coi_tui.app import CoiApp
from coi_tui.config import load_settings
from coi_tui.paths import paths

EVERY = 0.002
LONG = 0.03


class Probe:
    """Lags of a loop in seconds, and where the long ones were."""

    def __init__(self) -> None:
        self.lags: list[float] = []
        self.places: list[str] = []
        self.turned = time.perf_counter()
        self._main = threading.main_thread().ident
        self._over = False

    async def run(self) -> None:
        threading.Thread(target=self._watch, daemon=True).start()
        while True:
            before = time.perf_counter()
            await asyncio.sleep(EVERY)
            self.turned = time.perf_counter()
            self.lags.append(self.turned - before - EVERY)

    def _watch(self) -> None:
        noted = 0.0
        while not self._over:
            time.sleep(0.005)
            turned = self.turned
            if time.perf_counter() - turned > LONG and turned != noted and self._main is not None:
                noted = turned
                frame = sys._current_frames().get(self._main)
                if frame is not None:
                    self.places.append("".join(traceback.format_stack(frame)[-10:]))

    def write(self, out: Path) -> None:
        self._over = True
        out.write_text(json.dumps({"lags": self.lags, "places": self.places}))


class ProbedApp(CoiApp):
    """The app; the probe starts once the first screen stands."""

    CSS_PATH = ROOT / "coi_tui" / "screens" / "coi.tcss"
    probe: Probe

    def on_ready(self) -> None:
        self.run_worker(self.probe.run(), name="probe", group="probe")


def main() -> None:
    import gc

    gc.set_threshold(50_000, 20, 50)  # as the command line does
    parser = argparse.ArgumentParser(prog="python -m benchmarks.probe", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--session")
    parser.add_argument("--demo", action="store_true")
    args = parser.parse_args()
    places = paths()
    app = ProbedApp(places, load_settings(places.config_file), session=args.session, demo=args.demo)
    app.probe = Probe()
    try:
        app.run()
    finally:
        app.close_all()
        app.probe.write(args.out)


if __name__ == "__main__":
    main()
