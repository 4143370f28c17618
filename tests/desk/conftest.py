import pytest
from stand_in import two_months


@pytest.fixture
def archive():
    return two_months()
