"""What each model call of Nova must answer: pydantic schemas, one a prompt."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from coi_tui.methods.base.replies import Aside, Reasoned, Reply, Words
from coi_tui.services.llm.reply_items import EACH_BY_ITSELF


class TrendReport(Reasoned):
    """NOVA-1: where a field is going."""

    text: Words


class SeedDraft(Reply):
    """A first draft of an idea, after the thinking that led to it. ``theory``: the number of the
    one that was used."""

    thinking: Aside = ""
    theory: Annotated[str, BeforeValidator(lambda said: "" if said is None else str(said))] = ""
    title: Words
    text: Words


class SeedDrafts(Reasoned):
    """NOVA-1: drafts from one of the three sources."""

    ideas: Annotated[list[SeedDraft], EACH_BY_ITSELF] = Field(min_length=1, max_length=12)


class DraftVerdict(Reply):
    """NOVA-4: what speaks for and against the draft under a label. ``repeats``: the label of an
    existing idea that it repeats."""

    id: Words
    pros: Words
    cons: Words
    repeats: Annotated[str, BeforeValidator(lambda said: said or "")] = ""
    score: int = Field(ge=1, le=10)


class Weighed(Reply):
    """NOVA-4: every draft weighed."""

    judged: Annotated[list[DraftVerdict], EACH_BY_ITSELF] = Field(min_length=1)


class PlanLine(Reply):
    """NOVA-5: one search."""

    thinking: Aside = ""
    title: Words
    keywords: Words
    rationale: Words


class SearchPlan(Reasoned):
    """NOVA-5: what to look for next."""

    lines: Annotated[list[PlanLine], EACH_BY_ITSELF] = Field(min_length=1, max_length=8)


class NewSeed(Reply):
    """NOVA-7: a seed that replaces an older one. ``papers``: the labels of those that it rests
    on."""

    thinking: Aside = ""
    papers: list[Words] = Field(default_factory=list, max_length=8)
    title: Words
    text: Words


class NewSeeds(Reasoned):
    """NOVA-7: the seeds that replace one."""

    ideas: Annotated[list[NewSeed], EACH_BY_ITSELF] = Field(min_length=1, max_length=5)


class InitialProposal(Reasoned):
    """NOVA-9: a first proposal in five parts under a short name."""

    name: Words
    problem: Words
    existing: Words
    motivation: Words
    method: Words
    experiment: Words


class MethodModule(Reply):
    """NOVA-9: a module of the method and what it is for."""

    name: Words
    role: Words


class MethodModules(Reasoned):
    """NOVA-9: the method split into modules."""

    modules: Annotated[list[MethodModule], EACH_BY_ITSELF] = Field(min_length=1, max_length=5)


class ModuleDetail(Reasoned):
    """NOVA-9: one module worked out."""

    text: Words
