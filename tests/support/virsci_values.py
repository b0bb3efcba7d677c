"""What each prompt of VirSci is filled with, in the shapes of the contract: for the tests of
prompts and of drafts."""

from __future__ import annotations


def virsci_values(text: str, year: int | None = None) -> dict[str, dict[str, object]]:
    """By prompt name: every input, with ``text`` in every free place."""
    one = {"name": text, "description": text}
    said = {"summaries": [text], "said": [{"name": text, "text": text}], "speaker": one}
    paper = {"id": "P1", "title": text, "year": year, "abstract": text}
    idea = {"title": text, "idea": text, "experiment": text}
    abstract = dict.fromkeys(
        ("title", "introduction", "objective", "methods", "results", "conclusion"), text
    )
    return {
        "virsci_invite": {"topic": text, "leader": one, "team": [one], "invited": one},
        "virsci_topic": {"topic": text, "team": [one], "outsiders": [one], **said},
        "virsci_guest": {
            "topic": text,
            "guest": one,
            "member": text,
            "text": text,
            "question": text,
        },
        "virsci_summary": {"topic": text, "aim": text, **said},
        "virsci_subject": {"topic": text, **said},
        "virsci_idea": {
            "subject": text,
            "team": [one],
            "summaries": [text],
            "papers": [paper],
            "ideas": [{"name": text, **idea}],
            "speaker": one,
        },
        "virsci_vote": {
            "subject": text,
            "ideas": [{"id": "A", **idea, "papers": [{"title": text, "abstract": text}]}],
            "speaker": one,
            "round": 1,
        },
        "virsci_abstract": {"idea": idea, "speaker": one},
        "virsci_revise": {
            "abstract": abstract,
            "review": [{"title": text, "abstract": text, "reason": text}],
            "speaker": one,
        },
        "virsci_overlap": {"title": text, "text": text, "papers": [paper]},
    }
