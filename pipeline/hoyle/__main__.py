"""``python -m hoyle`` is the command ``hoyle``."""

from hoyle.cli import main

main(prog_name="hoyle")
