"""A suite: contestants on topics, judged in pairs, over many ordinary sessions.

``definition`` reads SUITE.toml, ``inventory`` knows what there is and what is missing, ``contest`` makes
the texts (of ``sessions``) and has them judged (``asking``), ``record`` keeps the judgements,
``report`` says what they show.
"""

from coi_tui.session.suite.contest import Contest as Contest
from coi_tui.session.suite.definition import load_suite as load_suite
from coi_tui.session.suite.report import as_csv as as_csv
from coi_tui.session.suite.report import as_markdown as as_markdown
from coi_tui.session.suite.report import report as report
