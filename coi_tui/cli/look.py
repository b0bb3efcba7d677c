"""Commands that look: ls, show, why, log, verify."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from coi_tui.cli.output import as_json, json_option, opened, say

if TYPE_CHECKING:
    from coi_tui.session.session import Session


def _version(session: Session, line: dict[str, Any]) -> str:
    """The version that a decision is about, counted within its cell."""
    from coi_tui.model.naming import version_name

    return version_name(session.state, line["address"], int(line["value"]["version"]))


@click.command()
@json_option
def ls(json_out: bool) -> None:
    """List the sessions, last used first."""
    from coi_tui.paths import paths
    from coi_tui.store.summary import list_sessions

    found = list_sessions(paths().sessions)
    if json_out:
        as_json([
            {"name": p.name, "topic": p.topic, "method": p.method, "opened": p.opened, "state": p.state, "reason": p.reason,
             "file": str(p.path), "summary": p.summary}
            for p in found
        ])  # fmt: skip
        return
    if not found:
        say("No sessions yet. `coi run TOPIC` starts one, `coi demo --headless` shows the whole method offline.")
    for p in found:
        waiting = ", ".join(p.summary.get("waiting", [])) or "-"
        trouble = "" if p.state == "ok" else f"  {p.state}: {p.reason}"
        say(f"{p.name:32} {p.summary.get('step', '-'):11} {waiting:28} ${p.summary.get('spent_usd', 0.0):.2f}  {p.topic}{trouble}")


@click.command()
@click.argument("name")
@click.argument("address", required=False)
@json_option
def show(name: str, address: str | None, json_out: bool) -> None:
    """Show a session's tree, or one cell with its marks and freshness."""
    with opened(name, read_only=True) as session:
        if address is None:
            rows = session.queries.rows()
            if json_out:
                as_json({"name": session.name, "stage": session.queries.stage_reached(), "waiting": session.queries.waiting(),
                         "rows": [vars(r) for r in rows]})  # fmt: skip
                return
            for r in rows:
                tail = "".join(f"  {word}" for word in (r.year, r.note) if word)
                say(f"{r.address:12} {r.marks}  {'  ' * r.depth}{r.label:5} {r.title}{tail}")
            say("Marks, 1st: ? undecided  + accepted  P pinned  x rejected  - no verdict applies  _ empty")
            say("2nd: . fresh  ~ stale  : stale upstream  _ not made yet  * running  ! failed")
            say("3rd: m model  d drafted without a model  e edited by you  h yours  s found in a source  L protected")
            return
        at = session.queries.resolve(address)
        found, status, trouble = session.queries.detail(at), session.core.freshness(at), session.queries.failure(at)
        words = next((r.words for r in session.queries.rows() if r.address == at), f"{at}, {status.status}")
        if json_out:
            from coi_tui.model.naming import version_number

            version = session.state.in_use(at)
            as_json({"address": at, "title": found.title, "words": words, "freshness": status.status, "changed": status.changed,
                     "needs": status.needs, "upstream": status.upstream, "choice_waits": status.choice_waits,
                     "failed": trouble.happened if trouble else "",
                     "version": version.seq if version else None,
                     "version_number": version_number(session.state, at, version.seq) if version else None,
                     "origin": version.origin if version else None,
                     "content": dict(version.content) if version else None, "parts": found.parts})  # fmt: skip
            return
        say(found.title)
        say(words)
        if trouble is not None:
            say(f"\nFAILED\n{trouble.happened}\n{trouble.intact}")
        for heading, text in found.parts:
            say(f"\n{heading}\n{text}" if heading else f"\n{text}")


@click.command()
@click.argument("name")
@click.argument("address")
@json_option
def why(name: str, address: str, json_out: bool) -> None:
    """Say in sentences where a cell comes from, what it rests on and what it feeds."""
    with opened(name, read_only=True) as session:
        sentences = session.queries.why(session.queries.resolve(address))
        if json_out:
            as_json(sentences)
        else:
            say("\n".join(sentences))


@click.command()
@click.argument("name")
@json_option
def log(name: str, json_out: bool) -> None:
    """List the decisions, oldest first; those taken back are marked."""
    from coi_tui.model.fold import undone_groups

    with opened(name, read_only=True) as session:
        undone = undone_groups(session.core.journal.entries)
        void = dict(session.state.void)
        lines: list[dict[str, Any]] = []
        for d in session.core.decision_log():
            mark = "undone" if d.group in undone else f"void: {void[d.seq]}" if d.seq in void else ""
            lines.append({"seq": d.seq, "time": d.time, "actor": d.actor, "action": d.action, "address": d.address,
                          "reason": d.reason, "mark": mark, "value": dict(d.value)})  # fmt: skip
        if json_out:
            as_json(lines)
            return
        for line in lines:
            about = line["value"].get("paper") or (_version(session, line) if "version" in line["value"] else "")
            tail = f"  [{line['mark']}]" if line["mark"] else ""
            head = f"{line['seq']:>5}  {line['time']}  {line['actor']:3}  {line['action']:9} {line['address']:10}"
            say(f"{head} {about}  {line['reason']}{tail}".rstrip())


@click.command()
@click.argument("name")
@json_option
def verify(name: str, json_out: bool) -> int:
    """Fold the log anew, check hashes and the file, and say what was found."""
    with opened(name, read_only=True) as session:
        findings = session.verify()
        entries, calls = session.core.journal.entries, session.core.file.calls()
        counts = f"{len(entries)} log entries, {len(session.state.versions)} versions, {len(calls)} calls"
    if json_out:
        as_json({"sound": not findings, "findings": findings})
    elif findings:
        say("\n".join(findings))
    else:
        say(f"Sound: {counts}; the log folds to the same state, hashes and integrity hold.")
    return 1 if findings else 0
