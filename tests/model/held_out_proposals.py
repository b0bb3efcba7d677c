"""Passages of proposals to measure the check of a proposal with: 60 whose subject has the words that a
text about itself would use (12 each on versions, drafts, cards, chains and reviews), and 20 that do
point to something that their reader never saw. Written before the check was changed, and not used to
tune it."""

VERSIONS = (
    "A store of memories keeps several versions of an entry. The old version is marked and stays readable, so that the agent can say when its belief changed.",
    "Package managers resolve versions under constraints. We replay each upgrade: the previous version is installed, its tests are run, and the newer version is installed over it.",
    "Wikipedia articles have long histories. For each article the earlier version and the later version are shown side by side, and readers say which one they trust.",
    "Our index stores a delta for each version of a page. The first version is kept whole; the original version can be rebuilt from any later one.",
    "Firmware is shipped in waves. The final version of a wave reaches all meters within a week, and the revised version replaces it after a recall.",
    "A model registry holds versions of a classifier. If the updated version is worse on a slice, traffic returns to the former version.",
    "Translators work on the French and the German text of a law. Both versions are binding; where they differ, the older version decides.",
    "We compare two releases of a compiler, v2 and v3. Programs that v2 rejects and v3 accepts are collected, since the versions ought to agree.",
    "An editor for slides shows how a figure came about. Going back to an earlier version costs one click, and the revision is named after what changed.",
    "Data sets are revised after publication. Papers that used version 1 of a data set are found, and their main table is computed again on version 2.",
    "Songs exist as cover versions. The network is to tell the original version from a cover by its harmony alone.",
    "Notebook users overwrite cells. The tool snapshots a cell before each run, and the last version that ran without an error can be restored.",
)
DRAFTS = (
    "Pupils write a story twice. The first draft is written by hand, the second draft at a keyboard, and raters who know neither see both.",
    "Law clerks prepare drafts of opinions. We ask which sentences of the final draft come from the earlier draft and which from the judge.",
    "Speculative decoding needs a small model. The draft is accepted up to the first token that the large model would not have chosen; longer drafts are not always faster.",
    "Grant writers revise under pressure. Their drafts are logged every minute, so that we can see which passages were rewritten and which were dropped.",
    "In a study of co-writing, people receive a draft by a machine. The revised draft is compared with the original draft by edit distance and by a reader's preference.",
    "Emails are suggested before they are sent. A draft that was reworded by its sender teaches the model more than a draft that was sent as it is.",
    "Architects sketch quickly. The initial draft fixes proportions; later drafts change materials, and the system should keep what the initial draft fixed.",
    "Journalists file a draft to an editor. The editor's draft and the reporter's draft are aligned, and each change is given a reason.",
    "Contracts go through negotiation. Each party marks up the draft of the other; the clauses of the last draft that nobody touched are the settled ones.",
    "Draft horses pull loads on soft soil. The draft is measured with a load cell while the animal walks at its own pace.",
    "Novelists keep notebooks. We digitize twelve drafts of one novel and ask whether the final version is closer to the first draft than to the fifth.",
    "A planner proposes a schedule to a ward. The nurse edits this draft, and the planner learns costs from the difference between the two drafts.",
)
CARDS = (
    "Patients sort symptom cards by how much they trouble them. The card on top is discussed first, and the cards left over are returned to the box.",
    "A model card describes a classifier. The card says on which groups it was tested; we ask whether buyers read the card before they deploy.",
    "Contactless cards leak their serial number. An attacker near the card reads it at 20 cm, and the card answers without asking its holder.",
    "Players draw from a shared deck. The first card is open, the second card is hidden, and a bluff is a claim about the hidden card.",
    "Flashcards are repeated at growing intervals. When the learner fails, the card returns to the first box; older cards come up once a month.",
    "Data sets ship with cards. Half of the cards mention no consent, and the card lists a licence in only a third of the cases.",
    "An expansion card adds memory to a server. The cards share one bus, so the second card waits while the first writes.",
    "Visitors of a museum get a card with a chip. The card names the exhibits that they liked, and the next visit begins there.",
    "Punched cards survive in archives. Where the card is torn, its neighbours in the drawer say what was on it.",
    "Children match picture cards to words. None of the cards shows a tool, and the last card of a round is a repetition.",
    "Report cards of schools are public. Parents compare the cards of two schools; the older card often has another scale.",
    "Score cards guide the triage of a hospital. The card says red when two signs are out of range, and staff may overrule the card.",
)
CHAINS = (
    "Cold chains keep vaccines below eight degrees. When the chain breaks, the vials are thrown away; our sensor says where the chain was broken.",
    "A proof is a chain of lemmas. The checker walks the chain from its end and stops at the first lemma that does not hold.",
    "Block chains grow by consensus. A fork leaves two chains, and the chain with more work wins; papers of the field call the shorter one stale.",
    "Anchors of ships are held by a chain. The anchor holds while the chain lies flat, so its length is set by depth and wind.",
    "Polymers are long chains. The chain folds when the solvent is poor, and the end of the chain is labelled with a dye.",
    "Reasoning chains of language models can be cut. We delete one step, and measure whether the chain still leads to its answer.",
    "Mountain chains shape the rain. Behind the chain it is dry, and the chain's height predicts by how much.",
    "Restaurants of one chain share recipes. Customers forgive the chain less than a single house when it fails an inspection.",
    "In causal chains each link can be blocked. If the second link of this chain is weak, an intervention before it has no effect.",
    "Tool calls of an agent form a chain. An injected text early in the chain can change a payment at its end.",
    "Letters were copied from monastery to monastery. This chain of copies is rebuilt from shared errors, and the branch that lost a line is younger.",
    "Bicycle chains wear out. The chain is measured every 200 km, and the anchor points of the gauge are set by hand.",
)
REVIEWS = (
    "Code reviews delay merges. The reviewer asked for a change in a third of the cases, and the review found a fault in one of twelve.",
    "Peer review is noisy. Two committees read the same papers; reviewers noted different faults, and the reviews agreed on a quarter of them.",
    "Shoppers read reviews of products. In the review they look for a fault that would matter to them, and a reply to the review by the seller calms them.",
    "Systematic reviews age. When a trial is added after the review, its conclusion may turn; we predict which reviews will.",
    "An assistant drafts answers to reviewers. It is trained on pairs of a criticism and the response to the criticism, taken from open reviews.",
    "Literature reviews are written in rounds. In each review round two people screen the titles, and a third decides where they differ.",
    "Film critics and audiences differ. The criticism that a plot is slow predicts nothing, while the criticism that it is muddled does.",
    "Students review the essays of one another. After the feedback they revise; essays whose reviewers pointed to one passage improve most.",
    "Ethics boards review protocols. The review asks who could be harmed, and its comments are answered before the study may begin.",
    "Security reviews of designs are short. We record what the reviewers said of the design and what attackers used a year later.",
    "Performance reviews are written once a year. In response to feedback, some managers soften the review; others add a number.",
    "A pull request carries comments. Those that were addressed in the next commit are told from those that the author rebutted.",
)
SUBJECTS = {
    "versions": VERSIONS,
    "drafts": DRAFTS,
    "cards": CARDS,
    "chains": CHAINS,
    "reviews": REVIEWS,
}

