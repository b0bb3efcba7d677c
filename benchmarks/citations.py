"""What pandoc makes of the exports: ``python -m benchmarks.citations [PANDOC]``. Only for development; needs pandoc 2.17 or newer.

Takes the recorded session and one with awkward titles and names. For each, the proposal with citations for pandoc must give a list of
references with an entry for every paper cited, without a warning, from each of the three files of references, and titles must come back as
they were; RIS only where pandoc reads it, as pandoc 3 does. In the plain form every mark must lead to its entry.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from coi_tui.export.bibtex import bibtex
from coi_tui.export.csl import csl_json
from coi_tui.export.markdown import proposal
from coi_tui.export.options import PARTS, ProposalOptions
from coi_tui.export.references import references
from coi_tui.export.ris import ris
from coi_tui.export.snapshot import SessionSnapshot
from coi_tui.session.recorded_run import unpack_session
from tests.export.test_reference_files import awkward
from tests.support.desk import Desk

FILES = {"a.bib": ("bibtex", bibtex), "a.json": ("csljson", csl_json), "a.ris": ("ris", ris)}


def run(pandoc: str, folder: Path, *arguments: str) -> str:
    """pandoc's output. Raises CalledProcessError where it fails or warns."""
    return subprocess.run(
        [pandoc, "--fail-if-warnings", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def snapshots(folder: Path) -> Iterator[tuple[str, SessionSnapshot]]:
    unpack_session(folder / "recorded.coi.db", "recorded")
    desk = Desk.at(folder / "recorded.coi.db")
    yield "recorded", desk.session.exports.snapshot()
    desk.session.close()
    yield "awkward", awkward()[0]


def check(pandoc: str, folder: Path, name: str, snapshot: SessionSnapshot) -> list[str]:
    """Faults of one session's exports, in words."""
    faults: list[str] = []
    (folder / "a.md").write_text(
        proposal(snapshot, ProposalOptions(tuple(PARTS), "pandoc", appendix=True)), encoding="utf-8"
    )
    readable = run(pandoc, folder, "--list-input-formats").split()
    for file, (form, write) in FILES.items():
        if form not in readable:
            print(f"{name}, {file}: not looked at, since this pandoc does not read {form}")
            continue
        (folder / file).write_text(write(snapshot), encoding="utf-8")
        page = run(pandoc, folder, "--citeproc", "--bibliography", file, "-t", "html", "a.md")
        listed = set(re.findall(r'id="ref-([a-z0-9]+)"', page))
        cited = {
            key
            for keys in re.findall(r'data-cites="([^"]+)"', page)
            for key in html.unescape(keys).split()
        }
        read = {
            item["id"]: item["title"]
            for item in json.loads(run(pandoc, folder, "-f", form, "-t", "csljson", file))
        }
        changed = [
            ref.title
            for ref in references(snapshot)
            if plain(read.get(ref.key, "")) != plain(ref.title)
        ]
        print(
            f"{name}, {file}: {len(cited)} papers cited, {len(listed)} in the list, {len(changed)} titles changed"
        )
        faults += [
            f"{name}, {file}: {key} is cited and not listed" for key in sorted(cited - listed)
        ]
        faults += [f"{name}, {file}: a title came back changed: {title}" for title in changed]
    (folder / "plain.md").write_text(proposal(snapshot), encoding="utf-8")
    page = run(pandoc, folder, "-t", "html", "plain.md")
    lost = set(re.findall(r'href="#(ref-\d+)"', page)) - set(re.findall(r'id="(ref-\d+)"', page))
    return faults + [f"{name}: the mark of {anchor} leads nowhere" for anchor in sorted(lost)]


def plain(title: str) -> str:
    """A title without what pandoc may write in another way: curly quotation marks, dashes, and its marks that keep a word's case."""
    bare = re.sub(r"</?span[^>]*>", "", title).replace("<sup>3</sup>", "³")
    return bare.translate(str.maketrans("’‘“”", "''\"\"")).replace("—", "---").replace("–", "--")


def main() -> int:
    pandoc = sys.argv[1] if len(sys.argv) > 1 else "pandoc"
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        faults = [
            fault
            for name, snapshot in snapshots(folder)
            for fault in check(pandoc, folder, name, snapshot)
        ]
    print("\n".join(faults) or "Every paper cited is in the list, and every title came back.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
