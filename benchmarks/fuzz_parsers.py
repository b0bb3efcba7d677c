"""``python -m benchmarks.fuzz_parsers``: each reader of outside data under hostile bytes: a declared error or a value, in bounded time.

With atheris (``pip install atheris`` into an environment of its own, this program's packages on its path) the search is led by coverage;
without it the seeds are mutated at random. Each reader runs in its own process with ``--memory`` megabytes and ``--minutes`` of processor
time; an input that takes longer than ``LONGEST_S`` counts as a hang. ``--crafted`` tries the large hostile inputs alone. Inputs that were
found lie in ``--out``. Exit 1 where a reader broke.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LONGEST_S = 10
BIG = 100_000


@dataclass(frozen=True)
class Reader:
    """A reader of outside data: what it is given, the errors that it declares, and inputs to begin with."""

    read: Callable[[bytes], object]
    declared: tuple[type[Exception], ...]
    seeds: Sequence[bytes]
    crafted: Sequence[bytes] = ()


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


def _list_of_papers(ending: str) -> Callable[[bytes], object]:
    from coi_tui.literature.bibliography_files import read_bibliography

    return lambda data: read_bibliography(_text(data), f"x.{ending}")


def _written(read: Callable[[Path], object], name: str) -> Callable[[bytes], object]:
    """A reader of a file."""
    folder = Path(tempfile.mkdtemp())

    def work(data: bytes) -> object:
        (folder / name).write_bytes(data)
        return read(folder / name)

    return work


def readers() -> Mapping[str, Reader]:
    from jinja2 import TemplateError

    from coi_tui.config import load_settings
    from coi_tui.literature.arxiv import parse_atom
    from coi_tui.literature.http import parse_json
    from coi_tui.literature.ids import normalise_id
    from coi_tui.literature.title_match import match_title, normalise_title
    from coi_tui.llm.replies import Unreadable, read_reply
    from coi_tui.llm.server_errors import parse_json as parse_error
    from coi_tui.methods.shared.replies import Card
    from coi_tui.model.address import parse_address
    from coi_tui.model.errors import CoiError
    from coi_tui.model.papers import Paper
    from coi_tui.model.text import clean
    from coi_tui.prompts.loader import parse, undeclared
    from coi_tui.widgets.key_actions import read_keymap

    doubling = (
        b"@string{a0={"
        + b"x" * 100
        + b"}}"
        + b"".join(b"@string{a%d=a%d # a%d}" % (n, n - 1, n - 1) for n in range(1, 60))
    )
    feed = b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2101.00001v1</id><title>T</title></entry></feed>'
    entities = b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">' + b"".join(
        b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(12)
    )
    one = Paper(
        id="title:a", title="Gates that weigh evidence: a study", year=2020, authors=("Ann Wei",)
    )
    return {
        "bibtex": Reader(
            _list_of_papers("bib"),
            (CoiError,),
            [
                b"@article{a, title={Gates {\\'e} and}, author={Wei, Ann and Bo Foo}, year=2020, doi={10.1/x}}",
                b"@string{j = {J} # x}\n@misc(k,)",
            ],
            [
                doubling + b"@a{k, title=a59}",
                b"@a{" * BIG,
                b"@a{k,title={" * BIG,
                b'@a{k,t="' * BIG,
                b"@a{k," + b"a" * BIG + b"}",
                b"@a{k,t=a" + b"#a" * BIG + b"}",
                b"@a{k,author={" + b"a and " * BIG + b"},title={t}}",
                b"@" * BIG,
                b"@a{k,title={" + b"\\" * BIG + b"}}",
                b"@a{k,title={t},doi={10.1/" + b")" * BIG + b"}}",
                b"@a{k,title={" + b"a: " * BIG + b"}}",
                b" " * 10 * BIG,
                b"@a{k,a" + b" " * BIG + b"}",
                b"@a{k,title={" + b"&lt;" * BIG + b"<a " * BIG + b"}}",
                b"\n@a(k,t=" * BIG,
                b"@a{k,title={" + b"\\textbf{" * BIG + b"}" * BIG + b"}}",
                b"@a{k,title={" + b"$x" * BIG + b"}}",
                b"@a{k,title={" + b"\\'" * BIG + b"}}",
                b"@a{k,title={" + b"{" * BIG + b"}" * BIG + b"}}",
                b"@a{k,title={t},author={" + b"a, b and {c" * BIG + b"}" * BIG + b"}}",
                b"@a{k,title={t},note={" + b"arxiv:" * BIG + b"}}",
                b"@a{k,title={" + b"} b={" * BIG + b"}}",
                b"@a{" * 3 * BIG,
            ],
        ),
        "csl": Reader(
            _list_of_papers("json"),
            (CoiError,),
            [
                b'[{"id": "a", "title": "T", "issued": {"date-parts": [[2020, 1]]}, "author": [{"family": "W", "given": "A"}], "DOI": "10.1/x"}]'
            ],
            [
                b"[" * BIG,
                b'{"a":' * BIG,
                b"[" + b"[]," * 20 * BIG + b"[]]",
                b"[" + b"1" * BIG + b"]",
                b'[{"title": "' + b"a" * 50 * BIG + b'"}]',
                b'[{"title":"t","issued":{"date-parts":[["' + b"9" * 5000 + b'"]]}}]',
            ],
        ),
        "ris": Reader(
            _list_of_papers("ris"),
            (CoiError,),
            [b"TY  - JOUR\nTI  - T\nAU  - Wei, Ann\nPY  - 2020\nER  - \n"],
            [
                b"TY  - JOUR\nTI  - T\n" + b"more and more\n" * 5 * BIG,
                b"TY  - JOUR\nTI  - T\n" + b"AU  - A, B\n" * 5 * BIG,
                b"TI  - a" * BIG,
                b"TY  - JOUR\nTY  - JOUR\n" * BIG,
                b"TY  - J\nTI  - a" + b"\n" * 10 * BIG,
            ],
        ),
        "settings": Reader(
            _written(lambda file: load_settings(file, {}), "config.toml"),
            (CoiError,),
            [b"[llm]\nmodel = 'x'\n", b"source = 'arxiv'\nx = {a = [1]}"],
            [
                b"a = " + b"[" * BIG,
                b"[" * BIG,
                b"a." * BIG + b"b = 1",
                b"[" + b"a." * BIG + b"b]",
                b"a = " + b"{b = " * BIG,
                b"\xff",
                b"a=1\n" * BIG,
            ],
        ),
        "keys file": Reader(
            _written(lambda file: read_keymap(file, {}), "keys.toml"),
            (),
            [b"accept = 'a'\n[x]\ny = 'b'"],
            [b"a = " + b"[" * BIG, b"a." * BIG + b"b = 1", b"[" + b"a." * BIG + b"b]", b"\xff"],
        ),
        "prompt file": Reader(
            lambda data: undeclared(parse(_text(data), "x")),
            (CoiError, TemplateError),
            [
                b"+++\nname='a'\nversion=1\nrole='b'\nreply='c'\ninputs=['x']\n+++\n# System\nHi {{ x }}\n# User\n{% for a in x %}{{a}}{% endfor %}"
            ],
            [
                b"+++\na = " + b"[" * BIG + b"\n+++\n# System\na\n# User\nb",
                b"+++\n" * BIG,
                b"+++\n+++\n# System\n" + b"\n# User\n" * BIG,
            ],
        ),
        "arxiv feed": Reader(
            parse_atom,
            (ValueError,),
            [feed],
            [
                entities + b"]><feed>&m;</feed>",
                b"<a>" * BIG,
                feed.replace(b"T<", b"<b>" * BIG + b"<"),
                b"<feed xmlns='http://www.w3.org/2005/Atom'" + b" a='b'" * BIG + b"/>",
            ],
        ),
        "service json": Reader(
            parse_json,
            (ValueError,),
            [b'{"data": [{"title": "T"}]}'],
            [b"[" * BIG, b'{"a":' * BIG, b"[" + b"[]," * 20 * BIG + b"[]]"],
        ),
        "server error": Reader(
            parse_error,
            (),
            [b'{"error": {"message": "m", "code": 429}}'],
            [b"[" * BIG, b'{"a":' * BIG],
        ),
        "model reply": Reader(
            lambda data: read_reply(_text(data), "stop", Card),
            (CoiError, Unreadable),
            [
                b'<think>a</think>```json\n{"background": "b", "novelty": "n"}\n```',
                b"{'background': 'x',}",
            ],
            [
                b"{" * BIG,
                b'{"a":' * BIG,
                b"[" * BIG,
                b"<think>" * BIG,
                b"{}<think>" * (BIG // 10),
                b"```" * BIG,
                b'{"a": "' + b"\\" * BIG + b'"}',
                b"{'a': [" * 20_000,
            ],
        ),
        "address": Reader(
            lambda data: parse_address(_text(data)),
            (CoiError,),
            [b"1/+2.card", b"S1/1/idea", b"A/1-2", b"Q2"],
            [
                b"Q" + b"9" * BIG,
                b"1/" + b"9" * BIG,
                b"A/" + b"9" * BIG + b"-1",
                b"S" + b"9" * BIG + b"/1/idea",
                b"/" * BIG,
            ],
        ),
        "titles and ids": Reader(
            lambda data: (
                normalise_id(_text(data)),
                normalise_title(_text(data)),
                match_title(clean(_text(data)), [one], 2020),
            ),
            (),
            [b"Gates that weigh evidence", b"https://doi.org/10.1/x", b"$\\beta$-VAE: a"],
            [
                b"10.1234/" + b")" * BIG,
                b"&amp;" * BIG,
                b"<a " * BIG,
                b"\x1b]" * BIG,
                b"http://" + b"a." * BIG,
                b"10.1234/a" + b".pdf" * BIG,
            ],
        ),
    }


# -- one reader, in a process of its own --------------------------------------------------------------------------


def mutated(dice: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A seed with pieces of itself and of others cut, doubled, put in and changed."""
    data = bytearray(dice.choice(seeds))
    for _ in range(dice.randint(1, 8)):
        at, end = sorted(dice.randint(0, len(data)) for _ in range(2))
        other = dice.choice(seeds)
        start = dice.randint(0, max(0, len(other) - 1))
        kinds = (
            b"",
            bytes(data[at:end]) * dice.randint(2, 50),
            other[start : start + 20],
            dice.randbytes(dice.randint(1, 4)),
            b"{}[]()\\\"'#@=,:\n"[start % 15 :][:1],
        )
        data[at:end] = dice.choice(kinds)
        del data[100_000:]
    return bytes(data)


