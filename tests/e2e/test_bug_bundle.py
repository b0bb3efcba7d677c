"""``coi bug-bundle`` as a person types it."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tests.e2e.conftest import Run


def test_what_is_inside_is_shown_before_it_is_written(offline: Run, tmp_path: Path) -> None:
    assert (
        offline(
            "run",
            "chain of thought reasoning, secretive",
            "--name",
            "hushed",
            "--offline",
            "--yes",
            "--until",
            "anchors",
        ).code
        == 0
    )
    out = tmp_path / "report.zip"
    refused = offline("bug-bundle", str(out), stdin="n\n")
    assert refused.code == 3
    assert not out.exists()
    for name in ("about.json", "settings.json", "log.txt"):
        assert name in refused.out
    shown = offline("bug-bundle", str(out), "--show")
    assert '"keys_set"' in shown.out
    assert not out.exists()
    done = offline("bug-bundle", str(out), "--yes")
    assert done.code == 0, done.err
    with zipfile.ZipFile(out) as held:
        text = "".join(held.read(n).decode() for n in held.namelist())
    assert "coi_tui" in text
    for secret in ("secretive", "hushed", str(tmp_path)):
        assert secret not in text + shown.out
    assert offline("bug-bundle", str(out), "--yes").code == 2
    assert offline("bug-bundle", str(out), "--yes", "--overwrite").code == 0
