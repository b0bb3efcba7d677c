"""What pydantic refuses is told in our words."""

from __future__ import annotations

from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from coi_tui.model.errors import problem


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
