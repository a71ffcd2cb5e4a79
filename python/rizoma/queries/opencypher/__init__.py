"""Queries as text: the reading core of openCypher over the plans of `match` (docs/guide/queries.md)."""
