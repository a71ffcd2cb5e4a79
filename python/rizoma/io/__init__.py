"""Intake and export: sources of every format, how they are interpreted, and what writes files."""
