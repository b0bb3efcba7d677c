"""Word through pandoc, and Markdown with keys that pandoc makes the references of."""

import dataclasses
import io
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from coi_tui.literature.title_match import compact_title
from coi_tui.model.errors import UsageError
from coi_tui.present import formats
from coi_tui.present.formats.bib import bibtex
from coi_tui.present.formats.md import markdown
from coi_tui.present.snapshot import ProposalOptions, SessionSnapshot

from .building import full, hostile

docx = pytest.importorskip("docx")
pypandoc = pytest.importorskip("pypandoc")
KEYS = ProposalOptions(appendix=True, citations="pandoc")


def word(subject: SessionSnapshot) -> Any:
    made = formats.load("docx").write(subject, None)
    assert isinstance(made, bytes)
    return docx.Document(io.BytesIO(made))


def test_a_word_file_has_the_headings_and_references_of_the_proposal() -> None:
    subject = full().subject()
    document = word(subject)
    headings = [
        p.text for p in document.paragraphs if p.style.name.startswith(("Heading", "Title"))
    ]
    text = markdown(subject, None)
    wanted = [line.lstrip("# ") for line in text.splitlines() if line.startswith("## ")]
    assert [h for h in headings if h in wanted] == wanted
    assert "References" in headings
    listed = text.partition("## References")[2].splitlines()
    assert sum("DOI" in line or "arXiv" in line for line in listed) >= 1
    body = "\n".join(p.text for p in document.paragraphs)
    for paper in subject.state.papers.values():
        assert (paper.title in body) == (paper.title in text.replace("\\", ""))


def test_nothing_hostile_is_more_than_text() -> None:
    document = word(hostile("![x](/etc/passwd) <b>bold</b> =cmd() \x07 [l](http://evil.example)"))
    parts = {part.partname for part in document.part.package.iter_parts()}
    assert not [name for name in parts if "media" in name]
    links = [rel.target_ref for rel in document.part.rels.values() if rel.is_external]
    assert not [link for link in links if "evil" in link]


def test_without_pandoc_one_sentence_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypandoc", None)
    with pytest.raises(UsageError, match="not installed") as refused:
        formats.load("docx").write(full().subject(), None)
    assert "coi-tui[pandoc]" in refused.value.hint


def test_pandoc_makes_the_references_of_keys_without_a_warning(tmp_path: Path) -> None:
    subject = full().subject()
    keys = {paper: f"mine{n}:own-key" for n, paper in enumerate(subject.state.papers)}
    subject = dataclasses.replace(subject, own_keys=keys)
    text, entries = markdown(subject, KEYS), bibtex(subject, KEYS)
    cited = set(re.findall(r"@(mine\d:own-key)", text))
    assert cited == set(re.findall(r"^@\w+\{(.*),$", entries, re.M)), "the .bib holds just these"
    assert len(cited) > 1
    (tmp_path / "p.md").write_text(text, encoding="utf-8")
    (tmp_path / "p.bib").write_text(entries, encoding="utf-8")
    args = [
        "--citeproc",
        "--bibliography",
        str(tmp_path / "p.bib"),
        "--fail-if-warnings",
        "--wrap=none",
    ]
    made = pypandoc.convert_file(str(tmp_path / "p.md"), "plain", extra_args=args)
    assert "???" not in made
    titles = [p.title for p in subject.state.papers.values() if keys[p.id] in cited]
    assert all(compact_title(title) in compact_title(made) for title in titles)
