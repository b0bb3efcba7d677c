"""What a reader cannot follow in a proposal: 70 texts that point elsewhere, and 72 that any
colleague could have written."""

import pytest

from coi_tui.model.content import ExperimentPlan, IdeaContent
from coi_tui.model.proposals import (
    MOST_WORDS,
    assembled,
    faults,
    sections,
    tidied,
    unclear_sentences,
)
from tests.model import held_out_proposals as held_out

POINTS_ELSEWHERE = """
As before, rows keep their reasons.
The filter works as previously, only faster.
Unlike before, the second test is made on every row.
This is simpler than before and costs less.
In v2 the ledger has one line for each view.
The estimator of v1 failed on ties; this one does not.
Version 2 adds a check by another route.
Draft 3 claimed more than could be tested.
The old rule stopped after twelve blocks.
The earlier rule compared only neighbours.
The previous plan asked for twenty annotators.
The original claim was too wide for the data.
The earlier draft left out the cost of a rerun.
The first draft counted a row twice.
The previous version sampled without strata.
The revised version needs six weeks.
Our earlier version used one seed.
The final draft keeps both baselines.
The threshold was revised to five per cent.
The second step is now reworded and easier to run.
Two measures were dropped from the plan.
The former design had no control group.
An earlier proposal relied on eye tracking.
After the review round the control was added.
The refinement round brought a second data set.
The reviewer asked for a stronger baseline.
Reviewers noted that the metric saturates.
In response to the review, we report intervals.
Point 3 of the review concerns the sample.
The reviewer's point on cost stands.
Its card mentions no study with users.
The older card names sampling as a limit.
None of the cards says how the index is built.
The newer card describes a cache.
Their cards leave the noise open.
The paper's card gives no figure.
The summary card lists two data sets.
Two cards mention interleaving.
The papers of the chain agree on this point.
The chain's papers move from pictures to programs.
This chain shows a shift towards declarations.
The chain ends with a grammar of graphics.
The chain of papers begins with a toolkit.
The anchor paper treats the streaming case.
The paper slot behind it stayed empty.
Branch 1 follows another line of thought.
Idea 2 shares the mechanism.
Idea S1/2 treats the same question.
The direction above asks for an account of all rows.
The future direction says where to look.
The trend above explains the move.
The novelty report found three near papers.
The novelty check was INCONCLUSIVE for this part.
Both bad cases are avoided.
To write: why the idea should work.
We build on the index [P9].
Scaling follows the law of [R3].
The plan above has eight parts.
Whereas the preceding draft relied on a judge, this text relies on counts.
The criticism that the baseline is weak is answered by a tuned retriever.
Step 4 was added in response to the criticism.
The review found the sample too small, so that it is doubled.
The rule of the idea in v3 needs no labels.
The cards are silent on the number of annotators.
In the chain, every step enlarges the model.
The anchor does not treat dialogue.
The supplied excerpts do not mention any ablation.
As P10 shows, short prompts suffice.
If C3 holds, M1 is not needed.
The comparison of B1 and B4 isolates the gate.
""".strip().splitlines()

CLEAN = """
A Markov chain with two states models the switch.
The Markov chains are fitted by maximum likelihood.
A Markov chain samples the trees. The chain starts from a random state and is run for 10,000 steps.
One chain is run for each seed. The chain runs in an ergodic state after burn-in.
The supply chain has three tiers.
Chain-of-thought prompting is the strongest baseline.
By the chain rule the loss splits into a sum.
A food chain of four species is simulated.
One graphics card with 24 GB of memory suffices.
Graphics cards of two vendors are compared.
Credit cards are flagged by a linear model.
A smart card stores the private key.
Participants sort forty cards into groups.
The score cards are filled in by two raters.
An open card sort comes before the survey.
The F1 score is computed for each class.
The null hypothesis H0 is rejected at five per cent.
Weights are regularized by L2 decay.
A T5 model is fine-tuned on the pairs.
R2 on held-out data measures the fit.
Images are printed on A4 paper.
Claims. C1: rows keep all reasons. C2: reruns agree. C1 is tested first.
Two conditions are compared: M1 (with the strip) and M2 (without it). M1 comes first for half of the people.
- C1: counters mislead.\\n- C2: one rule suffices.\\nWe test C2 on public charts.
The first step is the cheapest.
In the first version control system of this kind, merges were manual.
Version control keeps each change of a chart.
We use a fixed version of the library and record its number.
The latest version of the protocol is archived.
Software versions are pinned.
Vega-Lite v5 of the library compiles the charts.
Drafts of laws are public documents, and we collect them.
The reviewers of a pull request are known by name.
Peer review is simulated with public data.
A systematic review of thirty studies exists [P1].
Points are drawn with jitter.
Ten points of the scale are shown.
The old town of each city is masked.
Older adults take part in the second study.
Previous work counts rows at each filter [P2].
Earlier work measured speed alone [P1].
The last test is a paired bootstrap.
The new rule of thumb is easy to teach.
The original data set has 12,000 charts.
The final model is chosen by cross-validation.
The plan of a building is read from its outline.
The idea is that rows carry reasons.
Our idea needs no change of the runtime.
The direction of the effect is fixed in advance.
The trend in the series is removed first.
A novelty detection task serves as control.
Novelty is scored by three experts.
Anchor boxes are learned from the data.
Time slots of one hour are assigned at random.
Branches of the tree are cut at depth five.
The worksheet software of the class is a spreadsheet.
People with two charts side by side meet this daily [P2].
It takes 6 weeks, one person and no graphics processor.
Students hand in a first draft and a final essay; both are scored.
A draft model proposes tokens, and a large model accepts or rejects them.
The loss falls as before a phase transition, and then jumps.
ImageNet-V2 is the second test set.
The corpus is version 2 of the Harbour Speech data set, read with Python version 3.11.
A natural objection is that nurses would not wait; the pilot measures that.
The result would be inconclusive if fewer than ten raters took part.
The anchor of a ship drags over the seabed.
The P300 wave is measured over the scalp.
Two variants, called V1 and V2, differ in one layer. V2 has the gate.
The gain is as large as before training.
The draft of the ship is two metres, and the final step takes a week.
Cities now also measure noise at night, where other ideas failed.
The protein P53 is measured.
""".strip().splitlines()


