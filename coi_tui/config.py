"""What can be set, with its help, and the API keys, which come from the environment or the keyring
only.

``coi_tui.session.settings`` reads and changes the settings of a person.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from coi_tui.config_file import AUTO, TOOLKIT
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Order, read_order
from coi_tui.model.suggest import nearest


class _Section(BaseModel):
    model_config = ConfigDict(
        extra="forbid", defer_build=True, allow_inf_nan=False, hide_input_in_errors=True
    )


class RoleSettings(_Section):
    """One role of the language model: main, reader or embedding. An empty model name falls back to
    ``main``'s."""

    model: str = Field("", description="name of the model")
    temperature: float | None = Field(
        default=None, ge=0, description="how freely the model chooses words; unset is its default"
    )
    max_tokens: int | None = Field(None, gt=0, description="longest answer")


PRICE_EXAMPLE = 'coi config set llm.prices.MODEL "2.50 10.00"'


class Price(_Section):
    """US dollars per million tokens, as a table or as the text ``"INPUT OUTPUT"``; wins over the
    bundled price data.

    ``cached`` is for tokens of a prompt that the server had cached; None: as
    ``input``.
    """

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(None, ge=0)

    @model_validator(mode="before")
    @classmethod
    def _both(cls, given: Any) -> Any:
        if isinstance(given, str) and len(numbers := given.split()) == 2:
            return dict(zip(("input", "output"), numbers, strict=True))
        if not isinstance(given, dict) or not {"input", "output"} <= given.keys():
            raise ValueError(f"give both prices, in dollars per million tokens: {PRICE_EXAMPLE}")
        return given


WRITER, READER = "gpt-6-sol", "gpt-6-luna"
"""The general and the small model of the newest generation of which the price table (genai-prices
0.2.3) has both; 6.1 has no small one."""


RETRIES = "retries after a temporary failure"


_WITHOUT_SCHEME = re.compile(
    r"(?P<here>localhost|[\w-]+(?=:\d)|[\w.-]+\.(?:local|lan)|[\d.]+\.\d+|\[[\da-f:]+\])(?![\w.-])"
    r"|(?:[\w-]+\.)+[a-z]{2,}(?=[:/]|$)",
    re.IGNORECASE,
)


def with_scheme(address: str) -> str:
    """``localhost:11434`` -> ``http://localhost:11434``: an address that was typed without a scheme
    gets http within one's own network and https elsewhere; anything else is left as it is."""
    address = address.strip()
    found = _WITHOUT_SCHEME.match(address)
    return f"http{'' if found['here'] else 's'}://{address}" if found else address


_ADDRESS = re.compile(
    r"(https?://([^/?#\s@]*@)?(\[[\da-f:.]+\]|[^/?#\s@:\[\]]+)(:\d{1,5})?"
    r"(/openai/deployments/[^#\s]*|/[^?#\s]*)?)?",
    re.IGNORECASE,
)
"""An address, or nothing. Azure's may be pasted with its query."""


def _checked_address(given: str) -> str:
    """The address of a service with its scheme. Raises ValueError for what is none, which does not
    repeat it: it may hold a password."""
    address = with_scheme(given)
    if not _ADDRESS.fullmatch(address):
        raise ValueError("write it like this: http://localhost:11434/v1")
    return address


Address = Annotated[str, AfterValidator(_checked_address)]


class LlmSettings(_Section):
    """The language models."""

    base_url: Address = Field(
        default="", description="address of any OpenAI-compatible server; empty is OpenAI's own"
    )
    profile: Literal[
        "", "openai", "azure", "openrouter", "ollama", "lmstudio", "llamacpp", "vllm", "compatible"
    ] = Field("", description="kind of server; empty is recognised by the address")
    context_tokens: int | None = Field(
        None,
        ge=512,
        description="tokens of prompt and answer together; unset leaves it to the server",
    )
    main: RoleSettings = Field(
        RoleSettings(model=WRITER),
        description="it writes trends, directions, ideas and plans",
    )
    reader: RoleSettings = Field(
        RoleSettings(model=READER),
        description="it reads papers into cards; without a name the main model does",
    )
    embedding: RoleSettings = Field(
        RoleSettings(),
        description="it compares papers; without a name words and the vectors of this machine do",
    )
    timeout_s: float = Field(180.0, gt=0, description="seconds to wait for an answer")
    parallel: int = Field(24, gt=0, description="calls at a time")
    retries: int = Field(5, ge=0, description=RETRIES)
    prices: dict[str, Price] = Field(
        default_factory=dict,
        description="dollars per million tokens by model; overrides the bundled prices",
    )
    draft_models: str = Field(
        "",
        description="models of the same server, separated by commas: on request each of them writes"
        " a further draft of a direction or an idea",
    )

    @property
    def drafting(self) -> list[str]:
        """The models that write further drafts, each once."""
        names = (name.strip() for name in self.draft_models.split(","))
        return list(dict.fromkeys(filter(None, names)))


class VectorSettings(_Section):
    """Sentence vectors by a small model on this machine."""

    use: bool | None = Field(
        None,
        description="sentence vectors computed here; unset uses them where the model's files are"
        " there (`coi vectors install` fetches them)",
    )
    folder: str = Field(
        default="", description="folder of its files; empty is one in the data folder"
    )


