"""A suite: contestants on topics, judged in pairs, over many ordinary sessions.

``definition`` reads SUITE.toml, ``inventory`` knows what there is and what is missing, ``contest`` makes
the texts (those of sessions and files: ``texts``) and has them judged (``asking``), ``record`` keeps the judgements
(those of people come from a ``ballot``), ``report`` says what they show, in
the forms of ``views``.
"""
