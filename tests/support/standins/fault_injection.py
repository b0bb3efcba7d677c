"""Seeded faults: which request goes wrong, and what a malformed model reply looks like."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.support.standins.settings import Faults


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to one request: "" (nothing), "429", "500", "truncated" or "malformed" with its
    style."""

    kind: str = ""
    style: str = ""

    @property
    def label(self) -> str:
        return f"{self.kind}:{self.style}" if self.style else self.kind


NONCE = "NONCE-7f3a"
"""Stands somewhere in every malformed reply."""


def draw(faults: Faults, kind: str, digest: str, nth: int) -> Fault:
    """The fault of the nth arrival of a request: always the same for the same seed and content."""
    if faults.down:
        return Fault("500")
    if nth > faults.at_most:
        return Fault()
    number = int.from_bytes(
        hashlib.sha256(f"{faults.seed}:{digest}:{nth}".encode()).digest()[:8], "big"
    )
    point, style = (number >> 16) / 2**48, list(STYLES)[number % 65536 % len(STYLES)]
    shares = (("429", faults.p429), ("500", faults.p500), ("truncated", faults.truncated))
    for name, share in shares:
        if point < share:
            return Fault(name)
        point -= share
    if kind == "chat" and point < faults.malformed:
        return Fault("malformed", style)
    return Fault()


def spoil(good: Any, fault: Fault) -> str:
    """The text of a malformed reply in the style of the fault, with the nonce in it."""
    return STYLES[fault.style](good)


def _prose(good: Any) -> str:
    return f"I thought about this for a while ({NONCE}) and would rather answer in plain words: it depends on the data."


def _cut(good: Any) -> str:
    """Right up to the cut, which falls into the first half of the text; the nonce is in its first
    value."""
    text = json.dumps(_mark(good, []), ensure_ascii=False)
    return text[: max(text.find(NONCE) + len(NONCE) + 2, len(text) // 2)]


def _mark(value: Any, done: list[bool]) -> Any:
    """The value with the nonce at the start of its first text (or as a first field where there is
    none)."""
    if isinstance(value, dict):
        marked = {key: _mark(item, done) for key, item in value.items()}
        return marked if done else {"note": NONCE, **marked}
    if isinstance(value, list):
        return [_mark(item, done) for item in value]
    if isinstance(value, str) and not done:
        done.append(True)
        return f"{NONCE} {value}"
    return value


def _types(good: Any) -> str:
    """Every field is there with a value of the wrong type."""
    if not isinstance(good, dict):
        return json.dumps([NONCE])
    wrong = {
        key: f"see {NONCE}" if isinstance(value, list | bool | int | float) else [NONCE, {"n": 7}]
        for key, value in good.items()
    }
    return json.dumps(wrong)


def _fields(good: Any) -> str:
    """Good JSON of another schema: every wanted field is missing."""
    return json.dumps({"status": "ok", "answer": f"{NONCE} as discussed above", "confidence": 0.8})


def _empty(good: Any) -> str:
    return f"<think>\nThe user wants JSON, and {NONCE} is what comes to mind first.\n</think>\n{{}}"


STYLES: dict[str, Callable[[Any], str]] = {
    "prose": _prose,
    "cut": _cut,
    "types": _types,
    "fields": _fields,
    "empty": _empty,
}
