"""The services of one step as its version's record tells of them: models, prompts and sources that answer from recorded calls alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from coi_tui.config import SOURCES, Keys, LlmSettings, RoleSettings, Settings, SourceSettings
from coi_tui.engine.unanswered import UNANSWERED
from coi_tui.literature.imported_library import IMPORTED, ImportedLibrary, RecordedImports
from coi_tui.literature.types import Fetch, Source
from coi_tui.llm.reasoning_models import longest_answer
from coi_tui.llm.types import ChatReply, ChatRequest, Kind
from coi_tui.methods.prompt_calls import own_prompt
from coi_tui.methods.recorded_calls import RecordedFetch
from coi_tui.methods.services import ServiceSet
from coi_tui.methods.similarity import LocalVectors
from coi_tui.model.address import Branch
from coi_tui.model.calls import LOCAL, Call, JobEvent
from coi_tui.model.entries import Version
from coi_tui.model.errors import CoiError
from coi_tui.model.hashing import digest
from coi_tui.model.papers import Paper
from coi_tui.prompts.loader import Prompt, Prompts
from coi_tui.session.core import SessionCore
from coi_tui.session.runs.service_setup import NoNetwork, Seen, sources_of

if TYPE_CHECKING:
    from coi_tui.llm.types import EmbeddingReply

_KINDS: Mapping[str, Kind] = {"draft": "drafter", "scripted": "scripted", "example": "scripted", "recorded": "recorded"}
"""Which kind of model wrote a reply, by the form of the reply; any other is a language model's."""


class OtherPrompt(CoiError):
    """A version was made by a prompt that this program does not have."""


class RecordedPrompts(Prompts):
    """The prompts that a version was made by: this program's, or the person's own as the session keeps them. Raises OtherPrompt."""

    def __init__(self, core: SessionCore, wanted: Mapping[str, tuple[str, str]], own: frozenset[str]) -> None:
        super().__init__(None)
        self._core, self._wanted, self._own, self._found = core, wanted, own, dict[str, Prompt]()

    def get(self, name: str) -> Prompt:
        if name not in self._found:
            self._found[name] = self._recorded(name)
        return self._found[name]

    def _recorded(self, name: str) -> Prompt:
        builtin = super().get(name)
        version, wanted = self._wanted.get(name, ("", ""))
        if wanted in ("", builtin.hash):
            return builtin
        kept = self._core.file.find_call(digest({"kind": "text", **own_prompt(name, wanted)}))
        if kept is not None:
            return self.as_copy(str(kept.reply["text"]), name)
        whose = f"your own copy of the prompt {name}" if name in self._own else f"another version of the prompt {name}"
        hint = "; an older version of coi-tui did not keep its text" if name in self._own else ""
        raise OtherPrompt(f"made by {whose} (version {version or '?'}, {wanted[:8]}); this program has {builtin.hash[:8]}{hint}")


class RecordedModel:
    """Stands where a step asks a model: only its name and kind are ever used."""

    def __init__(self, kind: Kind, names: Mapping[str, str]) -> None:
        self.kind: Kind = kind
        self._names = names

    def model_for(self, role: str) -> str:
        return self._names.get(role, "")

    async def complete(self, request: ChatRequest) -> ChatReply:
        raise AssertionError("a replayed step asked a model")

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        raise AssertionError("a replayed step asked for vectors")

    async def aclose(self) -> None:
        """Nothing is open."""


class RecordedVectors(LocalVectors):
    """Stands where vectors were computed on the machine of the session."""

    def __init__(self) -> None:
        super().__init__(None, None)
        self._given_up = False

    @property
    def usable(self) -> bool:
        return not self._given_up

    def given_up(self, why: str) -> None:
        self._given_up = True


class RecordedPdfTexts:
    """The texts of imported PDFs, where the version rests on one."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self._calls = [call for call in calls if call.request.get("own_pdf") and call.request.get("by") == "library"]

    async def imported_text(self, paper: Paper) -> Mapping[str, Any] | None:
        found = next((call for call in self._calls if call.request.get("paper") == paper.id), None)
        return {**found.reply, "pdf": found.request["own_pdf"]} if found is not None else None


@dataclass(frozen=True)
class JobRecord:
    """What a job's first event says: after which entry it began, what the person gave, and which sources it asked (None: not kept).

    ``program``: the version of coi-tui that ran it, empty where that is not kept.
    """

    number: int
    program: str = ""
    after: int | None = None
    time: str = ""
    given: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, Any] | None = None

    @property
    def offline(self) -> bool:
        """Whether it is on record that no service could be asked."""
        return self.sources is not None and not self.sources.get("online")


def jobs_of(events: Sequence[JobEvent]) -> list[JobRecord]:
    """Every job by its first event."""
    first: dict[int, JobRecord] = {}
    for event in events:
        held = event.detail
        job = JobRecord(
            event.job, str(held.get("program", "")), held.get("after"), event.time, held.get("given") or {}, held.get("sources")
        )
        first.setdefault(event.job, job)
    return list(first.values())


def job_of(jobs: Sequence[JobRecord], version: Version) -> JobRecord:
    """The job that made a version: the last that began before it. Sessions of older programs are asked for the time."""
    began = [j for j in jobs if (j.after < version.seq if j.after is not None else bool(j.time) and j.time <= version.time)]
    return began[-1] if began else JobRecord(0)


async def services_from_record(core: SessionCore, version: Version, calls: Sequence[Call], job: JobRecord, today: str) -> ServiceSet:
    """The services with which a version's step is run again. Raises OtherPrompt for a prompt that is not at hand."""
    chats = [call for call in calls if call.kind == "chat"]
    kinds = {call.kind for call in calls} | {str(row.get("call")) for row in version.recipe.get(UNANSWERED) or ()}
    prompts = RecordedPrompts(core, _prompts_of(version, chats), frozenset(_own_prompts(version)))
    llm = _llm_settings(chats, prompts, calls)
    vectors = any(call.request.get(LOCAL) == "sentence vectors" for call in calls)
    model = RecordedModel(_kind(version, chats), {"main": llm.main.model, "reader": llm.reader.model})
    return ServiceSet(
        model=model, prompts=prompts, source_for=await _sources(core, calls, job, today), fetch=NoNetwork(),
        embedding=model if "embed" in kinds else None, settings=llm, imported_texts=RecordedPdfTexts(calls),
        local_vectors=RecordedVectors() if vectors else None,
    )  # fmt: skip