SECOND = (
    "A clinic keeps consent forms in several versions. The earlier version stays valid for those who signed it, and the last version is offered to everybody else.",
    "Speech systems are updated silently. We call the same number each week and ask in which week the current version began to mishear.",
    "A museum labels forgeries. The original version hangs beside the copy, and visitors are asked which is the older one.",
    "A poet leaves six drafts. The earlier drafts rhyme; in the final draft the rhymes are gone, and stylometry should place each draft.",
    "The wing is drawn in ink. The first draft of its outline is scanned, and a solver corrects it before a model is milled.",
    "A library card opens three services. Whoever loses the card calls a number, and the card is blocked within a minute.",
    "The tarot is a deck of cards. The card that is drawn last is read first, and the reader's account of the card is recorded.",
    "Chains of custody are kept on paper. The chain ends at the laboratory, and its gaps are found by comparing times.",
    "Hotel chains set prices centrally. A branch that ignores the chain pays a fine, and we estimate how often the branch is right.",
    "The anchor of a news show reads a text that others wrote. The anchor mentions the source in half of the cases.",
    "Reviews of restaurants turn bad in winter. The review says little of the food then, and the reviewer asked for the manager twice as often.",
    "In a double-blind review, the reviewers asked who wrote the code. After the review the names are shown, and the scores do not change.",
)
"""Written after the first measurement, to measure once more."""

POINTS_ELSEWHERE = (
    "Each row carries the reason why it was dropped. The earlier version of this proposal counted rows only at the end. A count at each filter costs one pass.",
    "The gate opens when two judges agree. In the previous draft one judge was enough. The cost doubles, but an error needs two coincidences.",
    "We test with forty people. The reviewer asked for a stronger baseline, so a tuned retriever is added. Both see the same pages.",
    "The anchor paper measures speed alone. We measure what people conclude. A task takes ten minutes.",
    "Its card mentions no study with users. Therefore the first step is a pilot with six nurses on the night shift.",
    "The papers of the chain move from pictures to programs. The next step is a program that explains itself.",
    "The novelty report found three near papers, and none of them counts rows. Our counter is kept by the runtime.",
    "The threshold was revised to five per cent after the review. With 400 rows it can be told from chance.",
    "Branch 2 follows another line of thought. Here the rule is applied to each panel by itself.",
    "If C3 holds, the gate is not needed at all. The cheapest run decides that in one week.",
    "The comparison of B1 and B4 isolates the gate. Each is run with five seeds on public data.",
    "The trend above explains the move from scripts to grammars. A grammar can be checked before it is run.",
    "As before, rows keep their reasons. What is new is the strip below the axis, which adds them up.",
    "The supplied abstracts do not mention any ablation. We switch the second term off and measure again.",
    "A second data set was added in response to the criticism. It has twelve thousand charts from news sites.",
    "The future direction asks for an account of all rows. The account is a table with one line for each filter.",
    "The old rule stopped after twelve blocks, and the corrected rule stops when the interval is short enough.",
    "Point 3 of the review concerns the sample. It has now sixty people, so that an effect of half a deviation is seen.",
    "The idea scales with the law of [P31]. Ten runs of different size are enough to fit its exponent.",
    "The rejected ideas came too close to work on provenance. This one stores no lineage but a single reason.",
)
