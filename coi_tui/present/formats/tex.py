"""The proposal in LaTeX, which pandoc writes from the HTML (extra ``pandoc``)."""

from __future__ import annotations

import tempfile
from pathlib import Path

from coi_tui.model.errors import UsageError
from coi_tui.present.formats import Format
from coi_tui.present.formats.html import plain_page
from coi_tui.present.snapshot import ProposalOptions, SessionSnapshot


def latex(snapshot: SessionSnapshot, options: ProposalOptions | None = None) -> str:
    """A whole file with its references inside, for lualatex or xelatex. Raises UsageError where
    pandoc is not installed."""
    return by_pandoc(snapshot, options, "latex").decode()


def by_pandoc(snapshot: SessionSnapshot, options: ProposalOptions | None, form: str) -> bytes:
    """The proposal in a form that pandoc writes. Raises UsageError where it is not installed."""
    try:
        import pypandoc  # type: ignore[import-untyped]
    except ImportError:
        raise UsageError(
            "LaTeX and Word are written by pandoc, which is not installed.",
            "pip install 'coi-tui[pandoc]', or export Markdown.",
        ) from None
    page = plain_page(snapshot, options)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "proposal"
        pypandoc.convert_text(
            page,
            form,
            format="html-raw_tex",
            outputfile=str(file),
            extra_args=["--standalone", "--sandbox"],
        )
        return file.read_bytes()


FORMAT = Format("the proposal in LaTeX", latex, options=True)