class SourceSettings(_Section):
    """One source of papers."""

    base_url: Address = Field("", description="address of the service; empty is its own")
    pace_s: float | None = Field(
        None,
        ge=0,
        description="seconds between calls; unset follows the service's own rule",
    )
    timeout_s: float = Field(30.0, gt=0, description="seconds to wait")
    retries: int = Field(5, ge=0, description=RETRIES)


class DisplaySettings(_Section):
    """How things look; also read before the first frame by ``coi_tui.config_file``."""

    theme: str = Field(
        AUTO,
        description="dark, light, 16 (the terminal's own colours), a theme of Textual such as nord,"
        " or auto: as the terminal says",
    )
    plain: bool = Field(
        False,
        description="for screen readers: no frames, plain characters, nothing moves, one line a change",
    )
    ascii: bool | None = Field(
        None,
        description="draw frames and signs with plain characters; unset follows the terminal",
    )
    motion: bool = Field(True, description="false: nothing moves or blinks by itself")
    notice: Literal["off", "bell", "osc9", "osc777"] = Field(
        "off",
        description="at the end of a job: bell, or a desktop notice where the terminal shows it (osc9 or osc777)",
    )
    go_on: bool = Field(
        default=True, description="after a decision the cursor goes to the next open one"
    )

    @field_validator("theme")
    @classmethod
    def _a_theme(cls, given: str) -> str:
        if given not in (ours := (AUTO, *TOOLKIT)):
            from textual.theme import BUILTIN_THEMES

            if given not in BUILTIN_THEMES:
                known = (*ours, *BUILTIN_THEMES)
                near = nearest(given, known)
                hint = f"the nearest is {near}" if near else f"there are {', '.join(known)}"
                raise ValueError(f"there is no theme {given!r}; {hint}")
        return given


class Settings(_Section):
    """Everything a person may set, but for the methods: the registry of methods adds a section for
    each. Further sections are those of sources of papers. ``coi where`` names the file."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, SourceSettings]

    llm: LlmSettings = LlmSettings()
    source: str = Field(
        "semantic_scholar",
        description="sources that are searched for papers, in order, separated by commas; the next"
        " is asked only where the one before is unreachable or has nothing",
    )
    vectors: VectorSettings = VectorSettings()
    display: DisplaySettings = DisplaySettings()
    keys: dict[str, str] = Field(
        default_factory=dict,
        description="your own keys by action, such as workbench.accept; `coi config keys` lists all",
    )
    offline: bool = Field(False, description="nothing leaves this machine")
    answers_days: int = Field(
        30,
        ge=0,
        le=36_500,
        description="days for which an answer of a source in the shared library is used again; 0"
        " asks each time",
    )
    budget_usd: float | None = Field(
        default=None, ge=0, description="no session spends more; checked before every call"
    )
    budget_tokens: int | None = Field(
        None,
        ge=0,
        description="no session uses more, in prompts and replies; for models without a price",
    )
    show_plans: bool = Field(
        False,
        description="show every plan in full before it runs, also where nothing is charged and no"
        " text leaves",
    )

    def section(self, name: str) -> BaseModel | None:
        """The section of a method; None where these settings have none of that name."""
        found = getattr(self, name, None) if name else None
        return found if isinstance(found, BaseModel) else None

    def source_settings(self, name: str) -> SourceSettings:
        """The section of a source of papers; the defaults where there is none."""
        found = self.section(name)
        return found if isinstance(found, SourceSettings) else SourceSettings()

    @property
    def order(self) -> Order:
        """The sources of papers in the order in which they are asked; one at least."""
        return read_order(self.source)

    @field_validator("source")
    @classmethod
    def _an_order(cls, given: str) -> str:
        try:
            order = read_order(given)
        except UsageError as error:
            raise ValueError(str(error).rstrip(".")) from None
        if not order:
            raise ValueError("name a source")
        return ", ".join(order)


class Keys(BaseModel):
    """Secrets, apart from the settings so that no dump of those can show them: the language
    model's, and those of sources of papers by the source's name."""

    model_config = ConfigDict(frozen=True, extra="allow")
    __pydantic_extra__: dict[str, str | None]
    llm: str | None = None

    def __repr_args__(self) -> tuple[()]:
        return ()

    def of_source(self, name: str) -> str | None:
        """The key for a source of papers; None where there is none."""
        return (self.model_extra or {}).get(name)


def key_name(source: str) -> str:
    """The environment variable with the key for a source of papers."""
    return f"{source.upper()}_API_KEY"


def load_keys(sources: Iterable[str], environ: Mapping[str, str] | None = None) -> Keys:
    """Keys for the language model and for these sources of papers, from the environment, else from
    the system keyring where the extra ``keyring`` is installed."""
    env = os.environ if environ is None else environ

    def key(name: str) -> str | None:
        # a caller that hands over its own environment wants only that
        return env.get(name, "").strip() or (_from_keyring(name) if environ is None else None)

    return Keys(llm=key("OPENAI_API_KEY"), **{name: key(key_name(name)) for name in sources})


def _from_keyring(name: str) -> str | None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:  # the extra is optional
        return None
    try:
        return keyring.get_password("coi-tui", name) or None
    except KeyringError:  # no desktop, no keyring daemon: the environment is the other way
        return None
