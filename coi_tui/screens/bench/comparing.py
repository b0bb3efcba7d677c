"""Tags, and two tagged rows beside each other."""

from __future__ import annotations

from coi_tui.screens.bench.surface import Part

TAGS, MOST = "tags", 2


class Comparing(Part):
    """Tags are remembered with the session; they are no decisions. At most two rows are tagged: a third lets go of the first."""

    def recall_tags(self) -> None:
        """Take up the tags of the last time."""
        kept = self.session.core.remembered(TAGS, [])
        self.chain.tag([a for a in kept if isinstance(a, str)] if isinstance(kept, list) else [])

    @property
    def tagged(self) -> list[str]:
        """The tagged rows that are still there, the first one tagged first."""
        return [a for a in self.chain.tagged if a in self.chain.rows]

    def do_tag(self) -> None:
        address = self.chain.address
        if address in self.tagged:
            tags = [a for a in self.tagged if a != address]
            said = f"{self.named(address)} is not tagged any more."
        else:
            tags = [*self.tagged, address][-MOST:]
            said = f"Tagged {self.named(address)}."
            said += f" = compares it with {self.named(tags[0])}." if len(tags) == MOST else " Tag another row, then = compares the two."
        self.chain.tag(tags)
        self.session.core.remember(TAGS, tags)
        self.did(said)

    def off_tag(self) -> str:
        return "" if self.composed and self.chain.row is not None else "there is no row"

    def off_compare(self) -> str:
        return "" if self.composed and len(self.tagged) == MOST else "tag two rows with t first"

    def do_compare(self) -> None:
        first, second = sorted(self.tagged, key=list(self.chain.rows).index)
        self.open_comparison(first, second)

    def open_comparison(self, first: str, second: str) -> None:
        """Show two rows beside each other. A part that has a better view for some rows overrides this."""
        from coi_tui.screens.texts.compare_screen import CompareScreen

        self.app.push_screen(CompareScreen(self.desk, first, second), lambda said: self.did(said or ""))
