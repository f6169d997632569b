"""Settings for all tests."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import settings

# The machine decides how long an example takes, not the code; and CI must not fail by chance.
settings.register_profile("hoyle", deadline=None, derandomize=True)
settings.load_profile("hoyle")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Names each test that is skipped: ``-rs`` alone shows file, line and reason."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple):
        path, line, reason = report.longrepr
        report.longrepr = path, line, f"{item.name}: {reason.removeprefix('Skipped: ')}"
    return report
