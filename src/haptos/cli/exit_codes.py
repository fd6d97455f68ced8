"""What the number a command ends with means; docs/errors-and-exit-codes.md tells the same."""

TRUSTED = 0  # done, and every energy ledger closes
UNEXPECTED = 1  # a fault of haptos itself, never of its user
BAD_INPUT = 2  # refused: file, option or directory
NOT_TRUSTED = 3  # finished, but some energy ledger does not close
INTERRUPTED = 130  # stopped by Ctrl-C or SIGTERM; what was finished is kept
PIPE_CLOSED = 141  # the reader of our output went away
