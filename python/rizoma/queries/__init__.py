"""Questions about a graph: patterns, paths, samples, views, influence."""
