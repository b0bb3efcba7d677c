"""The proposal in LaTeX, which pandoc writes from the HTML (extra ``tex``)."""

from __future__ import annotations

from coi_tui.model.errors import UsageError
from coi_tui.present.formats import Format
from coi_tui.present.formats.html import plain_page
from coi_tui.present.snapshot import ProposalOptions, SessionSnapshot


def latex(snapshot: SessionSnapshot, options: ProposalOptions | None = None) -> str:
    """A whole file with its references inside, for lualatex or xelatex. Raises UsageError where
    pandoc is not installed."""
    try:
        import pypandoc  # type: ignore[import-untyped]
    except ImportError:
        raise UsageError(
            "LaTeX is written by pandoc, which is not installed.",
            "pip install 'coi-tui[tex]', or export Markdown.",
        ) from None
    page = plain_page(snapshot, options)
    text: str = pypandoc.convert_text(
        page, "latex", format="html-raw_tex", extra_args=["--standalone", "--sandbox"]
    )
    return text


FORMAT = Format("the proposal in LaTeX", latex, options=True)
