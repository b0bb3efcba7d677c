"""The proposal as a web page: one file, well formed, whatever the texts say."""

import re
import shutil
import subprocess
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from coi_tui.present.formats.html import html
from coi_tui.present.formats.md import Markdown, render
from coi_tui.present.proposal import Proposal
from coi_tui.present.snapshot import WITH_APPENDIX
from coi_tui.session.recorded_session import open_recorded
from tests.support.desk import bare

from .building import PAPERS, Builder, full, hostile

VOID = {"meta", "br", "link", "img", "input", "hr"}


class Page(HTMLParser):
    """What a page has; fails where a tag is not closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.headings: list[int] = []
        self.feed(text)
        assert not self.stack

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def values(self, name: str) -> list[str]:
        return [str(attrs[name]) for _, attrs in self.tags if name in attrs]


def test_the_page_has_all_parts_in_order_and_every_mark_leads_to_its_entry() -> None:
    text = html(full().subject())
    page = Page(text)
    assert page.tags[0] == ("html", {"lang": "en"})
    assert "<title>Evidence-gated chains</title>" in text
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(page.headings))
    parts = re.findall(r"<summary><h3>A\.(\d+) ", text)
    assert parts == [str(n) for n in range(1, len(parts) + 1)]
    assert len(parts) > 6
    marks = set(re.findall(r'href="#(ref-\d+)"', text))
    assert marks <= set(page.values("id"))
    assert len(set(page.values("id"))) == len(page.values("id"))
    assert sum(one.startswith("ref-") for one in page.values("id")) == len(PAPERS)


def test_each_paragraph_of_a_text_has_a_number_of_its_own() -> None:
    b = full()
    b.text("1/proposal", {"title": "Gates", "text": "## In short\n\nFirst.\n\nSecond.\n\n- a\n- b"})
    snapshot = b.subject()
    text = html(snapshot)
    assert re.findall(r"¶\d+</a></div>\s*<(?:p|ul)>\s*(?:<li>)?(\w+)", text)[:3] == [
        "First",
        "Second",
        "a",
    ]
    shown = re.findall(r'<a id="([^"]+)\.(\d+)" href="#\1\.\2">\1 ¶\2</a>', text)
    assert [n for at, n in shown if at == "1/proposal"] == ["1", "2", "3"]
    assert len(set(shown)) == len(shown) > 10
    numbered = {(at, str(n)) for at, n in shown}
    out = Markdown((proposal := Proposal(snapshot, WITH_APPENDIX)).bibliography)
    assert "¶" not in render(proposal, out)
    known = {
        (at, str(n)) for at, found in out.paragraphs.items() if at for n in range(1, len(found) + 1)
    }
    assert known == numbered, "what is imported goes by the same numbers"


def test_the_chain_is_a_picture_with_its_links_and_the_idea() -> None:
    text = html(full().subject())
    svg = text[text.index("<svg") : text.index("</svg>")]
    assert re.findall(r">([◆◇●○▲])<", svg) == ["○", "◆", "○", "▲"]
    kinds = re.findall(r'<path class="([^"]+)" d="M', svg)
    assert kinds == ["cites, unconfirmed", "cites", "rests"]
    assert "<details open>\n<summary><h3>A.1 From papers to the idea</h3>" in text
    assert text.count("<details open>") == 1
    assert "starter library" in svg
    assert "Evidence-gated chains" in svg
    assert sorted(re.findall(r'class="year"[^>]*>(\d+)<', svg)) == ["2021", "2022", "2023"]
    assert "<svg" not in html(Builder().subject())


def test_nothing_from_outside_is_markup_a_script_or_an_address() -> None:
    page = Page(html(hostile()))
    for tag, attrs in page.tags:
        assert tag not in {"script", "img", "iframe", "link", "object", "form", "b"}
        assert not any(name.startswith("on") or name in ("src", "style") for name in attrs)
    assert all(
        re.match(r"#ref-\d+$|#[\w/.+-]+\.\d+$|https://", href) for href in page.values("href")
    )
    assert "default-src 'none'" in page.values("content")[0]


BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


def pages(folder: Path, text: str) -> int:
    """How many pages of A4 a browser prints of it."""
    page, printed = folder / "page.html", folder / "page.pdf"
    page.write_text(text, encoding="utf-8")
    command = (str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu")
    options = ("--no-pdf-header-footer", f"--print-to-pdf={printed}", f"file://{page}")
    subprocess.run([*command, *options], check=True, capture_output=True)
    return len(re.findall(rb"/Type /Page\b", printed.read_bytes()))


@pytest.mark.skipif(BROWSER is None, reason="no browser is installed here")
def test_the_recorded_proposal_prints_on_four_pages_and_its_appendix_on_fifteen(
    tmp_path: Path,
) -> None:
    with open_recorded(bare(tmp_path)) as session:
        whole = session.exports.text("html", WITH_APPENDIX)
    main, appendix, _ = whole.partition("<h2>Appendix</h2>")
    assert appendix
    first, every = pages(tmp_path, main), pages(tmp_path, whole)
    assert first <= 4
    assert every - first <= 15
