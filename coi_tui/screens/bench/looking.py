"""Moving about: panes, folds, reasons, what comes next, and the way back."""

from __future__ import annotations

from coi_tui.screens.bench.surface import Part


class Looking(Part):
    """Moving about; nothing here changes a session."""

    def do_why(self) -> None:
        self.why_for = "" if self.why_for else self.chain.address
        self.show_detail()
        if self.why_for:
            self.show_text()

    def show_text(self) -> None:
        self._pane("detail", focus=False)

    def do_next(self) -> None:
        self._jump(1)

    def do_previous(self) -> None:
        self._jump(-1)

    def _jump(self, step: int) -> None:
        target = self.chain.next_waiting(step)
        if target:
            self.chain.go(target)
        else:
            self.say("This is the only row that needs you.")

    def do_enter(self) -> None:
        self.open_row_under_cursor()

    def open_row_under_cursor(self) -> None:
        """What Enter does on this row: go to its text, or to a screen of its own."""
        self._pane("detail")

    def do_pane_1(self) -> None:
        self._pane("chain")

    def do_pane_2(self) -> None:
        self._pane("detail")

    def _pane(self, name: str, *, focus: bool = True) -> None:
        """Go to a pane; where only one fits, it takes the place of the other."""
        self.set_class(name == "detail", "-detail")
        if focus or self.has_class("-one"):
            self.query_one(f"#{name}").focus()

    def do_down(self) -> None:
        if self.focused is self.detail:
            self.detail.scroll_down(animate=False)
        else:
            self.chain.action_cursor_down()

    def do_up(self) -> None:
        if self.focused is self.detail:
            self.detail.scroll_up(animate=False)
        else:
            self.chain.action_cursor_up()

    def do_fold(self) -> None:
        if self.focused is self.detail:
            self.detail.scroll_page_down(animate=False)
        else:
            self.chain.fold()

    def do_close_row(self) -> None:
        self.chain.close_row()

    def do_open_row(self) -> None:
        self.chain.open_row()

    def do_escape(self) -> None:
        """Close what is open, one thing at a time, then go back."""
        if self.why_for:
            self.do_why()
        elif self.looking is not None:
            self.looking = None
            self.refresh_rows()
        elif self.strip:
            self.hide_strip()
        elif self.focused is self.detail or self.has_class("-detail"):
            self._pane("chain")
        else:
            self.do_back()

    def do_back(self) -> None:
        self.coi.leave_desk(self.desk)
        self.dismiss(None)
