"""The proposal as one HTML file, made from its Markdown: no scripts, nothing from the network, light
and dark, for screen and paper. The appendix is in parts that unfold, a chain is a picture."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from html import escape

from markdown_it import MarkdownIt

from coi_tui.present.chain_picture import (
    LINES,
    YEAR,
    Node,
    Place,
    Span,
    chain_nodes,
    laid_out,
    legend,
    ticks,
)
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
svg.chain { width: 100%; min-width: 40rem; height: auto; font: 15px system-ui, sans-serif; }
svg text { fill: var(--text); } svg .year { font-weight: bold; } svg .small { font-size: 13px; fill: var(--soft);
  paint-order: stroke; stroke: var(--page); stroke-width: 8px; }
svg path { fill: none; stroke-width: 2.5; } svg .axis { stroke: var(--soft); stroke-width: 1; }
svg .cites { stroke: var(--link); } svg .unconfirmed { stroke: var(--doubt); stroke-dasharray: 8 4; }
svg .other { stroke: var(--soft); stroke-dasharray: 2 5; } svg .leads { stroke: var(--text); stroke-width: 4; }
svg .paper { fill: var(--node); stroke: var(--link); stroke-width: 1.5; } svg .anchor { fill: var(--link); }
svg .open { fill: var(--page); stroke-dasharray: 3 2; } svg .anchor.open { stroke-width: 4; }
svg .idea { fill: var(--text); }
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

CELL, ROW, TOP, LEFT, WIDTH = 9, 22, 52, 14, 94
"""Pixels of a cell and of half a line, where the first line and the first cell are; cells of the
picture."""
IN_LEGEND = 31
"""Cells of an entry of the legend."""


def chain_svg(chain: ChainPicture) -> str:
    """Years across, a line for each paper and one for the idea, and the links between them with what
    they rest on; the page gives the classes their colours."""
    name = f"The chain of papers of branch {chain.branch}, oldest first"
    return drawn_svg(chain_nodes(chain.state, chain.branch), escape(name))


def drawn_svg(nodes: Sequence[Node], name: str) -> str:
    """The same of any nodes."""
    places = laid_out(nodes, WIDTH)
    bottom, known = TOP + 2 * ROW * len(nodes), legend(nodes)
    height, width = bottom + ROW * (2 + len(known) // 3), 2 * LEFT + CELL * WIDTH
    about = escape(". ".join(f"{n.label}{n.says and f' {n.says}'}" for n in nodes))
    return "\n".join(
        [
            f'<svg class="chain" viewBox="0 0 {width} {height}" width="{width}" role="img" '
            f'aria-label="{name}">',
            f'<title>{name}</title><desc>{about}</desc><path class="axis" d="M {LEFT} 28 H {width - LEFT}"/>',
            *_years(nodes),
            *(line for n in range(len(nodes)) for line in _node(n, nodes, places)),
            *(line for n, one in enumerate(known.items()) for line in _explained(n, bottom, *one)),
            "</svg>",
        ]
    )


def _px(cells: int) -> int:
    return LEFT + CELL * cells


def _text(span: Span, y: int, text: str, look: str, *, end: bool = False) -> str:
    """A text cut to its room, which it fills from its begin, or up to its end."""
    x, anchor = (_px(sum(span)) - 6, "end") if end else (_px(span.at), "start")
    shown = escape(textwrap.shorten(text, max(1, span.room), placeholder="…"))
    return f'<text class="{look}" x="{x}" y="{y}" text-anchor="{anchor}">{shown}</text>'


def _years(nodes: Sequence[Node]) -> Iterator[str]:
    for x, (at, year) in ticks(nodes, WIDTH).items():
        yield f'<path class="axis" d="M {_px(x)} 23 v 10"/>'
        if year:
            yield _text(Span(at, YEAR), 18, year, "year")


def _node(n: int, nodes: Sequence[Node], places: Sequence[Place]) -> Iterator[str]:
    """A paper or the idea, and its link to the one before."""
    node, place, y = nodes[n], places[n], TOP + 2 * ROW * n
    if node.link:
        before = _px(places[n - 1].x)
        path = f"M {before} {y - 2 * ROW + 8} V {y - ROW} H {_px(place.x)} V {y - 8}"
        yield f'<path class="{node.link}" d="{path}"/>'
        end = place.says.at < min(place.x, places[n - 1].x)
        yield _text(place.says, y - ROW + 4, node.says, "small", end=end)
    yield _mark(node.mark, _px(place.x), y, f"{node.label}{node.says and f'. {node.says}'}")
    yield _text(place.label, y + 5, node.label, "label", end=place.label.at < place.x)


def _mark(mark: str, x: int, y: int, about: str = "") -> str:
    title = f"<title>{escape(about)}</title>" if about else ""
    if mark == "idea":
        return f'<rect class="idea" x="{x - 8}" y="{y - 8}" width="16" height="16">{title}</rect>'
    return f'<circle class="{mark}" cx="{x}" cy="{y}" r="8">{title}</circle>'


def _explained(n: int, top: int, name: str, words: str) -> Iterator[str]:
    """An entry of the legend."""
    at, y = n % 3 * IN_LEGEND, top + ROW * (n // 3)
    line = f'<path class="{name}" d="M {_px(at)} {y} h 24"/>'
    yield line if name in LINES else _mark(name, _px(at) + 12, y)
    yield _text(Span(at + 4, IN_LEGEND - 5), y + 4, words, "small")


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
