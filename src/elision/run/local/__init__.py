"""The runner over one machine: workers, shards, and the folder of a run's records."""
