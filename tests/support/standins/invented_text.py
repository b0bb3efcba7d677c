"""Word lists and the maker of plausible English filler. Everything here is invented; nothing is
copied from a paper."""

import random
import re
from collections.abc import Sequence


def split(text: str) -> tuple[str, ...]:
    """The words of a list written as a text."""
    return tuple(text.split())


_TOPIC_WORDS = {
    "retrieval memory for language models": (
        "retrieval passage evidence memory reader retriever corpus grounding index knowledge answer citation "
        "reranking document lookup fusion question context"
    ),
    "planning agents that use tools": (
        "agent planning tool action environment trajectory rollout workflow executor controller subgoal feedback "
        "interface simulator policy recovery task horizon"
    ),
    "stepwise reasoning and deliberation": (
        "reasoning deliberation step proof arithmetic rationale verification thought branch decomposition answer "
        "consistency voting search premise question inference critique"
    ),
    "parameter efficient adaptation": (
        "adapter tuning parameter rank prefix budget layer adaptation transfer module sparsity freezing task "
        "merging quantisation backbone memory gradient"
    ),
    "learning from human preference": (
        "preference reward alignment annotator comparison policy feedback ranking margin judge calibration safety "
        "objective reference drift pair persuasion gradient"
    ),
    "diffusion models for generation": (
        "diffusion denoising sampler noise schedule guidance latent image generation trajectory score distillation "
        "conditioning resolution prior editing fidelity step"
    ),
    "message passing on graphs": (
        "graph node edge message neighbourhood aggregation spectral pooling topology heterophily embedding link "
        "community sampling attention layer oversmoothing relation"
    ),
    "compression of long context": (
        "context compression attention window cache token summary segment position length memory streaming budget "
        "document recurrence extrapolation layer sparsity"
    ),
}
TOPICS: dict[str, tuple[str, ...]] = {name: split(words) for name, words in _TOPIC_WORDS.items()}
"""Eight research topics that overlap in some words; each is a usable topic for a run."""

ADJECTIVES = split(
    "adaptive gradual hierarchical selective robust compact explicit layered contrastive modular shared dynamic "
    "local joint uncertain staged balanced iterative structured lightweight causal latent coarse patient"
)
METHODS = split(
    "scaffold lattice relay ledger compass mosaic rudder cascade bridge sieve weaver mirror prism beacon loom "
    "harbour orchard tether caliper gazetteer almanac kiln trellis sextant"
)
VERBS = split(
    "improves guides constrains explains replaces stabilises reuses organises measures separates predicts filters "
    "combines limits corrects supports"
)
GERUNDS = split(
    "scoring routing sampling pruning aligning masking updating comparing ordering merging testing caching "
    "regularising revising scheduling tracing"
)
THINGS = split(
    "errors costs signals examples decisions assumptions failures benchmarks ablations baselines hints labels "
    "boundaries conflicts estimates gains"
)
NAMES = split(
    "Amari Brandt Castell Dovrin Ekholm Farrow Galvez Hartig Imanov Jessel Korhan Lindqvist Morrow Nakadai Ostrava "
    "Pellworm Quist Rautava Sundal Tamsin Ullmark Verhoek Wexler Yoruba Zelnik"
)

TEMPLATES = (
    "We show that {a} {t} {v} the {u} when {g} is applied to each {w}.",
    "Earlier work treats {t} and {u} apart, which leaves {th} that only {a} {g} can reach.",
    "The {m} module first turns every {t} into a {a} {u} and then {v} the {w}.",
    "In contrast to plain {g}, the {a} variant {v} the {t} without touching the {u}.",
    "A second stage compares the {t} with its {u} and keeps the {th} that agree.",
    "This matters because the {u} grows with the {w}, while the {t} does not.",
    "On four public suites the {a} {t} reduces {th} by a clear margin at equal {u}.",
    "The main weakness is that {t} {g} still depends on a {a} {u}.",
    "Removing the {m} hurts the {t} most, and removing the {u} hardly at all.",
    "Each {w} is paired with a {a} {t}, so that {g} and {g2} share the same {u}.",
    "We attribute the {th} to {a} {u} rather than to a larger {t}.",
    "Finally, the {t} is checked against the {w} before the {m} {v} it.",
)
_WORD = re.compile(r"[a-z0-9]+")
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiou])")
STOP = frozenset(
    split(
        "a an and are as at be been before but by can do does each for from had has have how in into is it its not of "
        "on one only or our out over so that the their then there these they this those to was we what when where "
        "which while who whose why will with within without you your"
    )
)


def tokens(text: str) -> list[str]:
    """The words of a text that count for ranking, in order, without the s of a plural."""
    return [
        word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word
        for word in _WORD.findall(text.lower())
        if word not in STOP
    ]


def sentence(rng: random.Random, terms: Sequence[str]) -> str:
    """One sentence about some of the terms."""
    pick = rng.choice
    text = pick(TEMPLATES).format(
        a=pick(ADJECTIVES),
        t=pick(terms),
        u=pick(terms),
        w=pick(terms),
        v=pick(VERBS),
        g=pick(GERUNDS),
        g2=pick(GERUNDS),
        m=pick(METHODS),
        th=pick(THINGS),
    )
    return _ARTICLE.sub(r"\1n ", text)


def prose(rng: random.Random, terms: Sequence[str], size: int) -> str:
    """Sentences of about ``size`` characters in all."""
    out = [sentence(rng, terms)]
    length = len(out[0])
    while length + 45 < size:
        out.append(sentence(rng, terms))
        length += len(out[-1]) + 1
    return " ".join(out)


def prose_words(rng: random.Random, terms: Sequence[str], low: int, high: int) -> str:
    """Sentences of ``low`` to ``high`` words in all."""
    aim = rng.randint(low, high - 17)
    text = sentence(rng, terms)
    while len(text.split()) < aim:
        text += " " + sentence(rng, terms)
    return text


def title(rng: random.Random, terms: Sequence[str]) -> str:
    """A title of six to nine words."""
    first, second, third = rng.sample(list(terms), 3)
    method, adjective, gerund = rng.choice(METHODS), rng.choice(ADJECTIVES), rng.choice(GERUNDS)
    shapes = (
        f"{method}: {adjective} {first} {gerund} for {second} and {third}",
        f"{adjective} {first} with {second} {gerund} through a {method}",
        f"from {first} to {second}: a {adjective} {method} for {third} {gerund}",
        f"{gerund} the {first}: {adjective} {second} and {third} in one {method}",
    )
    return _capitals(_ARTICLE.sub(r"\1n ", rng.choice(shapes)))


def _capitals(text: str) -> str:
    small = {"a", "an", "and", "for", "in", "of", "the", "through", "to", "with"}
    words = [word if word in small else word[:1].upper() + word[1:] for word in text.split()]
    words[0] = words[0][:1].upper() + words[0][1:]
    return " ".join(words)


def person(rng: random.Random) -> str:
    """An invented author."""
    return f"{rng.choice('ABCDEFGHIJKLMNOPRSTW')}. {rng.choice(NAMES)}"


def phrase(rng: random.Random, terms: Sequence[str], lead: str = "") -> str:
    """A search phrase of four or five words that the corpus knows."""
    words = [rng.choice(ADJECTIVES), *rng.sample(list(terms), 3)]
    return " ".join([lead, *words]).strip()
