"""Language models: the protocol, the OpenAI-compatible client, the drafter, replies and prices."""