def _kind(version: Version, chats: Sequence[Call]) -> Kind:
    if chats:
        return _KINDS.get(str(chats[0].reply.get("reply_format")), "model")
    return next((kind for kind in ("drafter", "scripted", "recorded") if kind == version.origin), "model")


def _prompts_of(version: Version, chats: Sequence[Call]) -> dict[str, tuple[str, str]]:
    """Version and hash of each prompt that was sent."""
    return {call.prompt: (str(call.request.get("version", "")), str(call.request.get("prompt_hash", ""))) for call in chats}


def _own_prompts(version: Version) -> set[str]:
    """Prompts of which the version says that the person's own copy was used."""
    recipes = [version.recipe, *(held for held in version.recipe.values() if isinstance(held, Mapping))]
    return {str(recipe["prompt"]) for recipe in recipes if recipe.get("overridden") and recipe.get("prompt")}


def _llm_settings(chats: Sequence[Call], prompts: Prompts, calls: Sequence[Call]) -> LlmSettings:
    """The models' names and what a person had set for them, from what was sent."""
    roles = {role: _role([call for call in chats if call.request.get("role") == role], prompts) for role in ("main", "reader")}
    embedded = next((call.model_asked or str(call.reply.get("model", "")) for call in calls if call.kind == "embed"), "recorded")
    return LlmSettings(main=roles["main"], reader=roles["reader"], embedding=RoleSettings(model=embedded))


def _role(chats: Sequence[Call], prompts: Prompts) -> RoleSettings:
    if not chats:
        return RoleSettings(model="")
    first = chats[0]
    prompt = prompts.get(first.prompt)
    usual = longest_answer(prompt.max_tokens, first.model_asked)
    sent = {int(call.request["max_tokens"]) for call in chats if call.prompt == first.prompt}
    return RoleSettings(
        model=first.model_asked,
        temperature=_temperature_set(chats, prompts),
        max_tokens=None if usual in sent else int(first.request["max_tokens"]),
    )


def _temperature_set(chats: Sequence[Call], prompts: Prompts) -> float | None:
    """The temperature that a person had set for a role: one that was sent in place of a prompt's own. None: each prompt had its own."""
    sent = ((call.request["temperature"], prompts.get(call.prompt).temperature) for call in chats)
    return next((temperature for temperature, own in sent if temperature != own), None)


async def _sources(core: SessionCore, calls: Sequence[Call], job: JobRecord, today: str) -> Callable[[Fetch, Branch], Source]:
    """The sources as the job had them, or for an older session as its calls tell."""
    asked = job.sources if job.sources is not None else _inferred(calls)
    orders = {_branch(name): tuple(named) for name, named in (asked.get("orders") or {}).items()}
    imported = any(call.request.get(LOCAL) == IMPORTED for call in calls)

    def own(source: Source, through: Fetch, seen: Seen) -> Source:
        if not imported or not isinstance(through, RecordedFetch):
            return source
        from coi_tui.literature.source_fallback import CombinedSources

        return CombinedSources([seen(RecordedImports(ImportedLibrary((), today=lambda: today), through, "")), source], source)

    online, from_kept = bool(asked.get("online")), bool(asked.get("from_kept"))
    return await sources_of(_order_and_urls(asked), Keys(), online, from_kept, lambda: today, orders, core.known_until, own)


def _order_and_urls(asked: Mapping[str, Any]) -> Settings:
    """Settings with the order and the addresses of the sources that were asked."""
    order = tuple(asked.get("order") or (SOURCES[0],))
    urls = {name: SourceSettings(base_url=url) for name, url in (asked.get("urls") or {}).items() if url and name in SOURCES}
    return Settings.model_validate({"source": order[0], "sources": order if len(order) > 1 else (), **urls})


def _branch(name: str) -> Branch:
    return int(name) if name.isdigit() else name


def _inferred(calls: Sequence[Call]) -> dict[str, Any]:
    """The sources of a session of an older program, by the addresses that were asked."""
    urls: dict[str, str] = {}
    for call in calls:
        url = str(call.request.get("url", ""))
        for name, part in (("semantic_scholar", "/paper"), ("openalex", "/works")):
            if part in url:
                urls.setdefault(name, url.partition(part)[0])
    return {"online": bool(urls), "order": list(urls), "urls": urls}