def run_one(name: str, seconds: float, out: Path, seed: int) -> int:
    """Feed one reader for so much processor time. What breaks it is written to ``out``, and ends this."""
    import signal

    reader, tried = readers()[name], 0
    last = bytearray()

    def hung(*_: object) -> None:
        raise TimeoutError(f"longer than {LONGEST_S} s")

    signal.signal(signal.SIGALRM, hung)

    def once(data: bytes) -> None:
        nonlocal tried
        tried += 1
        last[:] = data
        signal.setitimer(signal.ITIMER_REAL, LONGEST_S * 6)  # of a clock that other work shares
        began = time.process_time()
        try:
            reader.read(data)
        except reader.declared:
            pass
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if time.process_time() - began > LONGEST_S:
            raise TimeoutError(f"longer than {LONGEST_S} s")

    began = time.process_time()
    why = ""
    try:
        for data in (*reader.seeds, *reader.crafted):
            once(data)
        dice, large = (
            random.Random(f"{name}:{seed}"),
            list(reader.seeds) + [c[:200] for c in reader.crafted],
        )
        while time.process_time() - began < seconds:
            once(mutated(dice, large))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the finding
        why = f"{type(error).__name__}: {str(error)[:80]}"
        (out / f"{name.replace(' ', '-')}.bin").write_bytes(last)
    print(
        json.dumps(
            {
                "name": name,
                "tried": tried,
                "seconds": time.process_time() - began,
                "peak": _peak_mb(),
                "why": why,
            }
        )
    )
    return 1 if why else 0


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def run_guided(name: str, seconds: float, out: Path) -> int:
    """The same led by coverage. What it came to is printed when so much processor time is used, which ends the process."""
    import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]

    with atheris.instrument_imports(
        include=[
            "coi_tui",
            "tomllib",
            "json_repair",
            "bibtexparser",
            "pylatexenc",
            "rispy",
            "jinja2",
        ]
    ):
        reader = readers()[name]
        for data in reader.seeds:  # what a reader loads when it reads is looked on too
            with suppress(*reader.declared):
                reader.read(data)
    corpus = out / f"corpus-{name.replace(' ', '-')}"
    corpus.mkdir(parents=True, exist_ok=True)
    for n, data in enumerate((*reader.seeds, *(c[:200] for c in reader.crafted))):
        (corpus / f"seed{n}").write_bytes(data)

    tried, began = 0, time.process_time()

    def once(data: bytes) -> None:
        nonlocal tried
        tried += 1
        with suppress(*reader.declared):
            reader.read(data)
        if (used := time.process_time() - began) >= seconds:
            print(
                json.dumps(
                    {
                        "name": name,
                        "tried": tried,
                        "seconds": round(used),
                        "peak": _peak_mb(),
                        "why": "",
                    }
                ),
                flush=True,
            )
            os._exit(0)  # libFuzzer knows a limit of the clock alone, and catches every exception

    options = [
        f"-timeout={LONGEST_S * 6}",
        "-rss_limit_mb=1000",
        f"-artifact_prefix={out}/{name.replace(' ', '-')}-",
        "-max_len=20000",
        "-print_final_stats=1",
        "-verbosity=0",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], once)
    atheris.Fuzz()
    return 0


