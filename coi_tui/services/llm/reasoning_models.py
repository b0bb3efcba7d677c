"""Which models reason by themselves before they answer. They are not asked to write their reasoning
down, and get room to reason in."""

from __future__ import annotations

import re

REASONING_TOKENS = 6_000
"""Tokens added to the limit of a reply for a model that reasons by itself: most servers count its
reasoning as part of the reply."""

_NAMES = re.compile(
    r"^o[1-9](-|$)|^gpt-[56](?!.*chat)|^gpt-oss|^deepseek-(r\d|reasoner)|^qwq|^magistral|^grok-(3-mini|4)|^gemini-(2\.5|[3-9])|^phi-4-reasoning"
    r"|thinking|reasoner"
)


def reasons_itself(model: str) -> bool:
    """Whether a model of this name is known to reason by itself: ``o3``, ``openai/gpt-5-mini``,
    ``deepseek-r1:14b``.

    A name that says nothing, such as that of a deployment, is taken for a model that does not:
    asking it once too often does no harm.
    """
    return _NAMES.search(model.lower().rpartition("/")[2]) is not None
