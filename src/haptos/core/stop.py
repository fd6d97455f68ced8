"""A wish to stop, honoured between pieces of work."""


class Stopped(Exception):
    """Work ended early because someone asked; what was finished before is kept."""
