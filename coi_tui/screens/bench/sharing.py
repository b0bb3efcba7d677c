"""What leaves the workbench: exports."""

from __future__ import annotations

from pathlib import Path

from coi_tui.model.errors import UsageError
from coi_tui.screens.bench.surface import Surface


class Sharing(Surface):
    """Exports."""

    def do_export(self) -> None:
        """A Markdown copy beside the session; a file that is there already is never overwritten."""
        path = self.session.file.path
        base = path.name.removesuffix(".coi.db")
        names = [f"{base}.md", *(f"{base}-{n}.md" for n in range(2, 100))]
        target = next((p for p in (Path(path.parent, n) for n in names) if not p.exists()), None)
        if target is None:
            raise UsageError("There are 99 exports beside the session already.", "Move some of them away.")
        written = self.session.write_export(self.session.export("md"), str(target))
        self.say(f"Written: {written} (the session itself is saved already).")
