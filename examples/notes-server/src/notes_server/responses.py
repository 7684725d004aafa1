"""Answers that several tools share."""

from typing import Any


def error_response(message: str, code: str = "invalid_note") -> dict[str, Any]:
    return {"success": False, "error": message, "code": code}


def format_response(success: bool, message: str, data: Any = None) -> dict[str, Any]:
    return {"success": success, "message": message, "data": data}


def not_found(kind: str, name: object) -> dict[str, Any]:
    return error_response(f"There is no {kind} {name}", code=f"{kind}_not_found")
