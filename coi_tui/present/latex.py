"""The proposal in LaTeX, which pandoc writes from the Markdown (extra ``tex``)."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from coi_tui.model.errors import UsageError
from coi_tui.present.csl import csl_json
from coi_tui.present.markdown import proposal
from coi_tui.present.options import ProposalOptions
from coi_tui.present.snapshot import SessionSnapshot

MARKDOWN = "markdown-raw_tex-raw_html-raw_attribute-tex_math_dollars"
"""What a text says in TeX or HTML stays text."""


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
    options = replace(options or ProposalOptions(), citations="pandoc")
    with tempfile.TemporaryDirectory() as folder:
        references = Path(folder, "references.json")
        references.write_text(csl_json(snapshot), encoding="utf-8")
        arguments = ["--standalone", "--sandbox", "--citeproc", f"--bibliography={references}"]
        text: str = pypandoc.convert_text(
            proposal(snapshot, options), "latex", format=MARKDOWN, extra_args=arguments
        )
    return text
