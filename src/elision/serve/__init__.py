"""A service over HTTP: our own contract, Presidio's, and LiteLLM's guardrail. It holds no note beyond its answer."""
