"""The two forms of citations, and the researcher's notes."""

from __future__ import annotations

import json
import re

from markdown_it import MarkdownIt

from coi_tui.present.bibtex import bibtex
from coi_tui.present.markdown import proposal
from coi_tui.present.options import ProposalOptions

from .building import PAPERS, Builder, chain_of_three, full, idea, whole

PANDOC = ProposalOptions("pandoc", appendix=True)
KEYS = {
    "besta2023graph",
    "lightman2023lets",
    "nye2021show",
    "wei2022chain",
    "yao2023tree",
    "zhou2022least",
}


def heads(text: str, level: int) -> list[str]:
    return re.findall(rf"^{'#' * level} (.+)$", text, re.MULTILINE)


# -- plain


def test_a_mark_leads_to_its_entry_in_the_list() -> None:
    b, more = full()
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(whole(b.subject(**more)))
    marks = set(re.findall(r'<a href="#ref-(\d+)">\[\1\]</a>', html))
    entries = re.findall(r'<li>\n?<span id="ref-(\d+)"></span>', html)
    assert [int(n) for n in entries] == list(range(1, len(PAPERS) + 1))
    assert marks == set(entries)


# -- pandoc


def test_citations_for_pandoc_have_the_keys_of_the_bibtex_file() -> None:
    b, kept = full()
    snapshot = b.subject(**kept)
    text = proposal(snapshot, PANDOC)
    in_text = set(re.findall(r"(?<![\w&])@([a-z0-9]+)", text.split("\n---\n", 1)[1]))
    assert in_text == KEYS == set(re.findall(r"^@\w+\{(.+),$", bibtex(snapshot), re.MULTILINE))
    assert (
        "[Let's Verify Step by Step](https://arxiv.org/abs/2305.20050) [@lightman2023lets]" in text
    )
    assert "Link: @yao2023tree cites @wei2022chain (starter library" in text
    assert "# References\n\n::: {#refs}\n:::\n" in text
    assert "#ref-" not in text


def test_the_head_of_the_file_has_title_date_and_every_paper() -> None:
    b = Builder()
    chain_of_three(b)
    b.text(
        "1/idea",
        idea(
            'Gates: a "study" of [@all] -- #1', problem="“Least-to-Most Prompting” splits a task."
        ),
    )
    text = proposal(b.subject(), PANDOC)
    opening, head, body = text.split("---\n", 2)
    found = {
        name: json.loads(value)
        for name, value in re.findall(r"^(title|date|nocite): (.+)$", head, re.MULTILINE)
    }
    assert opening == ""
    assert found["title"] == 'Gates: a "study" of \\[&#64;all\\] -- #1'
    assert found["date"] == "2026-11-20"
    assert set(found["nocite"].split(", ")) == {
        f"@{key}" for key in KEYS - {"besta2023graph", "lightman2023lets"}
    }
    assert heads(body, 1)[:3] == ["In short", "The idea", "Where it applies"]
    assert "All" not in heads(body, 1)


def test_no_text_of_the_session_becomes_a_citation() -> None:
    b = Builder()
    chain_of_three(b)
    b.text(
        "1/idea",
        idea(
            mechanism="Ask @wei2022chain and [@nobody2020], mail a@b.org, read @{key}.\n(a) One.\niv. Two. x^2^"
        ),
    )
    text = proposal(b.subject(), PANDOC)
    method = text.split("### Mechanism")[1].split("\n### ")[0]
    assert "@" not in method
    assert "(a\\) One." in method
    assert "iv\\. Two. x\\^2\\^" in method


def test_notes_are_written_only_where_they_are_asked_for() -> None:
    b, kept = full()
    b.decide("note", "1/idea", text="MY NOTE: ask *her*")
    snapshot = b.subject(**kept)
    assert "MY NOTE" not in proposal(snapshot)
    text = proposal(snapshot, ProposalOptions(appendix=True, notes=True))
    assert (
        "The researcher's notes\n\n#### On the idea of branch 1 (1/idea)\n\nMY NOTE: ask \\*her\\*"
        in text
    )
