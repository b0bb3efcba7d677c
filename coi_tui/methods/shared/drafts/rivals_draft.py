"""The draft of a search for rivals: phrases of the thought's own words. A rule remembers no
works."""

from __future__ import annotations

from collections import Counter

from coi_tui.literature.ranking import content_words, stems
from coi_tui.llm.worksheet import without_hints
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, line_of

PHRASES, PHRASE_WORDS = 3, 9


def draft_rivals(values: Values) -> Draft:
    """The content words of topic and thought, those used most first, in phrases of so many
    words."""
    text = without_hints(f"{line_of(values, 'topic')} {line_of(values, 'thought')}")
    used = Counter(stems(text))
    words = [
        word for _, word in sorted(content_words(text).items(), key=lambda pair: -used[pair[0]])
    ]
    parts = [
        words[start : start + PHRASE_WORDS]
        for start in range(0, PHRASES * PHRASE_WORDS, PHRASE_WORDS)
    ]
    return {"works": [], "phrases": [" ".join(part) for part in parts if part] or ["related work"]}
