"""Numbers of the bodies that every net scenario has; those of the bullets come last."""

CHASER, TARGET = 0, 1  # the target only where there is one
