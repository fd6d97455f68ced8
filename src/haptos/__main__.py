"""`python -m haptos` is the command line."""

from haptos.cli.main import main

if __name__ == "__main__":
    main()