def results(
    names: Sequence[str], seconds: float, out: Path, seed: int, memory: int
) -> Iterator[dict[str, object]]:
    limit = memory * 2**20
    for name in names:
        found = subprocess.run(
            [
                sys.executable,
                "-m",
                "benchmarks.fuzz_parsers",
                "--one",
                name,
                "--seconds",
                str(seconds),
                "--out",
                str(out),
                "--seed",
                str(seed),
            ],
            capture_output=True,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        )
        lines = found.stdout.strip().splitlines()
        yield (
            json.loads(lines[-1])
            if lines
            else {"name": name, "tried": 0, "seconds": 0, "peak": 0, "why": found.stderr[-200:]}
        )


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.fuzz_parsers", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "--minutes", type=float, default=10, help="of processor time for each reader (default 10)"
    )
    parser.add_argument("--crafted", action="store_true", help="the large hostile inputs alone")
    parser.add_argument(
        "--guided",
        metavar="NAME",
        help="one reader under atheris, in this process, for --seconds of processor time",
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these readers alone")
    parser.add_argument(
        "--memory",
        type=int,
        default=1500,
        metavar="MB",
        help="address space of each process (default 1500)",
    )
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "coi-fuzz")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=600, help=argparse.SUPPRESS)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    if args.guided:
        return run_guided(args.guided, args.seconds, args.out)
    if args.one:
        return run_one(args.one, args.seconds, args.out, args.seed)
    from benchmarks.coi_process import (
        table,
    )  # not at the top: under atheris nothing of the program may be loaded before it looks on

    found = list(
        results(
            args.only or list(readers()),
            0 if args.crafted else args.minutes * 60,
            args.out,
            args.seed,
            args.memory,
        )
    )
    print(
        table(
            [
                (r["name"], r["tried"], f"{r['seconds']:.0f}", r["peak"], r["why"] or "none")
                for r in found
            ],
            ("reader", "inputs", "s of processor", "peak MB", "undeclared error or hang"),
        )
    )
    return 1 if any(r["why"] for r in found) else 0


if __name__ == "__main__":
    raise SystemExit(main())
