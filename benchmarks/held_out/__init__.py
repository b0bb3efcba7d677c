"""Real papers held out of a corpus: how many of a paper's own references does a method find from
its topic?"""
