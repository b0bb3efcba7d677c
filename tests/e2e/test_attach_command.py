"""``coi attach``: the app's attaching from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.conftest import Run
from tests.support.pdfs import pdf_of

TOPIC = "chain of thought reasoning in large language models"


@pytest.fixture
def made(offline: Run) -> Run:
    assert offline("run", TOPIC, "--name", "s", "--until", "chains", "--yes").code == 0
    return offline


def title_at(run: Run, address: str) -> str:
    return str(
        next(
            r for r in json.loads(run("show", "s", "--json").out)["rows"] if r["address"] == address
        )["title"]
    )


def pdf(folder: Path, title: str, name: str = "my copy.pdf", text: str = "") -> str:
    file = folder / name
    file.write_bytes(pdf_of(title, text))
    return str(file)


def test_a_pdf_of_another_title_is_refused_until_anyway(made: Run, tmp_path: Path) -> None:
    other = pdf(tmp_path, "Quite another matter")
    ran = made("attach", "s", "1/0", other)
    assert (ran.code, ran.out) == (2, "")
    assert "my copy.pdf was not attached to 1/0: its first page does not show the title" in ran.err
    assert "--anyway" in ran.err
    ran = made("attach", "s", "1/0.card", other, "--anyway")
    assert ran.code == 0, ran.err
    assert "Done: attach my copy.pdf to 1/0." in ran.out
    assert "does not show this title" in ran.err
    ran = made("attach", "s", "1/0", other, "--anyway")
    assert ran.code == 2
    assert "already attached to 1/0" in ran.err
    ran = made("attach", "s", "1/0", pdf(tmp_path, "Another still", "newer.pdf"), "--anyway")
    assert ran.code == 0