@pytest.mark.parametrize("text", POINTS_ELSEWHERE)
def test_what_points_elsewhere_is_found(text: str) -> None:
    assert faults(text, 2)


def test_hardly_any_clean_text_is_sent_back() -> None:
    assert (len(POINTS_ELSEWHERE), len(CLEAN)) == (70, 72)
    back = [text for text in CLEAN if faults(text.replace("\\n", "\n"), 2)]
    assert len(back) <= 3, back


def test_texts_whose_subject_has_these_words_are_left_alone() -> None:
    """Measured: 42 of 60 were sent back before, and all 20 others found."""
    clean = [*[one for texts in held_out.SUBJECTS.values() for one in texts], *held_out.SECOND]
    assert len(clean) == 72
    accused = [text for text in clean if faults(text, 2)]
    assert len(accused) <= 3, accused
    assert all(faults(text, 2) for text in held_out.POINTS_ELSEWHERE)


def test_in_a_long_text_the_subject_may_be_said_far_away() -> None:
    accused = "The first draft counted a row twice."
    assert faults(accused, 0)
    assert not faults(f"{accused} Between the two there are ten pages. Pupils write drafts.", 0)


@pytest.mark.parametrize(
    "text",
    [
        "Accuracy is highest on D1.\nTwo sets are used. D1 has 400 charts, and D4 has maps.",
        "M1 wins.\n- M1 shows the strip.\n- M4 hides it.",
        "In phase P the arm B1 is paid. The arms are B1, with a strip, and B4.",
        "A second reader checks C1 first.\n\nThe claims: C1, that rows keep reasons.\nC1: it holds.",
    ],
)
def test_a_name_that_is_introduced_later_is_introduced(text: str) -> None:
    assert not faults(text, 0)


def test_each_unclear_sentence_is_given_with_its_phrases() -> None:
    text = "## The idea\n\n- Rows stay. The old rule failed on ties [P4].\n- Columns stay. Nothing moves."
    (found,) = unclear_sentences(text, 2).items()
    assert found[0] == "The old rule failed on ties [P4]."
    assert len(found[1]) == 2


def test_a_text_that_is_much_too_long_is_sent_back() -> None:
    assert not faults("word " * MOST_WORDS, 0)
    (fault,) = faults("word " * 2 * MOST_WORDS, 0)
    assert fault.startswith("4,200 words")
    assert f"{MOST_WORDS:,}" in fault


def test_a_paragraph_that_fills_several_sections_is_sent_back() -> None:
    same = "A row is tagged with its reasons and passed on, so that every later test is still made of all the rows."
    assert not faults(f"## In short\n\n{same}\n\n## The idea\n\nAnother text.", 0)
    assert faults(f"## In short\n\n{same}\n\n## The idea\n\n{same}", 0)


def test_emphasis_goes() -> None:
    said = "## The idea\n\n**Step 1: tag.** A *mark* is drawn [P1]; 2 * 3 * 4 stays."
    assert tidied(said) == "## The idea\n\nStep 1: tag. A mark is drawn [P1]; 2 * 3 * 4 stays."


def test_without_a_model_the_texts_stand_under_their_headings() -> None:
    idea, plan = (
        IdeaContent(title="T", summary="In short.", final="All of it."),
        ExperimentPlan(design="1. Do it.", decisive="Try one."),
    )
    assert assembled(idea, plan) == [
        ("In short", "In short."),
        ("The idea", "All of it."),
        ("First decisive step", "Try one."),
        ("Experiment", "1. Do it."),
    ]


def test_sections_are_what_stands_under_each_heading() -> None:
    assert sections("Before.\n\n## One\n\nText\n\n### Two\nMore") == [
        ("", "Before."),
        ("One", "Text"),
        ("Two", "More"),
    ]
