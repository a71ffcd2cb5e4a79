"""Throw-away Linux guests with hardware that this machine lacks."""
