"""Nova: seed ideas from three sources, then rounds of planning what to look for, searching, and new
seeds that replace the old ones.

How its cells are named. Those of the whole instance are ``N1/target``, ``N1/choice`` (what a person
chose), ``N1/trends`` and ``N1/drafts``. A seed has a number, and descent is in the number:
``N1/seed2`` is one of the first, ``N1/seed2.1`` the first of those that replace it,
``N1/seed2.1.3`` one of a further round. ``N1/plan2`` is the search plan of ``N1/seed2``,
``N1/found2`` what it found. Proposals are in branches: ``N1/1/idea``.
"""
