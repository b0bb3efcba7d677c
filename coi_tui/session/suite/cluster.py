"""The sessions of a suite as tasks of a Dask cluster whose workers see the same folder. A task names a
session and nothing else: settings and keys are those of the worker's own environment.

Sessions are resumable and their locks go with their process, so a task whose worker was lost goes on
on another.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from coi_tui.engine.recorder import Event, Listener
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.paths import paths
from coi_tui.session.environment import Environment
from coi_tui.session.settings import load_keys, load_settings
from coi_tui.session.suite.contest import Contest, Progress


def make(file: str, source: str) -> str:
    """In a worker: run the session of that name. Why it failed, or nothing."""
    found = paths()
    try:
        env = Environment(found, load_settings(found.config_file), load_keys())
        contest = Contest(Path(file), env)
        return asyncio.run(contest.make(source))
    except CoiError as error:
        return str(error)


async def make_sessions(contest: Contest, address: str, listen: Listener) -> None:
    """Have the sessions that are missing made by the workers of a scheduler; those that failed are in
    ``contest.failed``. Raises UsageError without Dask or a scheduler."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise UsageError(
            "The package distributed is not installed.", "pip install 'coi-tui[cluster]'"
        ) from None
    try:
        client = await Client(address, asynchronous=True)
    except (OSError, ValueError):
        raise UsageError(f"No Dask scheduler answers at {address}.") from None
    contest.listen = listen
    async with client:
        due = contest.sessions_left()
        made, file = Progress(len(due)), str(contest.file.resolve())
        tasks = {
            client.submit(make, file, entry.source, key=f"coi-{entry.source}", pure=False): entry
            for entry in due
        }
        async for task, cause in as_completed(tasks, with_results=True, raise_errors=False):
            what = tasks[task].name
            if task.status == "error":
                cause = f"It failed on a worker: {cause[0].__name__}."
            if cause:
                contest.fail(what, cause)
            listen(Event("task done", "session", f"{what} ({made.next()})"))
            if contest.interrupted:  # the tasks that wait are given up with the client
                break
