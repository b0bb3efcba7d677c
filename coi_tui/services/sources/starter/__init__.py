"""The starter library: real papers of AI and visualization with the project's own summaries, so
that everything runs offline."""

TOPICS = {
    "grammars": "grammars for interactive visualization",
    "agents": "language agents that learn from verbal feedback",
    "stories": "narrative visualization and data stories",
    "reasoning": "chain-of-thought prompting for mathematical reasoning",
    "sets": "visualization of set intersections",
    "rag": "retrieval-augmented generation for question answering",
    "inspection": "visual analytics of deep neural networks",
    "preference": "preference optimization of language models",
    "topics": "visual analysis of topics in text",
    "diffusion": "diffusion models for image synthesis",
    "parallel": "parallel coordinates of multivariate data",
    "ideation": "scientific hypothesis generation with language models",
    "multimodal": "instruction tuning of vision-language models",
    "peft": "low-rank adaptation of large language models",
    "retrieval": "dense retrieval and passage ranking",
}
"""For each lineage a topic that it covers, to begin with offline."""
