"""What goes wrong before a guest runs."""


class LabError(Exception):
    """Something on the host is missing or refuses; the message says what to do."""
