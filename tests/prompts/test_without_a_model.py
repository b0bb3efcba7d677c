"""Every prompt is answered without a model by what its reply schema takes, whatever the texts are,
and equally for equal values."""

import asyncio
import copy
from collections.abc import Callable

import pytest

from coi_tui.prompts.loader import Prompts
from coi_tui.services.llm.chat import ChatRequest
from coi_tui.services.llm.offline import Drafter
from tests.prompts.test_builtin_prompts import schema_of
from tests.support.drafts import DRAFTS

Object = dict[str, object]
Values = Callable[..., dict[str, Object]]
PROMPTS = Prompts()
NAMES = PROMPTS.names()
HOSTILE = (
    "",
    "   \n\t ",
    "\x00\x1b[31m\x1b]0;x\x07",
    "\u200b\u202e\ufeff",
    ". . . ! ? \u3002",
    "検索の研究。",
    '"quoted" ((brackets ]] {{ braces }} %s %(x)s {0}',
    "A" * 5000,
    "word " * 3000,
    "[1] [2] References\n[1]\n[2]",
    "e.g. i.e. et al. A. B. C.",
    "SUMMARY\n\nLIMITATIONS\n- \nDATASETS\nBASELINES\nENTITIES\n- :\n- x:",
    'To write: it. From “x”: "y". Worksheet 1: ',
    "The method works by (((",
)


def answered(name: str, given: Object) -> str:
    """What the drafter answers, after the reply schema has accepted it."""
    prompt, schema = PROMPTS.get(name), schema_of(name)
    system, user = prompt.render(given)
    request = ChatRequest(
        prompt.role,
        name,
        prompt.version,
        prompt.hash,
        system,
        user,
        schema.__name__,
        schema.model_json_schema(),
        0.0,
        100,
        given,
        address="1/idea",
    )
    text = asyncio.run(Drafter(DRAFTS).complete(request)).text
    schema.model_validate_json(text)
    return text


@pytest.mark.parametrize("name", NAMES)
def test_any_texts_give_a_valid_answer(name: str, values: Values) -> None:
    for (
        text
    ) in HOSTILE:  # not one test each: a thousand tests of half a millisecond take ten seconds
        answered(name, values(text)[name])
    empty = {key: [] if isinstance(value, list) else value for key, value in values()[name].items()}
    if name not in ("coi_relevances", "coi_novelty_verdicts"):  # these are asked about papers
        assert answered(name, empty) == answered(name, copy.deepcopy(empty))
