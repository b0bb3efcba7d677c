"""BibTeX and JSON, and the titles that texts name."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.literature.title_match import normalise_title
from coi_tui.present.bibliography import TitleIndex, address_of
from coi_tui.present.bibtex import bibtex, escape_tex
from coi_tui.present.json_export import as_json
from coi_tui.present.titles import named_in

from .building import COT, PAPERS, TREE, Builder, anchor_why, full, paper


def test_bibtex_keys_are_unique_and_ascii() -> None:
    many = [paper(f"2201.{n:05d}", "The Chain", 2022, "Zoë Müller-Łęcki") for n in range(30)]
    many.append(paper("2201.99999", "链", None))
    b = Builder({p.id: p for p in many})
    for n, one in enumerate(many, start=1):
        b.place(f"{n}/0", one.id, **anchor_why())
        b.papers[one.id] = one.model_copy(update={"title": f"{one.title} {n}"})
    keys = re.findall(r"^@\w+\{(.+),$", bibtex(b.subject()), re.MULTILINE)
    assert len(keys) == len(set(keys)) == 31
    assert all(re.fullmatch(r"[a-z0-9]+", k) for k in keys)
    assert "mullerecki2022chain" in keys
    assert "anonndpaper" in " ".join(keys) or "anonnd31" in keys


@given(st.text(alphabet=st.sampled_from(list("ab %&_#${}~^\\`-")), max_size=30))
def test_tex_is_escaped_and_balanced(text: str) -> None:
    said = escape_tex(text)
    bare = re.sub(
        r"-\{\}(?=-)|\\(textbackslash|textasciitilde|textasciicircum|`)\{\}|\\[%&_#${}]", "", said
    )
    assert not set(bare) & set("%&_#${}~^\\`")
    assert "--" not in said


def test_addresses_come_from_identifiers_only() -> None:
    assert address_of(COT) == "https://arxiv.org/abs/2201.11903"
    assert address_of(
        paper("", "T", 2020, ids={"DOI": "10.1000/a(b)<c>"}, url="javascript:alert(1)").model_copy(
            update={"id": "title:t"}
        )
    ) == ("https://doi.org/10.1000/a%28b%29%3Cc%3E")
    assert (
        address_of(
            paper("", "T", 2020, ids={"DOI": "10.1000/../../x"}).model_copy(
                update={"id": "title:t"}
            )
        )
        == ""
    )
    assert (
        address_of(
            paper("", "T", 2020, ids={}, url="https://e.org").model_copy(update={"id": "title:t"})
        )
        == ""
    )


def test_json_has_its_schema_first_and_sorted_keys() -> None:
    b, more = full()
    text = as_json(b.subject(**more))
    data = json.loads(text)
    assert list(data)[:2] == ["schema", "number"]
    assert list(data)[2:] == sorted(list(data)[2:])
    assert data["schema"] == "coi-tui/proposal"
    assert data["number"] == 1
    assert data["winner"] == 1
    assert text == as_json(b.subject(**more))
    assert [p["paper"] for p in data["branches"]["1"]["chain"]] == [
        "arXiv:2112.00114",
        COT.id,
        TREE.id,
    ]
    assert set(data["papers"]) == set(PAPERS)
    assert data["branches"]["1"]["trends"]["1/-1..0"]["by_person"] is True
    assert data["versions"]["1/exp"]["kept"] == 2
    assert data["branches"]["2"]["novelty"]["content"]["verdict"] == "INCONCLUSIVE"
    assert [p["outcome"] for p in data["branches"]["1"]["review"][0]["points"]] == [
        "answered",
        "NOT ADDRESSED",
        "dismissed",
    ]


def test_json_holds_no_notes_no_hunch_and_no_requests() -> None:
    b, more = full()
    b.decide("note", "1/idea", text="PRIVATE NOTE", reason="PRIVATE NOTE")
    text = as_json(b.subject(**more))
    assert "PRIVATE" not in text
    assert "SECRET" not in text
    b.decide("settings", "session", send_hunch=True)
    assert "PRIVATE HUNCH" in as_json(b.subject(**more))
    assert "PRIVATE NOTE" not in as_json(b.subject(**more))


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("a\x1b[31mred\x1b[0m b", "ared b"),
        ("a\u202eb\ufeff", "ab"),
        ("a \\b \\u0007 “ü”", "a \\b \\u0007 “ü”"),
        ("a\ud800", "a\ufffd"),
    ],
)
def test_json_holds_no_control_characters(reason: str, said: str) -> None:
    b, more = full()
    b.decide("reject", "1/+1", reason=reason)
    assert json.loads(as_json(b.subject(**more)))["decisions"][-1]["reason"] == said


def test_titles_are_matched_by_likeness_and_numbers() -> None:
    index = TitleIndex({p.id: p for p in (COT, TREE, paper("1", "Language Models: GPT-3", 2020))})
    assert index.find("Chain of thought prompting elicits reasoning!") == COT.id
    assert index.find("Chain-of-Thoughts Prompting Elicit Reasoning") == COT.id
    assert index.find("Language Models: GPT-4") is None
    assert index.find("Forest of Thoughts") is None
    assert index.find("") is None
    assert index.find("Chain-of-Thought Prompting Elicits ...") == COT.id
    assert index.find("Chain-of ...") is None
    quiet = frozenset({normalise_title("Reasoning of large models")})
    assert named_in("On “Reasoning of large models” and “Tree of Thoughts”.", index, quiet) == [
        "Tree of Thoughts"
    ]
