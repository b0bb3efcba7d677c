"""The proposal as one HTML file, made from its Markdown: no scripts, nothing from the network, light
and dark, for screen and paper. The appendix is in parts that unfold, a chain is a picture."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from html import escape

from markdown_it import MarkdownIt

from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import Slot
from coi_tui.model.address import Branch, slot
from coi_tui.model.papers import BY_TOPIC, Paper
from coi_tui.model.text import clean_line
from coi_tui.present.formats import Format
from coi_tui.present.formats.md import Markdown, render, without_claims
from coi_tui.present.proposal import ChainPicture, Proposal
from coi_tui.present.snapshot import WITH_APPENDIX, ProposalOptions, SessionSnapshot

STYLE = """
:root { color-scheme: light dark; --page: #fff; --text: #1c2126; --soft: #4d5761; --line: #c3ccd6;
  --link: #00538f; --box: #f3f5f7; --node: #bcd9f2; --doubt: #8a4b00; }
@media (prefers-color-scheme: dark) { :root { --page: #14181c; --text: #e6e9ec; --soft: #aab4be;
  --line: #47525d; --link: #8cc4f2; --box: #1e242a; --node: #1f4a6e; --doubt: #f0b070; } }
* { box-sizing: border-box; }
body { background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; margin: 0; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.25; } h2 { margin-top: 2.2rem; }
h2, h3, h4, h5, h6 { line-height: 1.3; } h4, h5, h6 { font-size: 1rem; margin-bottom: .3rem; }
a { color: var(--link); } h1 + p { color: var(--soft); font-size: .92rem; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .6rem 0; padding: 0 .9rem; }
summary { cursor: pointer; padding: .5rem 0; } summary h3 { display: inline; font-size: 1.05rem; }
summary:focus-visible, .scroll:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
blockquote { border-left: 3px solid var(--line); margin: .6rem 0; padding-left: .8rem; }
.scroll { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .9rem; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .5rem; text-align: left; vertical-align: top; }
svg.chain { width: 100%; min-width: 40rem; height: auto; font: 14px system-ui, sans-serif; }
svg text { fill: var(--text); } svg .year { font-weight: bold; } svg .small { font-size: 12px; }
svg path { fill: none; stroke-width: 3; }
svg .cites { stroke: var(--link); } svg .unconfirmed { stroke: var(--doubt); stroke-dasharray: 8 4; }
svg .other, svg .leads { stroke: var(--soft); stroke-dasharray: 2 5; }
svg .paper { fill: var(--node); stroke: var(--link); stroke-width: 2; } svg .anchor { stroke-width: 4; }
svg .open { stroke-dasharray: 4 3; } svg .idea { fill: var(--box); stroke: var(--text); stroke-width: 2; }
@page { size: A4; margin: 16mm 18mm; }
@media print { body { font-size: 10pt; line-height: 1.38; } main { max-width: none; padding: 0; } a { color: inherit; }
  h1 { margin-top: 0; } h2 { margin-top: 1.2rem; } p, ul, ol { margin: .45em 0; }
  details { border: 0; padding: 0; columns: 2; column-gap: 6mm; font-size: 8pt; line-height: 1.25; margin: .3rem 0; }
  details table { font-size: 7pt; } details th, details td { padding: 1pt 3pt; } details figure { column-span: all; }
  summary { padding: 0; } summary h3 { font-size: 9pt; } h4, h5, h6 { font-size: 1em; margin: .5em 0 .15em; }
  details::details-content { display: block; content-visibility: visible; }
  .scroll { overflow: visible; } svg.chain { min-width: 0; }
  h2, h3, h4 { break-after: avoid; } tr, figure, blockquote { break-inside: avoid; } }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_PART = re.compile(r"<h3>(A\.\d+ .*?)</h3>")
"""The titles of the appendix's parts, which unfold."""
_TAGS = {
    "<table>": '<div class="scroll" tabindex="0"><table>',
    "</table>": "</table></div>",
    "<th></th>": "<td></td>",
    "<th>": '<th scope="col">',
}
"""What the reader of Markdown writes, and what is better for those who listen to a page. No text has
such tags: they are escaped."""


class _WithPictures(Markdown):
    def picture(self, chain: ChainPicture) -> str:
        return f'<figure class="scroll" tabindex="0">\n{chain_svg(chain)}\n</figure>'


# -- the chain as a picture

STEP, LEFT, MIDDLE, HEIGHT, IDEA = 126, 66, 110, 220, 216
LEGEND = (
    ("cites", "cites"),
    ("unconfirmed", "cites, unconfirmed"),
    ("other", "no citation known"),
)
_LINKS = {
    "cites": ("cites", "cites"),
    "cites, unconfirmed": ("unconfirmed", "is said to cite"),
    BY_TOPIC: ("other", "stands by topic and year, no link known, after"),
}
"""The class of a link, and its verb."""


def chain_svg(chain: ChainPicture) -> str:
    """Years across, papers as circles, the links between them with their evidence, and the idea at
    the end; the page gives the classes their colours."""
    state, branch, idea = chain.state, chain.branch, chain.idea
    slots = [Chains.of(state).slot(slot(branch, pos)) for pos in Chains.of(state).chain(branch)]
    papers = [state.papers.get(at.paper or "") for at in slots]
    width, links = LEFT + STEP * max(len(slots), 3) + IDEA, list(_links(slots, papers))
    title = escape(f"The chain of papers that leads to idea {branch}: {clean_line(idea)}")
    about = escape(" ".join(text for _, text in links) or "It has one paper.")
    return "\n".join(
        [
            f'<svg class="chain" viewBox="0 0 {width} {HEIGHT}" width="{width}" role="img" '
            f'aria-label="{title}">',
            f"<title>{title}</title><desc>{about}</desc>",
            *(line for line, _ in links),
            *_idea(_x(len(slots)) - 30, branch, idea),
            *(line for n, at in enumerate(slots) for line in _paper(_x(n), at, papers[n])),
            *_legend(),
            "</svg>",
        ]
    )


def _x(n: int) -> int:
    return LEFT + n * STEP


def _text(x: int, y: int, text: str, look: str = "") -> str:
    return f'<text class="{look}" x="{x}" y="{y}" text-anchor="middle">{escape(clean_line(text))}</text>'


def _links(slots: list[Slot], papers: list[Paper | None]) -> Iterator[tuple[str, str]]:
    """The link between each two neighbours, and what it says."""
    names = [paper.short() if paper is not None else "a paper without a record" for paper in papers]
    for n in range(1, len(slots)):
        outer = slots[n] if slots[n].pos > 0 else slots[n - 1]
        kind, verb = _LINKS.get(outer.reason.link, ("other", "follows"))
        evidence = f" ({outer.reason.evidence})" if outer.reason.evidence else ""
        text = clean_line(f"{names[n]} {verb} {names[n - 1]}{evidence}.")
        path = f"M {_x(n - 1)} {MIDDLE} L {_x(n)} {MIDDLE}"
        yield f'<path class="{kind}" d="{path}"><title>{escape(text)}</title></path>', text


def _paper(x: int, at: Slot, paper: Paper | None) -> Iterator[str]:
    """A circle, bold for the anchor and dashed while no person has decided."""
    look = f"paper{' anchor' if at.pos == 0 else ''}{' open' if at.verdict == 'proposed' else ''}"
    about = clean_line(f"{at.address}: {paper.title if paper is not None else at.paper}")
    yield (
        f'<circle class="{look}" cx="{x}" cy="{MIDDLE}" r="16"><title>{escape(about)}</title></circle>'
    )
    if paper is not None:
        yield _text(x, 24, str(paper.year or "no year"), "year")
        yield _text(x, MIDDLE + 44, textwrap.shorten(paper.short(), 18, placeholder="…"))
    yield _text(x, MIDDLE + 60, at.address, "small")


def _idea(x: int, branch: Branch, idea: str) -> Iterator[str]:
    yield f'<path class="leads" d="M {x - STEP + 30} {MIDDLE} L {x} {MIDDLE}"/>'
    yield f'<rect class="idea" x="{x}" y="{MIDDLE - 34}" width="{IDEA}" height="68" rx="8"/>'
    yield _text(x + IDEA // 2, MIDDLE - 12, f"Idea {branch}", "year")
    lines = textwrap.wrap(clean_line(idea), 28, max_lines=2, placeholder="…")
    for n, line in enumerate(lines):
        yield _text(x + IDEA // 2, MIDDLE + 8 + 16 * n, line)


def _legend() -> Iterator[str]:
    for n, (kind, words) in enumerate(LEGEND):
        x = LEFT - 40 + n * 170
        yield f'<path class="{kind}" d="M {x} {HEIGHT - 14} h 36"/>'
        yield f'<text class="small" x="{x + 44}" y="{HEIGHT - 10}">{words}</text>'


# -- the page


def html(snapshot: SessionSnapshot, options: ProposalOptions | None = None) -> str:
    """The page, always with its appendix."""
    proposal = Proposal(snapshot, options if options and options.appendix else WITH_APPENDIX)
    page = _markup(_WithPictures(proposal.bibliography), proposal)
    main, *parts = _PART.split(page)
    folded = (
        f"<details{' open' if '<figure' in body else ''}>\n<summary><h3>{title}</h3></summary>\n{body}</details>\n"
        for title, body in zip(parts[::2], parts[1::2], strict=True)
    )
    return _page(proposal, f"<style>{STYLE}</style>", "".join([main, *folded]))


def plain_page(snapshot: SessionSnapshot, options: ProposalOptions | None) -> str:
    """The page as pandoc reads it: nothing unfolds, and there are no pictures."""
    proposal = Proposal(snapshot, options)
    _, _, body = _markup(Markdown(proposal.bibliography), proposal).partition("</h1>")
    return _page(proposal, "", body)  # pandoc takes the title from the head


def _markup(out: Markdown, proposal: Proposal) -> str:
    text: str = MarkdownIt("commonmark").enable("table").render(render(proposal, out))
    for tag, instead in _TAGS.items():
        text = text.replace(tag, instead)
    return text


def _page(proposal: Proposal, style: str, body: str) -> str:
    title = escape(without_claims(proposal.title))
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>\n{style}\n</head>\n<body>\n<main>",
            body,
            "</main>\n</body>\n</html>\n",
        ]
    )


FORMAT = Format("the proposal as a web page with its appendix", html, options=True)
