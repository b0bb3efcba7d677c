"""Contents are read through their models, whatever a person left out of them."""

from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from coi_tui.model.content import CardContent, IdeaContent
from coi_tui.model.errors import problem
from tests.support.folding import fold
from tests.support.logs import numbered, version


def test_a_field_that_is_missing_is_empty() -> None:
    assert IdeaContent.from_stored({"title": "A", "unknown": 1}) == IdeaContent(title="A")


def test_a_field_that_does_not_fit_is_empty_and_the_others_stay() -> None:
    card = CardContent.from_stored({"problem": None, "limits": "small", "entities": "none"})
    assert card == CardContent(limits="small")


def test_a_state_reads_the_version_in_use_once() -> None:
    state = fold(numbered([version("1/idea", {"title": t}) for t in ("first", "second")]))
    read = state.read("1/idea", IdeaContent)
    assert read is not None
    assert read.title == "second"
    assert state.read("1/idea", IdeaContent) is read
    assert state.content(state.versions[1], IdeaContent).title == "first"
    assert state.read("2/idea", IdeaContent) is None
    assert state.showing("1/idea", 1).read("1/idea", IdeaContent) == IdeaContent(title="first")


class Inner(BaseModel):
    size: int = Field(default=1, ge=1, le=5)


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid")
    inner: Inner = Inner()
    kind: Literal["a", "b"] = "a"
    names: list[str] = []

    @field_validator("names")
    @classmethod
    def _not_empty(cls, given: list[str]) -> list[str]:
        if "" in given:
            raise ValueError("name every row, also the last")
        return given


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"inner": {"size": 9}}, "inner.size must be less than or equal to 5"),
        ({"kind": "c"}, "kind must be 'a' or 'b'"),
        ({"names": [""]}, "names is not valid: name every row, also the last"),
        ({"other": 1}, "other is unknown"),
    ],
)
def test_a_problem_in_our_words(given: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Outer.model_validate(given)
    assert problem(caught.value) == said
