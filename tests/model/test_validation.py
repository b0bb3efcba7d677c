"""What pydantic refuses is told in our words."""

from __future__ import annotations

from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from coi_tui.model.validation import problem


class Inner(BaseModel):
    size: int = Field(default=1, ge=1, le=5)


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid")
    inner: Inner = Inner()
    share: float = Field(default=0.5, gt=0, lt=1)
    on: bool = True
    kind: Literal["a", "b"] = "a"
    names: list[str] = []
    code: str = Field(default="", pattern="^x*$")

    @field_validator("names")
    @classmethod
    def _not_empty(cls, given: list[str]) -> list[str]:
        if "" in given:
            raise ValueError("name every row, also the last")
        return given


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"inner": {"size": 9}}, "inner.size must be at most 5"),
        ({"inner": {"size": 0}}, "inner.size must be at least 1"),
        ({"inner": {"size": "many"}}, "inner.size must be a whole number"),
        ({"inner": 3}, "inner must be a table"),
        ({"share": 0}, "share must be more than 0"),
        ({"share": 1}, "share must be less than 1"),
        ({"share": "half"}, "share must be a number"),
        ({"on": "maybe"}, "on must be true or false"),
        ({"kind": "c"}, "kind must be 'a' or 'b'"),
        ({"names": "one"}, "names must be a list"),
        ({"names": [3]}, "names.0 must be text"),
        ({"names": [""]}, "names is not valid: name every row, also the last"),
        ({"code": "y"}, "code does not have the form that it must have"),
        ({"other": 1}, "other is unknown"),
    ],
)
def test_a_problem_in_our_words(given: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Outer.model_validate(given)
    assert problem(caught.value) == said


def test_a_problem_of_the_whole() -> None:
    with pytest.raises(ValidationError) as caught:
        Outer.model_validate(3)
    assert problem(caught.value, "the row") == "the row must be a table"
