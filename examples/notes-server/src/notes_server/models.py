"""What the tools answer."""

from pydantic import BaseModel, Field


class Note(BaseModel):
    id: int
    notebook: str
    title: str
    body: str = ""
    tags: list[str] = Field(default_factory=list)


class ExportResult(BaseModel):
    success: bool
    notebook: str
    content: str = ""
    count: int = 0
    message: str = ""


class AttachmentError(BaseModel):
    reason: str
    path: str
