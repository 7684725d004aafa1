"""Texts of envelopes: which say that all went well, and which that it did not."""

from __future__ import annotations

import pytest

from errlint.facts import Choice, Constant, Opaque, Text
from errlint.project.numbered import Telling, telling

SUCCESS = [
    "", "ok", "OK", "Ok!", "success", "Success.", "done", "saved successfully", "Login success", "all steps succeeded",
    "成功", "操作成功", "保存成功！", "已完成", "正常", "저장 성공",
]  # fmt: skip
FAILURE = [
    "Error: no such user", "save failed", "invalid token", "user not found", "no such port", "could not save",
    "保存失败", "未成功的错误", "用户名或密码错误，请重新输入！", "用户不存在", "没有权限",
    "SQL 语句不合法", "실패했습니다",
]  # fmt: skip
OTHER = ["waiting", "running", "which one?", "unsuccessful", "not successful", "请填写完整！", "未成功", "ok or so"]


@pytest.mark.parametrize("text", SUCCESS)
def test_a_text_says_that_all_went_well(text: str) -> None:
    assert telling(Text((text,))) is Telling.SUCCESS


@pytest.mark.parametrize("text", FAILURE)
def test_a_text_says_that_something_failed(text: str) -> None:
    assert telling(Text((text,))) is Telling.FAILURE


@pytest.mark.parametrize("text", OTHER)
def test_a_text_says_neither(text: str) -> None:
    assert telling(Text((text,))) is Telling.OTHER


def test_nothing_is_a_success_and_what_is_not_known_is_neither() -> None:
    assert telling(Constant(None)) is Telling.SUCCESS
    assert telling(Opaque()) is Telling.OTHER
    assert telling(Text(("saved ", Opaque()))) is Telling.OTHER
    assert telling(Choice((Text(("ok",)), Text(("save failed",))))) is Telling.FAILURE
