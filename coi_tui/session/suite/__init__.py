"""A suite: contestants on topics, judged in pairs, over many ordinary sessions.

``definition`` reads SUITE.toml, ``inventory`` knows what there is and what is missing, ``contest`` makes
the texts (those of sessions and files: ``texts``) and has them judged (``asking``), ``record`` keeps the judgements
(those of people come from a ``ballot``), ``report`` says what they show, in
the forms of ``views``.
"""

from coi_tui.session.suite.ballot import Ballot as Ballot
from coi_tui.session.suite.contest import Contest as Contest
from coi_tui.session.suite.definition import load_suite as load_suite
from coi_tui.session.suite.example import NOTE as NOTE
from coi_tui.session.suite.example import example as example
from coi_tui.session.suite.report import report as report
from coi_tui.session.suite.views import FORMATS as FORMATS
from coi_tui.session.suite.views import as_text as as_text
