"""What every layer above uses: settings, errors, the engine of a call, progress, tables for people.  Knows no graph."""
