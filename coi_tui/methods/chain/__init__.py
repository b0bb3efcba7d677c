"""Chains of papers: the component of the state that holds what stands in each slot, and what left
it. Chain of Ideas declares it; what follows from an idea reads it."""
