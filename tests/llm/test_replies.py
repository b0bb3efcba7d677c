"""Reading replies: what is read, what never is, and that no part of a reply gets into a cause."""

import json
import traceback
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from coi_tui.methods.base.reply_models import Facts, LongCard, NoveltyVerdicts, Review
from coi_tui.methods.coi.kinds import Direction
from coi_tui.methods.ideas.sketch_tasks import SketchReply, WorkedOut
from coi_tui.model.text import clean
from coi_tui.services.llm.reply_reading import ParsedReply, Unreadable, hints_of, read_reply
from tests.support.desk import PROMPTS

NONCE = "zqxnoncezqx"


class Part(BaseModel):
    name: str
    weight: int = 0


class Shape(BaseModel):
    """Every kind of field that replies have."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    title: str
    relevant: bool
    choice: Literal[0, 1, 2]
    verdict: Literal["partial", "not close"]
    parts: list[Part] = Field(max_length=3)
    query: str | None = None
    table: dict[str, int] = {}


GOOD: dict[str, Any] = {
    "title": 'A {title} with [brackets], "quotes", it\'s // no # comment, ``` and \\ a backslash',
    "relevant": True,
    "choice": 2,
    "verdict": "partial",
    "parts": [{"name": "ä\nβ 😀", "weight": 3}],
    "query": None,
    "table": {"a": 1},
}
GOOD_TEXT = json.dumps(GOOD)


def cause_of(text: str, finish_reason: str = "stop", schema: type[BaseModel] = Shape) -> str:
    with pytest.raises(Unreadable) as caught:
        read_reply(text, finish_reason, schema)
    check_clean(caught.value)
    return caught.value.cause


def check_clean(error: Unreadable) -> None:
    shown = (
        f"{error} {error!r} {error.args} {vars(error)} {''.join(traceback.format_exception(error))}"
    )
    assert NONCE not in shown.casefold()
    assert error.__cause__ is None
    assert error.__context__ is None
    assert error.cause.endswith(".")
    assert error.cause.count(". ") == 0


# ---- what is read


@pytest.mark.parametrize(
    "text",
    [
        GOOD_TEXT,
        f"```json\n{GOOD_TEXT}\n```",
        f"```\n{json.dumps(GOOD, indent=2)}\n```\n",
        f"Here's what you asked for:\n{GOOD_TEXT}\nDon't hesitate to ask!",
        f"Let {{x}} be the set. Then {GOOD_TEXT}",
        f'<think>maybe {{"title": 1}}, it\'s hard</think>\n{GOOD_TEXT}',
        f"thinking without its start</think>{GOOD_TEXT}",
        f"<think>a</think> and <think>b</think>```json\n{GOOD_TEXT}```",
        f"<THINK>a</THINK>{GOOD_TEXT}",
    ],
)
def test_one_object_is_read_whatever_stands_around_it(text: str) -> None:
    read = read_reply(text, "stop", Shape)
    assert read.value == Shape(**GOOD)


def test_texts_are_cleaned() -> None:
    reply = json.dumps({**GOOD, "title": "a\x1b[2Jb\u202ec\ud800", "extra": "dropped"})
    assert read_reply(reply, "stop", Shape).value.title == "abc\ufffd"


class Small(BaseModel):
    a: str
    b: int = 0
    c: bool | None = None
    d: list[str] = []


def test_a_line_break_within_a_text_is_read() -> None:
    assert read_reply('{"a": "x\ny"}', "stop", Small).value == Small(a="x\ny")


# ---- what is not read


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_a_cut_or_filtered_reply_is_not_read_even_when_it_looks_whole(reason: str) -> None:
    cause_of(GOOD_TEXT, reason)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        ("I cannot help.", "refused to answer, in words"),
        ("It cannot help.", "no JSON object"),
        ("'' null 42", "no JSON object"),
        (GOOD_TEXT[:-1], "incomplete"),
        (f"<think>{GOOD_TEXT}", "thinking"),
        (f"{GOOD_TEXT}{GOOD_TEXT}", "more than one"),
        (f"[{GOOD_TEXT}]", "list"),
        (f"As a list: [{GOOD_TEXT}]", "list"),
        (f"[{GOOD_TEXT},{GOOD_TEXT}]", "more than one"),
        ('{"title": "a", "title": "b"}', "damaged"),
        ('{"a":' * 5000 + "}" * 5000, "deep"),
        ('{"a":' + "[" * 5000 + "]" * 5000 + "}", "deep"),
        ("{'title': 'a'}", "no JSON object"),
        ('{"title": "a", "relevant": true,}', "damaged"),
        ('{"title": NaN}', "damaged"),
        ('{"title": "a", "b": ' + "9" * 5000 + "}", "damaged"),
        ("{}", "schema"),
    ],
)
def test_unreadable(text: str, word: str) -> None:
    assert word in cause_of(text)


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"relevant": None}, "relevant is of the wrong kind"),
        ({"choice": 3}, "choice is none of the allowed values"),
        ({"verdict": NONCE}, "verdict is none of the allowed values"),
        ({"title": 3}, "title is of the wrong kind"),
        (
            {"parts": [{"name": "a"}, {"name": NONCE, "weight": NONCE}]},
            "parts[1].weight is of the wrong kind",
        ),
        ({"parts": [{}]}, "parts[0].name is missing"),
        ({"table": {NONCE: NONCE}}, "table is of the wrong kind"),
    ],
)
def test_the_cause_names_the_field(change: dict[str, Any], cause: str) -> None:
    assert (
        cause_of(json.dumps({**GOOD, **change})) == f"The reply does not match the schema: {cause}."
    )


# ---- properties

TEXTS = st.text().map(clean)
SHAPES = st.builds(
    Shape,
    title=TEXTS,
    relevant=st.booleans(),
    choice=st.sampled_from([0, 1, 2]),
    verdict=st.sampled_from(["partial", "not close"]),
    parts=st.lists(st.builds(Part, name=TEXTS, weight=st.integers()), max_size=3),
    query=st.none() | TEXTS,
    table=st.dictionaries(TEXTS, st.integers(), max_size=3),
)
PROSE = st.text(st.characters(exclude_characters="{}[]<>", exclude_categories=["Cs"]))
WRAPPERS = st.sampled_from(
    ["{}", "```json\n{}\n```", "```\n{}```", '<think>{{"a": 1}} it\'s</think>{}', "x</think>\n{}"]
)


@given(SHAPES, WRAPPERS, PROSE, PROSE, st.sampled_from([None, 2]), st.booleans())
def test_any_reply_reads_back_equal(
    shape: Shape, wrapper: str, before: str, after: str, indent: int | None, ascii_: bool
) -> None:
    source = json.dumps(shape.model_dump(), indent=indent, ensure_ascii=ascii_)
    read = read_reply(wrapper.format(f"{before}{source}{after}"), "stop", Shape)
    assert read.value == shape


@given(SHAPES, st.data())
def test_a_truncated_reply_is_never_read(shape: Shape, data: st.DataObject) -> None:
    source = json.dumps(shape.model_dump())
    cut = data.draw(st.integers(0, len(source) - 1))
    cause_of(source[:cut])


DAMAGE = st.text("{}[]\"':,/*#\\\n`-1e\ud800\x1b") | st.sampled_from(
    ["<think>", "</think>", '"title"', "null", "\\u12"]
)


@given(DAMAGE | st.text(), st.sampled_from(["stop", "length", "", "tool_calls"]))
def test_any_text_is_read_or_unreadable(text: str, reason: str) -> None:
    for source in (text, "{" + text + "}"):
        try:
            read_reply(source, reason, Small)
        except Unreadable as error:
            check_clean(error)


@given(DAMAGE, DAMAGE)
def test_no_part_of_a_reply_gets_into_the_cause(before: str, after: str) -> None:
    for middle in (
        NONCE,
        f'"{NONCE}"',
        f'"{NONCE}": 1',
        f'"title": "{NONCE}"',
        f"'{NONCE}': {{'{NONCE}': '{NONCE}'}}",
    ):
        for source in (
            f"{before}{middle}{after}",
            f"{{{before}{middle}{after}}}",
            f'{{"title": 1, {middle}, {after}}}',
        ):
            try:
                read_reply(source, "stop", Shape)
            except Unreadable as error:
                check_clean(error)


CARD = {
    name: f"says {name}"
    for name in ("problem", "move", "evidence", "use", "limits", "method", "experiment")
}


def read(data: dict[str, Any], schema: type[BaseModel], prompt: str = "") -> ParsedReply[Any]:
    hints = hints_of(PROMPTS.get(prompt).text) if prompt else frozenset()
    return read_reply(json.dumps(data), "stop", schema, hints)


def refused(data: dict[str, Any], schema: type[BaseModel], prompt: str = "") -> str:
    with pytest.raises(Unreadable) as caught:
        read(data, schema, prompt)
    return caught.value.cause


@pytest.mark.parametrize("blank", ["", "  \n", None])
def test_blank_items_are_dropped_with_a_note(blank: str | None) -> None:
    found = read({"facts": ["A fact", blank, "Another"]}, Facts)
    assert found.value.facts == ["A fact", "Another"]
    assert found.notes == ("1 item of facts left out: blank",)


def test_over_long_lists_are_cut_with_a_note() -> None:
    entities = [{"name": f"thing {n}", "description": ""} for n in range(15)]
    found = read({**CARD, "entities": entities, "references": list("abcde")}, LongCard)
    assert [entity.name for entity in found.value.entities] == [f"thing {n}" for n in range(12)]
    assert found.value.references == ["a", "b", "c"]
    assert found.notes[-1] == "references was cut from 5 items to the 3 that were asked for"


def test_an_item_that_cannot_be_read_does_not_cost_the_others() -> None:
    good, bad = (
        {"claim": 1, "passage": "so it is", "judgement": "same"},
        {"claim": 2, "passage": "x", "judgement": "maybe"},
    )
    said = [
        {"id": "P1", "claims": [bad], "reason": "r"},
        {"id": "P2", "claims": [bad, good], "reason": "r"},
        "P3: not close",
    ]
    found = read({"verdicts": said}, NoveltyVerdicts)
    assert [
        (verdict.id, [row.claim for row in verdict.claims]) for verdict in found.value.verdicts
    ] == [("P2", [1])]
    assert found.notes == (
        "1 item of claims left out: unreadable",
        "2 items of verdicts left out: unreadable",
    )


def test_an_empty_list_that_was_meant_stays_one() -> None:
    assert read({"points": []}, Review).value.points == []
    assert read({"facts": [""]}, Facts).value.facts == []


@pytest.mark.parametrize(
    "text",
    [
        "# string",
        "string",
        "<string>",
        "...",
        "…",
        "[title]",
        "{{ final }}",
        "title",
        "Your answer here",
    ],
)
def test_words_for_a_text_are_no_text(text: str) -> None:
    whole: dict[str, Any] = {name: name[0] for name in WorkedOut.model_fields} | {
        "holds": "holds",
        "works": [],
        "sources": [],
    }
    assert (
        refused({**whole, "title": text}, WorkedOut)
        == "The reply repeats the prompt's own example in title instead of answering."
    )


def test_the_example_of_the_prompt_is_no_answer() -> None:
    example = {
        "text": "the direction: open problem, why now, promising approach",
        "note": "something of its own",
    }
    prompt = '{"text": "the direction: open problem, why now, promising approach", "note": "how the authors reasoned"}'
    with pytest.raises(Unreadable, match="example in text"):
        read_reply(json.dumps(example), "stop", Direction, hints_of(prompt))


@pytest.mark.parametrize(
    ("data", "schema"),
    [({"facts": ["..."]}, Facts), ({"points": [{"part": "...", "point": "..."}]}, Review)],
)
def test_a_list_of_nothing_but_the_example_is_no_answer(
    data: dict[str, Any], schema: type[BaseModel]
) -> None:
    assert "repeats the prompt's own example" in refused(data, schema)


# ---- thinking in other marks


@pytest.mark.parametrize(
    "before",
    [
        '<|channel|>analysis<|message|>Draft {"a": "b"} first.<|end|><|start|>assistant<|channel|>final<|message|>',
        '<|channel|>analysis<|message|>{"a": 1}<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>',
        "<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>commentary json<|message|>",
        'analysisWe need {"title": "a"}.assistantfinal',
        '<thought>{"a": "b"}</thought>',
        '<thinking>\n{"a": "b"}\n</thinking>\n',
        '<Thoughts>{"a": "b"}</Thoughts>',
        '<reasoning>{"a": "b"}</reasoning>',
        '\u25c1think\u25b7{"a": "b"}\u25c1/think\u25b7',
        '[THINK]{"a": "b"}[/THINK]',
        '<seed:think>{"a": "b"}</seed:think>',
        '<|begin_of_thought|>{"a": "b"}<|end_of_thought|><|begin_of_solution|>',
        '<|START_THINKING|>{"a": "b"}<|END_THINKING|><|START_RESPONSE|>',
        '<|channel>thought\n{"a": "b"}<channel|>',
        '{"a": "a draft before"}</think>',
        '{"a": "a draft before"}</thinking>\n',
    ],
)
def test_thinking_is_cut_whatever_its_marks(before: str) -> None:
    assert read_reply(before + GOOD_TEXT + "<|return|>", "stop", Shape).value == Shape(**GOOD)


@pytest.mark.parametrize(
    "mark",
    [
        "<thought>",
        "<thinking>",
        "\u25c1think\u25b7",
        "[THINK]",
        "<|channel|>analysis<|message|>",
        "<|begin_of_thought|>",
        "<|START_THINKING|>",
        "<|channel>thought\n",
    ],
)
def test_thinking_that_never_ends_is_no_answer(mark: str) -> None:
    assert "thinking" in cause_of(f"{mark}perhaps {GOOD_TEXT}")


@pytest.mark.parametrize(
    "mark", ["</think>", "</thinking>", "[/THINK]", "<|channel|>final<|message|>"]
)
def test_marks_within_an_answer_are_text_of_it(mark: str) -> None:
    said = {**GOOD, "title": f"On {mark} and what follows"}
    text = json.dumps(said, ensure_ascii=False)
    assert read_reply(text, "stop", Shape).value.title == said["title"]
    assert read_reply(f"```json\n{text}\n```", "stop", Shape).value.title == said["title"]


@pytest.mark.parametrize("said", ["None", "none.", "", "  None "])
def test_a_text_that_may_be_left_out_is_none_where_a_model_says_none(said: str) -> None:
    whole = dict.fromkeys(SketchReply.model_fields, "said")
    assert SketchReply.model_validate({**whole, "nearest": said}).nearest.strip() == ""
    assert SketchReply.model_validate({**whole, "nearest": "None of Us"}).nearest == "None of Us"
