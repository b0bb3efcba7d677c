"""The bench against one call, with stand-ins: equal lengths, both orders, and nothing is asked
twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.against_one_call import cut, main, wilson
from coi_tui.arena import CRITERIA
from tests.support.standins import QUICK, Settings, StandInProcess, make_corpus

BOUNDS = {
    "branches": 1,
    "length": 1,
    "forward": 0,
    "backward": 0,
    "minimum": 1,
    "novelty_queries": 1,
    "novelty_hits": 2,
    "refine_rounds": 0,
}


@pytest.mark.long
def test_a_method_is_held_against_one_call_and_a_second_start_asks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    topics, out = tmp_path / "topics.txt", tmp_path / "out"
    topics.write_text(f"{make_corpus().topics[0]}\n", encoding="utf-8")
    arguments = [
        str(topics),
        str(out),
        "--words",
        "60",
        *(part for bound in BOUNDS.items() for part in ("--bound", "{}={}".format(*bound))),
    ]
    with StandInProcess(Settings(latency=QUICK), tmp_path / "server.jsonl") as pair:
        urls = {
            "OPENAI_BASE_URL": pair.chat_url,
            "COI_SEMANTIC_SCHOLAR_URL": pair.s2_url,
            "JUDGE_BASE_URL": pair.chat_url,
        }
        for name, value in urls.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("JUDGE_MODEL", "judge")
        assert main(arguments) == 0
        first, asked = capsys.readouterr().out, len(pair.entries())
        assert "won against One call" in first
        assert main(arguments) == 0
        assert capsys.readouterr().out == first
        assert main([*arguments, "--people"]) == 0
        assert len(pair.entries()) == asked
    text = (out / "pairs" / "01.md").read_text("utf-8")
    a, b = (len(part.split()) for part in text.partition("## A\n")[2].split("## B\n"))
    assert 0.7 < a / b < 1.4
    assert "One call" not in text
    (out / "votes.csv").write_text(
        f"pair,{','.join(CRITERIA)},why\n01,A,A,A,tie,B,clearer\n", encoding="utf-8"
    )
    assert main([*arguments, "--people"]) == 0
    assert "clearer" in capsys.readouterr().out


def test_a_text_is_cut_at_the_end_of_a_sentence() -> None:
    assert cut("One two three. Four five. Six.", 5) == "One two three. Four five."
    assert cut("One two three. Four five. Six.", 4) == "One two three."
    assert cut("One two three", 2) == "One two"
    assert [round(x, 2) for x in wilson(5, 10)] == [0.24, 0.76]
    assert wilson(0, 0) == (0.0, 1.0)
