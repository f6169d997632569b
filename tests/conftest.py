"""Settings for all tests."""

from hypothesis import settings

# The machine decides how long an example takes, not the code; and CI must not fail by chance.
settings.register_profile("hoyle", deadline=None, derandomize=True)
settings.load_profile("hoyle")
