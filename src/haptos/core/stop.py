"""A request to stop, which takes effect between pieces of work."""


class Stopped(Exception):
    """Work ended early because someone asked; what was finished before is kept."""
