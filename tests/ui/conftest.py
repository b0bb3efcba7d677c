"""Settings of the tests of screens."""

from __future__ import annotations

import textual._wait

# A pilot waits after each key until the process has been idle for a moment, and looks every fiftieth of a second. Looking more often takes
# nearly half off the time of these tests and changes nothing that they see.
textual._wait.SLEEP_GRANULARITY = 1 / 200
textual._wait.SLEEP_IDLE = 1 / 1500
