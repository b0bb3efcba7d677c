"""What page one of a PDF bears and only names, without a file: each case once took, or would have taken, the wrong paper."""

from __future__ import annotations

import pytest

from coi_tui.literature.full_text import ExtractedPdf
from coi_tui.literature.known_papers import KnownPapers
from coi_tui.literature.pdf_first_page import (
    apart_of,
    bears_title,
    shows_people,
    titles_of,
    undivided,
)
from coi_tui.literature.pdf_identification import identify_pdf
from coi_tui.literature.types import PdfText
from coi_tui.model.papers import Paper

GATES = Paper(
    id="DOI:10.1234/gate",
    ids={"DOI": "10.1234/gate"},
    title="Gates that weigh evidence",
    year=2021,
    authors=("Ann Bar", "Bo Foo"),
)
SHORT = Paper(
    id="DOI:10.1234/intro",
    ids={"DOI": "10.1234/intro"},
    title="Introduction",
    year=2021,
    authors=("Ann Bar",),
)
WHOLE = Paper(
    id="DOI:10.1/w",
    ids={"DOI": "10.1/w"},
    title="Deep gates: a study of evidence",
    year=2021,
    authors=("Ann Bar",),
)


def page(*lines: str, largest: tuple[str, ...] = (), **metadata: str) -> ExtractedPdf:
    text = "\n".join(lines)
    return ExtractedPdf(
        PdfText(kind="full text", text=text), (text,), metadata, largest or (lines[0],)
    )


@pytest.mark.parametrize(
    "pdf",
    [
        page(
            "Comment on",
            "Gates that weigh evidence",
            "Cy Baz",
            "doi:10.1234/gate",
            largest=("Comment on Gates that weigh evidence",),
        ),
        page(
            "Quite other matters",
            "Ann Bar",
            "It builds on Gates that weigh evidence (doi:10.1234/gate).",
        ),
        page(
            "Quite other matters",
            "Ann Bar",
            "References",
            "[1] Ann Bar, Bo Foo.",
            "Gates that weigh evidence",
            "doi:10.1234/gate",
        ),
        page("Quite other matters", "Ann Bar, Bo Foo", Title="Gates that weigh evidence"),
        page("Gates that weigh evidence", "Cy Baz"),
        page("Gates that weigh evidence II", "Ann Bar, Bo Foo"),
        page("Introduction", "Ann Bar"),
        page(
            "Supplementary material",
            GATES.title,
            "Ann Bar, Bo Foo",
            "doi:10.1234/gate",
            largest=(GATES.title,),
        ),
        page("Erratum: Gates that weigh evidence", "Ann Bar, Bo Foo", "doi:10.1234/gate"),
        page("Quite other matters", "Ann Bar", "doi:10.5555/cited.1"),
    ],
    ids=[
        "comment",
        "cited",
        "references",
        "metadata",
        "other authors",
        "sequel",
        "generic",
        "supplement",
        "erratum",
        "unknown DOI",
    ],
)
def test_a_paper_that_page_one_only_names_is_never_taken(pdf: ExtractedPdf) -> None:
    found = identify_pdf(pdf, KnownPapers([GATES, SHORT]))
    assert found.paper is None, found
    assert found.why
    assert all(offer.score >= 0.8 for offer in found.candidates)


def test_a_subtitle_in_smaller_letters_belongs_to_the_title() -> None:
    shown = page(
        "Deep gates:",
        "a study of evidence",
        "Ann Bar",
        largest=("Deep gates:", "a study of evidence"),
    )
    assert bears_title(shown, WHOLE.title) == "whole"
    assert titles_of(shown)[0] == "Deep gates: a study of evidence"
    assert identify_pdf(shown, KnownPapers([WHOLE])).by == "title"
    without = page("Deep gates", "Ann Bar")
    assert bears_title(without, WHOLE.title) == "short"
    assert identify_pdf(without, KnownPapers([WHOLE])).paper is None


def test_a_title_of_the_metadata_counts_only_where_page_one_shows_it() -> None:
    assert (
        titles_of(
            page("Quite other matters", "Ann Bar", Title="Guidelines for authors of this journal")
        )[0]
        == "Quite other matters"
    )
    assert (
        titles_of(page("QUITE OTHER MATTERS", "Ann Bar", Title="Quite Other Matters"))[0]
        == "Quite Other Matters"
    )
    for none in (
        "Microsoft Word - draft3.docx",
        "untitled",
        "paper.tex",
        "PowerPoint Presentation",
    ):
        assert none not in titles_of(page("Quite other matters", Title=none))


@pytest.mark.parametrize(
    ("title", "text", "joined"),
    [
        ("On retrie- val of gates", "We study retrieval.", "On retrieval of gates"),
        ("Self- supervised gates", "A self-supervised gate.", "Self-supervised gates"),
        ("Pre- and post-training", "", "Pre- and post-training"),
        ("Hetero- phily", "", "Heterophily"),
    ],
)
def test_words_divided_at_the_end_of_a_line_are_joined(title: str, text: str, joined: str) -> None:
    assert undivided(title, text) == joined


def test_authors_are_looked_for_on_page_one_and_an_unknown_list_says_nothing() -> None:
    shown = page("Gates that weigh evidence", "A. Bar and B. Foo")
    assert shows_people(shown, GATES) is True
    assert shows_people(page("Gates that weigh evidence", "Cy Baz"), GATES) is False
    assert shows_people(shown, GATES.model_copy(update={"authors": ()})) is None


def test_supplementary_material_is_told_from_a_paper_about_supplements() -> None:
    assert (
        apart_of(page("Supplementary Information for", "Gates that weigh evidence"))
        == "supplementary information"
    )
    assert (
        apart_of(
            page(
                "Supplementary food and growth",
                "Ann Bar",
                "Supplementary material is available online.",
            )
        )
        == ""
    )
    assert apart_of(page("Astrophysical Journal Supplement Series", "Gates")) == ""


def test_known_papers_are_found_by_id_title_and_title_without_subtitle() -> None:
    known = KnownPapers([GATES, WHOLE])
    assert known.with_id(("DOI", "10.1234/gate")) is GATES
    assert known.named("gates that weigh EVIDENCE") == [GATES]
    assert [p for _, p in known.near("Deep gates", 0.9)] == [WHOLE]
    assert [p for _, p in known.near("Gates that weighed evidence", 0.8)] == [GATES]
    assert known.near("Quite other matters", 0.8) == []
