"""Settings of the tests of screens."""

from __future__ import annotations

from benchmarks.pilots import look_often

look_often()
