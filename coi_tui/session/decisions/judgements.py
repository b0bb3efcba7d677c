"""A person's judgements beside the model's: of papers in a novelty report, of matches, of review
points. None makes anything stale but a ticked paper or point, which the next draft must answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from coi_tui.methods.ideas.stages import bad_case
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.content import CLOSENESS, NoveltyReport
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.reviewing import ANY_PART, PARTS, points_of
from coi_tui.model.text import clean_line, count
from coi_tui.present.comparisons import CRITERIA, JUDGEMENTS, OPENED
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.decisions import together


class Judgements:
    """Judging what a model has judged."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core

    def tick_bad_case(self, branch: Branch, paper: str, reason: str = "") -> Decision:
        """Hold a paper of the novelty report (by its place in it, id or title) against the idea:
        the next draft must differ from it."""
        state = self._core.state
        report = state.in_use(f"{branch}/nov")
        rows = state.content(report, NoveltyReport).papers if report is not None else []
        said = paper.strip().casefold()
        for n, row in enumerate(rows, start=1):
            known = state.papers.get(row.paper)
            title = known.title if known else row.paper
            if said in (str(n), row.paper.casefold()) or (
                len(said) > 3 and said in title.casefold()
            ):
                assert report is not None
                return self._core.decide(
                    "tick", f"{branch}/bad", bad_case(state, report, row, reason), reason
                )
        raise UsageError(
            f"{paper!r} is not among the {count(len(rows), 'paper')} of {branch}/nov.",
            "Name its place in the report, its id or title.",
        )

    def judge(self, branch: Branch, paper: str, judgement: str, reason: str = "") -> Decision:
        """The researcher's own judgement of a paper beside the report's; empty takes it back. It
        makes nothing stale."""
        self._require_compared(branch, paper)
        if judgement and judgement not in JUDGEMENTS:
            raise UsageError(
                f"Unknown judgement {judgement[:40]!r}.",
                f"Write one of these in quotes: {'; '.join(JUDGEMENTS)}.",
            )
        return self._core.decide(
            "judge", f"{branch}/nov", {"paper": paper, "judgement": judgement}, reason
        )

    def note_on_paper(self, branch: Branch, paper: str, note: str) -> Decision:
        """A note beside the judgement of a paper, for the export as well; empty takes it away. It
        is sent to no model."""
        self._require_compared(branch, paper)
        judgement = self._core.state.judged.get((branch, paper), "")
        return self._core.decide(
            "judge",
            f"{branch}/nov",
            {"paper": paper, "judgement": judgement, "note": clean_line(note).strip()},
        )

    def claims_as_text(self, branch: Branch) -> str:
        """The claims of the report in use as a person begins to edit them."""
        report = self._core.state.read(f"{branch}/nov", NoveltyReport) or NoveltyReport()
        return "\n".join(
            f"- {claim.kind}: {claim.text}" if claim.kind else f"- {claim.text}"
            for claim in report.claims
        )

    def own_verdict(self, branch: Branch, verdict: str, reason: str = "") -> Decision:
        """The researcher's own verdict on the idea beside the report's, kept through every check;
        empty takes it back."""
        if self._core.state.in_use(f"{branch}/nov") is None:
            raise UsageError(f"Branch {branch} has no novelty report.", "v makes a report.")
        if verdict and verdict not in CLOSENESS:
            raise UsageError(
                f"Unknown verdict {verdict[:40]!r}.",
                f"Write one of these in quotes: {'; '.join(CLOSENESS)}.",
            )
        return self._core.decide(
            "judge", f"{branch}/nov", {"paper": "", "judgement": verdict}, reason
        )

    def _require_compared(self, branch: Branch, paper: str) -> None:
        """Raise UsageError for a paper that the report in use did not compare."""
        report = self._core.state.read(f"{branch}/nov", NoveltyReport)
        if report is None or all(row.paper != paper for row in report.papers):
            raise UsageError(
                f"{paper} is not in the novelty report of branch {branch}.", "v makes a report."
            )

    def vote(self, match: str, criterion: str, winner: Branch | None, reason: str = "") -> Decision:
        """The researcher's vote on one criterion of a match: a branch of it, 0 for a tie, None
        takes it back.

        A model need not have judged it: the person's view comes first. Raises UsageError.
        """
        return self.vote_on(match, (criterion,), winner, reason)

    def vote_on(
        self, match: str, criteria: Sequence[str], winner: Branch | None, reason: str = ""
    ) -> Decision:
        """The same vote on several criteria, as one decision to undo."""
        at = parse_address(match)
        if at.part != "match" or not {at.branch, at.other} <= set(self._core.state.ideas()):
            raise UsageError(
                f"{match} is no match of two ideas of this session.",
                "Tag two ideas with t, then = opens their match.",
            )
        if (
            not criteria
            or not set(criteria) <= set(CRITERIA)
            or winner not in (None, 0, at.branch, at.other)
        ):
            raise UsageError(
                f"No such vote in {match}.",
                f"Criteria: {', '.join(CRITERIA)}; for {at.branch}, {at.other} or 0.",
            )
        cast = [
            ("vote", match, {"criterion": c, "winner": winner}) for c in dict.fromkeys(criteria)
        ]
        return together(self._core, cast, reason)

    def open_match(self, match: str) -> Decision:
        """Show the model's judgement of a match before the votes on it: the log says so, and
        ``undo`` hides it again."""
        if parse_address(match).part != "match" or self._core.state.in_use(match) is None:
            raise UsageError(f"{match} is not a match that was judged.", "g plays matches.")
        seen = [*(self._core.state.settings.get(OPENED) or ()), match]
        reason = f"the judge's view of {match} was shown before the votes"
        return self._core.decide("settings", "session", {OPENED: sorted(set(seen))}, reason)

    def mark_point(self, branch: Branch, point: int, mark: str, reason: str = "") -> Decision:
        """Tick, untick or dismiss a review point."""
        review = self._core.state.in_use(f"{branch}/review")
        if review is None or not any(
            p.n == point for p in points_of(self._core.state, branch, review)
        ):
            raise UsageError(f"The review of branch {branch} has no point {point}.")
        return self._core.decide(
            mark, f"{branch}/review", {"version": review.seq, "point": point}, reason
        )

    def add_point(self, branch: Branch, text: str, reason: str = "") -> Decision:
        """A point of the person's own beside the reviewer's; ``metrics: ...`` says which part it is
        about. Makes nothing stale."""
        review = self._core.state.in_use(f"{branch}/review")
        if review is None:
            raise UsageError(f"Branch {branch} has no review to add a point to.", "V makes one.")
        part, said = ANY_PART, clean_line(text)
        head, _, rest = said.partition(":")
        if head.strip().casefold() in PARTS:
            part, said = head.strip().casefold(), rest.strip()
        if not said:
            raise UsageError("A review point needs a few words.", "Say what is to be changed.")
        number = 1 + max((p.n for p in points_of(self._core.state, branch, review)), default=0)
        point = {"n": number, "part": part, "point": said}
        return self._core.decide(
            "add", f"{branch}/review", {"version": review.seq, "point": point}, reason
        )
