"""``python -m benchmarks.probe OUT [--session NAME]``: the app with a probe of its event loop beside it.

The probe asks the loop for a turn every few milliseconds; what a turn comes late is what something held the loop. A watcher thread
samples where the main thread stands when the loop has not turned for ``LONG`` seconds. Both go to OUT as JSON at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import threading
import time
import traceback
from collections import Counter
from pathlib import Path

from coi_tui.app import CoiApp
from coi_tui.paths import paths
from coi_tui.process import share_the_interpreter
from coi_tui.session.settings import load_settings
from tests.support.standins.servers import ROOT

EVERY = 0.002
LONG = 0.03


class Probe:
    """Lags of a loop in seconds while a job runs, and where the long ones were."""

    def __init__(self, app: CoiApp) -> None:
        self._app = app
        self.lags: list[float] = []
        self.places: Counter[str] = Counter()
        self.turned = time.perf_counter()
        self._main = threading.main_thread().ident
        self._over = False

    async def run(self) -> None:
        threading.Thread(target=self._watch, daemon=True).start()
        while True:
            before = time.perf_counter()
            await asyncio.sleep(EVERY)
            self.turned = time.perf_counter()
            if any(
                controller.busy for controller in self._app.sessions.controllers.values()
            ):  # opening and leaving are measured elsewhere
                self.lags.append(self.turned - before - EVERY)

    def _watch(self) -> None:
        """Samples of the main thread while the loop does not turn, counted by where they were taken."""
        while not self._over:
            time.sleep(0.005)
            busy = any(
                controller.busy for controller in list(self._app.sessions.controllers.values())
            )
            if busy and time.perf_counter() - self.turned > LONG and self._main is not None:
                frame = sys._current_frames().get(self._main)
                if frame is not None:
                    whole = traceback.extract_stack(frame)
                    own = [
                        f for f in whole if "coi_tui" in f.filename and "probe" not in f.filename
                    ][-7:] or whole[-6:]
                    self.places[
                        " > ".join(f"{Path(f.filename).stem}.{f.name}:{f.lineno}" for f in own)
                    ] += 1

    def write(self, out: Path) -> None:
        self._over = True
        out.write_text(json.dumps({"lags": self.lags, "places": self.places.most_common(20)}))


class ProbedApp(CoiApp):
    """The app; the probe starts once the first screen stands."""

    CSS_PATH = str(ROOT / "coi_tui" / "screens" / "coi.tcss")
    probe: Probe

    def on_ready(self) -> None:
        self.run_worker(self.probe.run(), name="probe", group="probe")


def main() -> None:
    share_the_interpreter()  # as the command line does
    parser = argparse.ArgumentParser(prog="python -m benchmarks.probe", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--session")
    parser.add_argument("--at", default="")
    args = parser.parse_args()
    places = paths()
    app = ProbedApp(places, load_settings(places.config_file), session=args.session, at=args.at)
    app.probe = Probe(app)
    try:
        app.run()
    finally:
        app.sessions.close_all()
        app.probe.write(args.out)


if __name__ == "__main__":
    main()
