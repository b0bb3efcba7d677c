"""The proposal as one HTML file, made from its Markdown: no scripts, nothing from the network, light
and dark, for screen and paper. The appendix is in parts that unfold, a chain is a picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from markdown_it import MarkdownIt
from rich.cells import cell_len

from coi_tui.present.chain_picture import LEGEND, Node, chain_nodes, drawn
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
svg.chain { min-width: 40rem; max-width: 100%; height: auto; font: 15px ui-monospace, monospace; }
svg text { fill: var(--text); white-space: pre; } svg .year { font-weight: bold; } svg .says { fill: var(--soft); }
svg .anchor, svg .paper, svg text.idea { font-size: 20px; transform: translate(-1.5px, 1px);
  paint-order: stroke; stroke: var(--page); stroke-width: 9px; }
svg .anchor, svg .paper { fill: var(--link); } svg rect { display: none; } svg rect.says { display: inline; fill: var(--page); }
svg path { fill: none; stroke: var(--soft); stroke-dasharray: 2 5; stroke-width: 2.5; }
svg path.cites { stroke: var(--link); stroke-dasharray: none; }
svg path.unconfirmed { stroke: var(--doubt); stroke-dasharray: 8 4; }
svg path.rests { stroke: var(--text); stroke-dasharray: none; stroke-width: 4; }
.par { float: right; font-size: .75rem; margin-left: 1rem; } .par a { color: var(--soft); text-decoration: none; }
.how { color: var(--soft); font-size: .85rem; } :target { background: var(--box); outline: 2px solid var(--link); }
@media (min-width: 68rem) { .par { float: left; margin-left: -10.5rem; width: 9rem; text-align: right; } }
@page { size: A4; margin: 16mm 18mm; }
@media print { body { font-size: 10pt; line-height: 1.38; } main { max-width: none; padding: 0; } a { color: inherit; }
  h1 { margin-top: 0; } h2 { margin-top: 1.2rem; } p, ul, ol { margin: .45em 0; }
  details { border: 0; padding: 0; columns: 2; column-gap: 6mm; font-size: 8pt; line-height: 1.25; margin: .3rem 0; }
  details table { font-size: 7pt; } details th, details td { padding: 1pt 3pt; } details figure { column-span: all; }
  summary { padding: 0; } summary h3 { font-size: 9pt; } h4, h5, h6 { font-size: 1em; margin: .5em 0 .15em; }
  details::details-content { display: block; content-visibility: visible; }
  .how { display: none; } .scroll { overflow: visible; } svg.chain { min-width: 0; }
  h2, h3, h4 { break-after: avoid; } tr, figure, blockquote { break-inside: avoid; } }
"""
COMMENTS = (
    '<p class="how">To comment, write a line for each comment into a text file, such as '
    "<code>1/idea ¶3: too broad</code>. <code>coi import-comments NAME FILE</code> takes it in.</p>"
)
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
        name = f"The chain of papers of branch {chain.branch}, oldest first"
        svg = chain_svg([*chain_nodes(chain.state, chain.branch)], name)
        return f'<figure class="scroll" tabindex="0">\n{svg}\n</figure>'

    def mark(self, address: str, number: int) -> str:
        at = escape(address)
        named = f'id="{at}.{number}" href="#{at}.{number}"'
        return f'<div class="par"><a {named}>{at} ¶{number}</a></div>\n\n' if at else ""


# -- the chain as a picture

CELL, ROW, EDGE, WIDTH = 9, 24, 20, 80
"""Pixels of a cell, of a row and around the picture; the cells across it."""


def chain_svg(nodes: Sequence[Node], name: str) -> str:
    """Years across, a line for each paper and one for the idea, the links between them, and what the
    signs mean. The page gives the classes their colours; each text takes its cells, in any font."""
    texts, strokes = drawn(nodes, WIDTH)
    texts.append((2 * len(nodes) + 1, 0, LEGEND, "says"))
    width, height = CELL * WIDTH + 2 * EDGE, ROW * texts[-1][0] + 2 * EDGE
    about = ". ".join(f"{node.label} {node.says}".strip() for node in nodes)
    return "\n".join(
        [
            f'<svg class="chain" viewBox="-{EDGE} -{EDGE} {width} {height}" width="{width}" role="img">',
            f"<title>{escape(name)}</title><desc>{escape(about)}</desc>",
            *(
                f'<path class="{kind}" d="M {CELL * start} {ROW * row} m 0 -{ROW} v {ROW} H {CELL * end} v {ROW}"/>'
                for row, start, end, kind in strokes
            ),
            *(
                f'<rect class="{look}" x="{CELL * at - CELL}" y="{ROW * row - 9}" height="18" '
                f'width="{CELL * (cell_len(text) + 1)}"/>'
                f'<text class="{look}" x="{CELL * at - 4}" y="{ROW * row + 5}" '
                f'textLength="{CELL * cell_len(text)}">{escape(text)}</text>'
                for row, at, text, look in texts
            ),
            "</svg>",
        ]
    )


# -- the page


def html(snapshot: SessionSnapshot, options: ProposalOptions | None = None) -> str:
    """The page, always with its appendix."""
    proposal = Proposal(snapshot, options if options and options.appendix else WITH_APPENDIX)
    page = _markup(_WithPictures(proposal.bibliography), proposal)
    main, *parts = _PART.split(page.replace("</p>", f"</p>\n{COMMENTS}", 1))
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
