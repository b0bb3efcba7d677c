"""The arena: judgements, who meets whom, ratings, and who is better.

``ratings`` is the one rating of all; ``pairing`` says which ideas meet, ``ranking`` orders many short
texts in groups, and ``judgements`` compares methods, models and settings over many topics.
"""
