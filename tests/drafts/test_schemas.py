"""Every draft is valid against its reply schema, whatever the texts are, and equal values give equal drafts."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coi_tui.methods.coi import replies
from coi_tui.methods.imitate import replies as imitate
from coi_tui.methods.nova import replies as nova
from coi_tui.methods.scipip import replies as scipip
from coi_tui.methods.shared import replies as shared
from coi_tui.methods.virsci import replies as virsci
from coi_tui.prompts.loader import Prompts
from tests.support.drafts import DRAFTS

Object = dict[str, object]
Values = Callable[..., dict[str, Object]]
NAMES = sorted(DRAFTS)
ASIDE = {"summary"} | set(shared.Reasoned.model_fields)
"""What a reply may hold beside its answer: rules do not reason."""
HOSTILE = (
    "",
    "   \n\t ",
    "\x00\x1b[31m\x1b]0;x\x07",
    "\u200b\u202e\ufeff",
    ". . . ! ? \u3002",
    '"quoted" ((brackets ]] {{ braces }} %s %(x)s {0}',
    "\ud800 lone surrogate",
    "検索の研究。質問に答える。",
    "A" * 5000,
    "word " * 3000,
    "SUMMARY\n\nLIMITATIONS\n- \nDATASETS\nBASELINES\nENTITIES\n- :\n- x:",
    "[1] [2] References\n[1]\n[2]",
    "The method works by (((",
    "Start from and add . Module 9 ()",
    "e.g. i.e. et al. A. B. C.",
)


TEXTS = ("title", "background", "novelty", "contribution", "reasons", "limitation", "experiment", "source")
"""The texts of a card."""


def checked(name: str, given_values: Object) -> Object:
    """The draft as plain data, after the reply schema has accepted it."""
    draft = dict(DRAFTS[name](given_values))
    said = Prompts().get(name).reply
    modules = (replies, shared, scipip, nova, imitate, virsci)
    schema: type[shared.Reply] = next(found for module in modules if (found := getattr(module, said, None)))
    schema.model_validate_json(json.dumps(draft))
    assert set(draft) == {name for name, field in schema.model_fields.items() if field.is_required() or name not in ASIDE}
    return draft


@pytest.mark.parametrize("name", NAMES)
def test_values_of_the_contract_give_a_valid_draft(name: str, values: Values) -> None:
    assert set(Prompts().get(name).inputs) <= set(values()[name])
    checked(name, values()[name])


@pytest.mark.parametrize("name", NAMES)
def test_hostile_texts_give_a_valid_draft(name: str, values: Values) -> None:
    for text in HOSTILE:  # not one test each: a thousand tests of half a millisecond take ten seconds
        card: Object = dict.fromkeys(TEXTS, text)
        card.update(year=None, entities=[{"name": text, "description": text}])
        checked(name, values(text)[name])
        checked(name, values(text, chain=[card, card, card], year=None)[name])


@pytest.mark.parametrize("name", NAMES)
def test_no_papers_and_no_items_give_a_valid_draft(name: str, values: Values) -> None:
    empty = {key: [] if isinstance(value, list) else value for key, value in values("", chain=[])[name].items()}
    if name == "coi_relevances":
        return  # it is only asked about two papers or more
    checked(name, empty)
    checked(name, {})


@pytest.mark.parametrize("name", NAMES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=25, deadline=None)
@given(text=st.text(max_size=300), other=st.text(alphabet=st.sampled_from('AaBb .,:;()"-\n12'), max_size=200))
def test_any_texts_give_a_valid_draft(name: str, values: Values, text: str, other: str) -> None:
    card: Object = {
        **dict.fromkeys(("title", "novelty", "limitation"), text),
        "contribution": f"The method works by {other}",
    }
    card.update(
        background=other,
        experiment=other,
        reasons=text,
        source="summary",
        year=2020,
        entities=[{"name": other, "description": text}],
    )
    checked(name, values(other, chain=[card, {**card, "title": other}])[name])


@pytest.mark.parametrize("name", NAMES)
def test_drafting_is_deterministic_and_leaves_the_values_alone(name: str, values: Values) -> None:
    given_values = values()[name]
    before = copy.deepcopy(given_values)
    assert DRAFTS[name](given_values) == DRAFTS[name](copy.deepcopy(before))
    assert given_values == before


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_called_novel_and_no_result_is_claimed(name: str, values: Values) -> None:
    text = json.dumps(DRAFTS[name](values()[name])).casefold()
    for claim in ("is novel", "are novel", "we show", "outperforms", "state of the art", "is new "):
        assert claim not in text
