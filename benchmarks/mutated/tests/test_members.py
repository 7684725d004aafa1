"""What the desk says about members."""

from datetime import date

import pytest

from lending.codes import Code
from lending.errors import MemberError
from lending.members import add_member, member_of


def test_unknown_card() -> None:
    with pytest.raises(MemberError) as caught:
        member_of("0")
    assert caught.value.code is Code.MEMBER_UNKNOWN


def test_card_is_taken() -> None:
    add_member("77", date(1980, 1, 1))
    with pytest.raises(MemberError):
        add_member("77", date(1990, 1, 1))
