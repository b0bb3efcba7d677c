"""The researcher's decisions through the command line: what they change is said, and asked for
where it is more than the row."""

import json
from pathlib import Path

from coi_tui.session.lookup import HERE, NOT_SHOWN
from tests.support.desk import chains, copy_of
from tests.support.pdfs import pdf_of

from .conftest import Run

MINE = "What I think:\r\n\tréification – not a trend.  \n\nSecond paragraph.\n"


def marks(run: Run, file: str) -> dict[str, str]:
    shown = json.loads(run("show", file, "--json").out)
    return {
        row["address"]: f"{row['verdict']}, {row['state']}, {row['origin']}"
        for row in shown["rows"]
    }


def test_an_edited_trend_makes_its_readers_stale_and_a_refresh_runs_only_those(
    offline: Run, online: Run, tmp_path: Path
) -> None:
    file = str(copy_of(tmp_path, "one", "ideas").closed())
    before = marks(offline, file)
    assert offline("edit", file, "1/-1..0", "--file", "-", stdin=MINE).code == 0
    stale = {a for a, words in marks(offline, file).items() if ", stale" in words}
    assert {"1/dir", "1/idea"} <= stale
    mine = json.loads(offline("show", file, "1/-1..0", "--json").out)["content"]["text"]
    assert mine == MINE.replace("\r\n", "\n"), "line ends are those of every text, nothing else"
    assert offline("undo", file).code == 0
    assert marks(offline, file) == before
    assert offline("redo", file).code == 0
    refreshed = json.loads(online("refresh", file, "--yes", "--json").out)
    assert refreshed["state"] == "done"
    assert stale <= set(refreshed["made"])
    assert not [a for a in refreshed["made"] if ".card" in a or ".cands" in a]
    assert not [a for a, words in marks(offline, file).items() if ", stale" in words]


def test_an_idea_is_not_merged_with_itself(offline: Run, tmp_path: Path) -> None:
    file = str(copy_of(tmp_path, "one").closed())
    ran = offline(
        "edit", file, "1/idea", "--file", "-", "--merged-with", "1/idea", stdin="## final\nOf one."
    )
    assert (ran.code, "1/idea" in ran.err) == (2, True)


def test_a_decision_that_changes_other_rows_says_which_and_asks(
    offline: Run, tmp_path: Path
) -> None:
    """Rejecting an anchor emptied its branch without a word."""
    desk = copy_of(tmp_path, "small")
    anchor, file = str(chains(desk.session).slot("1/0").paper), str(desk.closed())
    refused = offline("decide", file, "1/0", "reject")
    assert refused.code == 3
    assert refused.err.startswith("Empties 1/0; detaches 1/-1 and 1/+1 (X lists them); sets aside ")
    assert "nothing to undo" in offline("undo", file).err, "nothing was changed"
    done = offline("decide", file, "1/0", "reject", "--yes")
    assert (done.code, done.err) == (0, refused.err.splitlines(keepends=True)[0])
    back = offline("decide", file, "1/0", "use", anchor, "--yes")
    assert back.err.startswith("Fills 1/0; brings back 1/-1, 1/+1")
    assert offline("decide", file, "1/+1", "accept").code == 0, (
        "nothing else changes, so nothing is asked"
    )


def test_all_texts_of_a_branch_are_accepted_by_one_command_that_says_how_many_of_what(
    offline: Run, tmp_path: Path
) -> None:
    file = str(copy_of(tmp_path, "one", "ideas").closed())
    before = marks(offline, file)
    whole = offline("decide", file, "session", "accept-all", "texts")
    assert "Accepts" in whole.err + whole.out
    asked = offline("decide", file, "1", "accept-all", "texts")
    assert asked.code == 3, "nobody could be asked"
    assert asked.err.startswith("Accepts ")
    assert offline("decide", file, "1", "accept-all", "texts", "--yes").code == 0
    now = marks(offline, file)
    left = [a for a, words in now.items() if words.startswith("undecided") and a[:2] == "1/"]
    assert [a for a in left if "." in a or not a[2:].lstrip("+-").isdigit()] == []
    assert offline("undo", file).code == 0
    assert marks(offline, file) == before


def test_a_pin_says_who_gets_the_id_before_it_is_looked_up(
    offline: Run, online: Run, tmp_path: Path
) -> None:
    file = str(copy_of(tmp_path, "small").closed())
    away = offline("decide", file, "1/0", "pin", "2201.11903", "--yes")
    assert (away.code, away.err.splitlines()[0].endswith(HERE)) == (0, True), away.err
    ran = online("decide", file, "2/0", "pin", "2401.99999")
    assert ran.code == 2
    assert ran.err.index("is sent to Semantic Scholar") < ran.err.index("No paper was found")
    assert "arXiv gets" not in ran.err, "a source on this machine: nobody else is asked"


def test_a_pdf_of_another_title_is_refused_until_anyway(offline: Run, tmp_path: Path) -> None:
    file, pdf = str(copy_of(tmp_path, "small").closed()), tmp_path / "my copy.pdf"
    pdf.write_bytes(pdf_of("Quite another matter"))
    refused = offline("attach", file, "1/0", str(pdf))
    assert (refused.code, refused.out) == (2, "")
    assert "--anyway" in refused.err
    done = offline("attach", file, "1/0.card", str(pdf), "--anyway", "--yes")
    assert (done.code, NOT_SHOWN in done.out) == (0, True), done.err
    said = done.out.splitlines()[1]
    assert said.startswith("Makes stale 1/0.card, "), "what it changes is said before it is done"
    assert said in done.err
    again = offline("attach", file, "1/0", str(pdf), "--anyway", "--yes")
    assert (again.code, "already attached to 1/0" in again.err) == (2, True)
