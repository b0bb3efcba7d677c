from __future__ import annotations

import subprocess
import sys

HEAVY = {
    "httpx",
    "httpx2",
    "numpy",
    "rapidfuzz",
    "pypdfium2",
    "pypdfium2_raw",
    "openai",
    "textual",
    "bibtexparser",
    "pylatexenc",
}


def loaded_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(' '.join(m.split('.')[0] for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(done.stdout.split()) & HEAVY


def test_importing_the_package_loads_nothing_heavy() -> None:
    modules = (
        "literature.ids",
        "literature.title_match",
        "literature.paper_records",
        "literature.ranking",
        "literature.bibliography_files",
        "services.pdf.full_text",
        "services.pdf.pdf_ids",
        *(
            f"services.sources.{name}"
            for name in [
                "types",
                "fetch",
                "source_registry",
                "semantic_scholar",
                "openalex",
                "source_fallback",
                "starter.source",
                "arxiv",
                "imported_library",
            ]
        ),
    )
    names = ", ".join(f"coi_tui.{name}" for name in modules)
    assert loaded_by(f"import {names}") == set()
