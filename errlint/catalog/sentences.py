"""What a message looks like where nothing says that a text is one."""

from __future__ import annotations

import re

PLAIN = ("", "text", "txt", "plain", "plaintext", "console", "output")
NO_MESSAGE = re.compile(
    r"^[^\S\n]*(?:[$#%>{}\[<|+└├│]|>>>|Traceback \(|File \"|at \w[\w.$]*\(|HTTP/|[\w.-]+[=(]|-{2,}|\d{4}-\d\d-\d\d|"
    r"(?:GET|POST|PUT|PATCH|DELETE|SELECT|INSERT|UPDATE|CREATE|DROP|Error in|E\s{2,}) |[\w/]+\.\w+:\d|"
    r"[A-Z]\w*(?:-[A-Z]\w*)+: |WARN|INFO|DEBUG|(?:User|System|Request|Response): )",
    re.MULTILINE,
)
"""A line of commands, code, traces, trees, logs, headers or SQL."""

_SENTENCE = re.compile(r"[A-Z][\w'-]*(?: [\w'\"{<`(.:,/-]|: ).*")
LOWER_WORD = re.compile(r"(?<![\w./-])[a-z]{3,}(?![\w/(=])")

MOST_LINES = 20
"""A longer text is no message."""


def is_sentence(text: str) -> bool:
    """Whether a text reads like a message: it begins like a sentence, and has words that are no names."""
    return bool(_SENTENCE.match(text)) and bool(LOWER_WORD.search(text)) and not NO_MESSAGE.match(text)
