"""`python -m elision`, where the command itself is not on the path."""

from elision.cli import main

main()
