"""The arena: judgements, who meets whom, ratings, and who is better.

``ratings`` and ``pairing`` compare the ideas of a session; ``judgements`` and ``strengths`` compare
methods, models and settings over many topics.
"""
