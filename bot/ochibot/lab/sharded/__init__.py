"""Long experiments in shards: on several processes or a cluster, kept in a folder, with the same result however run."""
