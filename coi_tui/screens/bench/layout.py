"""Panes: which of them show at which width, the inspector, one pane alone, and the border that can be dragged."""

from __future__ import annotations

from textual import events
from textual.css.query import NoMatches
from textual.widget import Widget

from coi_tui.screens.bench.looking import Looking
from coi_tui.widgets.heading import Word, header_line
from coi_tui.widgets.inspector import NEEDS, Inspected, Inspector
from coi_tui.widgets.panes import JobStrip, Line
from coi_tui.widgets.words import dollars

THIRD = 100
"""Columns from which the inspector can stand beside the text."""
LEAST_CHAIN, LEAST_TEXT = 24, 30
PANES = ("chain", "detail", "inspector")
WIDTH, LEGEND = "chain width", "legend"


class Layout(Looking):
    """What shows where. Nothing here changes a session; widths and the legend are remembered with it."""

    _dragging = False
    _dragged = 0
    """The width of the chain as it was dragged, 0 where it was not."""
    _needs: tuple[str, ...] = ()
    _waiting = 0

    @property
    def inspector(self) -> Inspector:
        return self.query_one(Inspector)

    @property
    def inspects(self) -> bool:
        """True when the inspector is on the screen."""
        return self.composed and self.inspector.display

    def recall_layout(self) -> None:
        """Take up what was remembered of the last time."""
        kept = self.session.core.remembered(WIDTH, 0)
        self._dragged = kept if isinstance(kept, int) else 0
        self.set_class(self.session.core.remembered(LEGEND) is False, "-no-legend")

    # -- the inspector --------------------------------------------------------------------------------------------

    def count_needs(self) -> None:
        """Take the list of what needs the person from the rows; once for each change of them, not for each key."""
        rows = [row for row in self.chain.rows.values() if row.needs_you]
        self._waiting = len(rows)
        self._needs = tuple(f"{row.marks[:2].strip()} {self.named(row.address)} {row.note} {row.title}" for row in rows[:NEEDS])

    def show_inspector(self) -> None:
        """Bring the inspector in line with the row under the cursor, where it is on the screen."""
        address = self.chain.address
        if address and self.inspects:
            found = self.session.queries.inspect(address)
            self.inspector.show(address, Inspected(found.made, found.feeds, self._needs, self._waiting, self.session.queries.activity()))

    def do_inspector(self) -> None:
        self._unzoom()
        if self.has_class("-wide"):
            self.toggle_class("-no-inspector")
        elif self.has_class("-one") and not self.has_class("-inspector"):
            self._pane("inspector")
            return
        else:
            self.toggle_class("-inspector")
        self._mend_focus()
        self.call_after_refresh(self.show_inspector)

    # -- panes ----------------------------------------------------------------------------------------------------

    def do_pane_3(self) -> None:
        self._pane("inspector")

    def do_pane_4(self) -> None:
        strip = self.query_one(JobStrip)
        strip.can_focus = True
        strip.focus()

    def off_pane_4(self) -> str:
        return "" if self.composed and self.query_one(JobStrip).display else "nothing runs"

    def _pane(self, name: str, *, focus: bool = True) -> None:
        """Go to a pane; where there is no room for it beside the others, it takes the place of one."""
        if self.has_class("-zoom") and not self.query_one(f"#{name}").has_class("-alone"):
            self._unzoom()
        self.set_class(name == "detail", "-detail")
        if name == "inspector":
            self.add_class("-inspector")
            self.remove_class("-no-inspector")
        elif self.has_class("-one") or (name == "detail" and not self.has_class("-mid")):
            self.remove_class("-inspector")
        self._fit_chain()
        if focus or self.has_class("-one"):
            self.query_one(f"#{name}").focus()
        self.call_after_refresh(self.show_inspector)

    def do_zoom(self) -> None:
        if self.has_class("-zoom"):
            self._unzoom()
            return
        at = self.focused if self.focused is not None and self.focused.id in PANES else self.chain
        at.add_class("-alone")
        self.add_class("-zoom")
        self._fit_chain()
        self.call_after_refresh(self.show_inspector)
        self.say("z or Esc: back to all panes.")

    def _unzoom(self) -> None:
        if self.has_class("-zoom"):
            self.remove_class("-zoom")
            for pane in self.query(".-alone"):
                pane.remove_class("-alone")
            self._fit_chain()
            self.say("")

    def do_escape(self) -> None:
        """One thing at a time: the pane alone, the inspector in the place of another pane, then what else is open."""
        if self.has_class("-zoom"):
            self._unzoom()
        elif self.has_class("-inspector") and not self.has_class("-wide") and self.focused is self.inspector:
            self.remove_class("-inspector")
            self._pane("chain")
        elif isinstance(self.focused, (Inspector, JobStrip)):
            self._pane("chain")
        else:
            super().do_escape()

    def _reading(self) -> Widget | None:
        """The pane of text that has the focus."""
        return self.focused if self.focused in (self.detail, self.inspector) else None

    def do_down(self) -> None:
        pane = self._reading()
        if pane is not None:
            pane.scroll_down(animate=False)
        else:
            self.chain.action_cursor_down()

    def do_up(self) -> None:
        pane = self._reading()
        if pane is not None:
            pane.scroll_up(animate=False)
        else:
            self.chain.action_cursor_up()

    def do_fold(self) -> None:
        pane = self._reading()
        if pane is not None:
            pane.scroll_page_down(animate=False)
        else:
            self.chain.fold()

    # -- sizes ----------------------------------------------------------------------------------------------------

    def take_size(self, width: int, height: int) -> None:
        """The classes by size; cursor, focus and scroll stay, unless the pane with the focus has no room any more."""
        super().take_size(width, height)
        self.set_class(width >= THIRD and self.has_class("-two"), "-mid")
        if not self.composed or self.tiny:
            return
        self._fit_chain()
        if self.has_class("-one") and not self.has_class("-zoom"):
            name = self.focused.id if self.focused is not None and self.focused.id in PANES else "chain"
            self.set_class(name == "detail", "-detail")
            self.set_class(name == "inspector", "-inspector")
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        self._mend_focus()
        self.show_inspector()
        self.show_header()

    def _mend_focus(self) -> None:
        """Give the focus to the chain, or to the text, when its pane is not on the screen."""
        if not self.composed or self.app.screen is not self or self.tiny:
            return
        if self.focused is None or not self.focused.display:
            (self.chain if self.chain.display else self.detail).focus()

    def _fit_chain(self) -> None:
        """The width that was dragged holds only beside other panes, and leaves room for them."""
        beside = not self.has_class("-one") and not self.has_class("-zoom")
        if not self._dragged or not beside:
            if self.chain.styles.inline.has_rule("width"):  # taking away what is not there lays everything out again
                self.chain.styles.width = None
            return
        third = self.inspector.outer_size.width if self.inspects and self.detail.display else 0
        self.chain.styles.width = max(LEAST_CHAIN, min(self._dragged, self.size.width - third - LEAST_TEXT))

    # -- the mouse ------------------------------------------------------------------------------------------------

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A drag begins on the border between the chain and what is beside it."""
        chain = self.chain.region
        on_border = event.screen_x in (chain.right - 1, chain.right) and chain.y <= event.screen_y < chain.bottom
        if on_border and self.chain.display and chain.right < self.size.width:
            self._dragging = True
            self.chain.capture_mouse()
            event.stop()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragging:
            self._dragged = max(LEAST_CHAIN, int(event.screen_x) - self.chain.region.x + 1)
            self._fit_chain()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._dragging:
            self._dragging = False
            self.chain.release_mouse()
            self.session.core.remember(WIDTH, self._dragged)

    def on_click(self, event: events.Click) -> None:
        """A second click on a row opens it, as Enter does."""
        if event.chain == 2 and event.widget is self.chain and "line" in event.style.meta:
            self.open_row_under_cursor()

    # -- the header -----------------------------------------------------------------------------------------------

    def show_header(self) -> None:
        """Where we are; at the right what waits, whether it is saved, money and network."""
        try:
            line = self.query_one("#header", Line)
        except NoMatches:
            return
        width = line.size.width or self.size.width - 2
        line.say(header_line(self.session.name, self._where(), self._standing(), width))

    def _where(self) -> list[Word]:
        from coi_tui.screens.bench.offs import branch_of

        address, all_of = self.chain.address, self.session.state.branches
        branch = branch_of(address) if address else 0
        place = f"branch {all_of.index(branch) + 1} of {len(all_of)}" if branch in all_of else ""
        return [Word("CoI", 10), Word(place, 9), Word(f"at {self.named(address)}" if address else "", 2, self.named(address))]

    def _standing(self) -> list[Word]:
        session, job = self.session, self.desk.job
        running = job.short if job is not None and self.desk.busy else ""
        waits = [w.replace("undecided", "to decide") for w in session.queries.waiting()]
        cap = session.settings.budget_usd
        spent = dollars(session.core.spent()[0])
        money = Word(f"{spent} of {dollars(cap)}", 4, f"{spent}/{cap:.2f}") if cap else Word(spent, 4)
        saved = Word("read-only", 1) if session.read_only_reason else Word("saved", 7)
        network = Word("offline", 3) if session.is_offline else Word("online", 8)
        brief = {"to decide": "decide"}
        brief |= {w.partition(" ")[2]: "queued" for w in waits if w.endswith("for the network")}
        words = [Word(w, 5 + n, next((w.replace(a, b) for a, b in brief.items() if a in w), "")) for n, w in enumerate(waits)]
        return [Word(running, 0), *words, saved, money, network]

    def do_legend(self) -> None:
        self.toggle_class("-no-legend")
        on = not self.has_class("-no-legend")
        self.session.core.remember(LEGEND, on)
        where = "" if self.query_one("#legend").display or not on else " It shows where there is room for it."
        self.say(f"The legend of the marks is {'on' if on else 'off'}.{where}")
