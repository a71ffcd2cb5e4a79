"""The graph: opening it, its states, schema and ids, changes, scans and tables.  Reads no files."""
