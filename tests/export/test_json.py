"""The JSON of a session: its schema, and what it keeps to itself."""

import json

import pytest

from coi_tui.present.formats.json import as_json

from .building import COT, PAPERS, TREE, full


def test_the_schema_is_first_and_keys_are_sorted() -> None:
    b = full()
    text = as_json(b.subject())
    data = json.loads(text)
    assert list(data)[:2] == ["schema", "number"]
    assert list(data)[2:] == sorted(list(data)[2:])
    assert (data["schema"], data["number"], data["winner"]) == ("coi-tui/proposal", 1, 1)
    assert text == as_json(b.subject())
    chain = [place["paper"] for place in data["branches"]["1"]["chain"]]
    assert chain == ["arXiv:2112.00114", COT.id, TREE.id]
    assert set(data["papers"]) == set(PAPERS)
    cells = data["cells"]
    assert cells["1/-1..0"]["by_person"] is True
    assert cells["2/nov"]["content"]["verdict"] == "INCONCLUSIVE"


def test_it_holds_no_notes_no_hunch_and_no_requests() -> None:
    b = full()
    b.decide("note", "1/idea", text="PRIVATE NOTE", reason="PRIVATE NOTE")
    text = as_json(b.subject())
    assert "PRIVATE" not in text
    assert "SECRET" not in text
    b.decide("settings", "session", send_hunch=True)
    assert "PRIVATE HUNCH" in as_json(b.subject())
    assert "PRIVATE NOTE" not in as_json(b.subject())


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("a\x1b[31mred\x1b[0m b", "ared b"),
        ("a\u202eb\ufeff", "ab"),
        ("a \\b \\u0007 “ü”", "a \\b \\u0007 “ü”"),
        ("a\ud800", "a\ufffd"),
    ],
)
def test_it_holds_no_control_characters(reason: str, said: str) -> None:
    b = full()
    b.decide("reject", "1/+1", reason=reason)
    assert json.loads(as_json(b.subject()))["decisions"][-1]["reason"] == said
