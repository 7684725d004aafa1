"""What tools answer that must not raise: a failed setup does not end the loop of an agent."""

from __future__ import annotations

from pydantic import BaseModel


class ChatbotSetupResponse(BaseModel):
    """What a setup came to; where it is not ``ok``, ``error_kind`` is the code of what failed."""

    ok: bool
    error_kind: str | None = None
    message: str = ""
