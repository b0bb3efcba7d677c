"""VirSci: a team of scientists, made from the people behind the session's papers, who discuss,
propose, vote and write an abstract.

How its cells are named. Those of the whole instance are ``V1/people``, ``V1/team``, ``V1/subject``
(the topic that the leader fixes),
``V1/best`` (three ideas), ``V1/poll`` and ``V1/measures``. In a numbered cell the first number is
the turn and the second the seat, the leader's being 1: ``V1/said2.3`` is what seat 3 says in the
second turn of the discussion, with the answer of an outsider whom it asked,
``V1/mine2`` what the person says after that turn, ``V1/sum2`` the leader's summary. ``V1/draft2.3``
is an idea,
``V1/found2.3`` the papers that were searched for it, ``V1/digest2`` the summary, ``V1/vote2.3`` a
vote. Abstracts have the number of the attempt first, for an idea that is too close to earlier work
gives way to the next one:
``V1/abstract1.2.3``, ``V1/revised1``, and the review ``V1/overlap1.2``.
"""
