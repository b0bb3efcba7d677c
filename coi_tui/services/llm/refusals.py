"""Whether a text of a model is no answer but a refusal ("I'm sorry, but I can't help with that").

Only what the model says of itself at the beginning of a text counts: that a method "cannot be
applied", or "I cannot tell from the abstract", is an answer.
"""

from __future__ import annotations

import re

MOST_CHARS = 600
"""A longer text has said something."""

_SORRY = (
    r"(?:sorry|(?:my )?apologies|(?:i'm|i am|im) (?:\w+ )?sorry|i apologi[sz]e|i (?:\w+ )?regret)"
    r"(?: for [\w' ]{1,40}?)?(?: that)?(?: but| however)?"
)
_NOT = r"(?:can't|cant|can not|cannot|unable to|not able to|won't|will not|(?:must|have to|need to) decline to)"
_CANNOT = rf"i(?:'m| am|m)? {_NOT}"
_REQUEST = r"(?:(?:this|that|your|such|the) (?:\w+ )?(?:request|prompt|task)|that)"
_HELP = (
    r"(?:help(?! but)|assist|comply|engage|fulfil+"
    rf"|(?:answer|complete|continue|proceed|process|respond|support|do)(?: to| with)? {_REQUEST})\b"
)
_AI = r"as an? (?:ai|artificial intelligence|large language|language)\b[\w' ]{0,60}? i (?:can't|cant|cannot|am|don't|do not|won't|must)\b"
_BEGINS = re.compile(
    rf"(?:unfortunately )?(?:{_SORRY} {_CANNOT}\b|(?:{_SORRY} )?{_AI}|{_CANNOT} {_HELP})"
)
_WHOLE = re.compile(
    r"(?:(?:the|this|your) )?(?:request|answer|response|content) (?:(?:was|is|has been) )?(?:refused|declined|denied|blocked|withheld)"
    r"|refus(?:al|ed)"
)
_BETWEEN_WORDS = re.compile(r"[^\w']+")


def declines(text: str) -> bool:
    """Whether a text begins as a refusal, or says nothing but that there is one."""
    if len(text) > MOST_CHARS:
        return False
    said = _BETWEEN_WORDS.sub(" ", text.replace("’", "'").casefold()).strip()
    return bool(_BEGINS.match(said) or _WHOLE.fullmatch(said))
