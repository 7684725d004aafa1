"""What a person can do about a refusal, so that the next run fixes it."""

from __future__ import annotations

import re

_READ_ERROR = 'where it looks for the error right behind the call, as in `if "error" in found:`, errlint changes it too'
_ADVICE: tuple[tuple[str, str], ...] = (
    (
        "the module goes on with what .* answers when it is run",
        "who imports the module would get the exception: call the function where that can be caught, or change both",
    ),
    (
        "a caller does more with the (result|answer) of",
        f"look at the caller that is named: {_READ_ERROR}; else raise by hand, and catch there",
    ),
    (
        "callers? of .* goe?s? on with what it answers",
        "let the callers that are named raise, or return the error at once; then this function can raise",
    ),
    (
        "what .* answered for an error cannot be put together again",
        "the place that is named needs the whole answer: let it read single keys of it, or change both by hand",
    ),
    (
        "what becomes of .* is not followed|what .* does with it is not known",
        "the place that is named hands the function to code that errlint does not know: call it there directly, or "
        "change it by hand",
    ),
    (
        "this return answers what went well, too",
        "raise in the handler, in place of what it gives the variable: the return then answers what went well alone",
    ),
    (
        "the message is a part of (a list|another object)",
        "return the message itself, and not within another value, or raise by hand",
    ),
    (
        "does more than to build a payload|answers more than one payload",
        "let the function that builds errors do nothing else: what it logs or decides belongs to its callers",
    ),
    (
        "is rewritten$|is made elsewhere|is written elsewhere",
        "write the error out at the return, instead of changing or passing on what a name holds",
    ),
    (
        "the caller reads .* of an error",
        "raise an exception of your own there that has it as an attribute, and read that where the caller catches it; "
        "or let the caller read nothing but the text",
    ),
    (
        "may still answer what this looks for",
        "the function hands on what others answer: let those raise first, or change them together by hand",
    ),
    (
        "the check of .* does more with it than|the check of the result|the check reads",
        'let the check read nothing but the text of the error, as in `if "error" in found: return found`',
    ),
    (
        "the caller hands on the error of",
        "raise an exception class of your own with an attribute for the code, and catch that there",
    ),
    (
        "no boundary covers the adapter",
        "put the boundary on the adapter first: ERR201 does that where one is configured",
    ),
    (
        "no boundary covers|is no tool",
        "only what clients call as a tool is told an exception: leave it, or answer this error in its own form",
    ),
    (
        "no boundary is configured",
        "name what answers exceptions in the configuration (`boundary`), or register the tools with a framework",
    ),
    (
        "is served by two frameworks",
        "let one framework serve the function: each has an exception of its own",
    ),
    (
        "masks what is answered",
        "mask the text of exceptions at the place that is named, too, and tell it in another one: "
        "`except Exception as exc: raise ToolError(mask(str(exc))) from exc`",
    ),
    (
        "which is not of the project, may call",
        "leave it: a plugin answers its host, which need not expect an exception; or raise below it, and catch there",
    ),
    (
        "nothing is known to call",
        "delete the function if nobody calls it; else raise by hand, and look at who calls it",
    ),
    (
        "the result has a new finding",
        "the change brings the finding at the place that is named: mend or suppress what that says first",
    ),
    (
        "is (bound|defined) more than once|stands for something else here|is not certain to be the same here",
        "give one of the two things of that name another one",
    ),
    (
        "the payload has no message",
        "give the payload a message, as the text below `error`",
    ),
    (
        "is not certain what .* (holds|builds|starts as|makes)|does not start as a dict of constants",
        "write the payload out as one dict at the return",
    ),
    (
        "has no exception whose text clients get with any status",
        "give the response a `status` of 400 or more",
    ),
    (
        "the payload takes over the keys of another dict",
        "write the keys of the payload out",
    ),
    (
        "is read after the error|is used later than in the check",
        "return right behind the error, so that nothing needs the name afterwards",
    ),
    (
        "does nothing with the result|and would drop any other",
        "look at the caller that is named: it hides what goes wrong, and would do so with the exception",
    ),
    (
        "only the factory knows the message|answers errors in several forms",
        "write the message out at the call, as an argument that the function answers as it is, or raise by hand",
    ),
    (
        "more happens between",
        "return the error where it is made, and do what stands between before that",
    ),
    (
        "the file cannot be parsed",
        "mend the syntax of the file that is named",
    ),
    (
        "two fixes change the same statement",
        "run the same command again: what the other fix left is changed then",
    ),
    (
        "in which of several states",
        "leave it if a failure is one of the states; else answer the error below `error`",
    ),
    (
        "which is not in scope|takes no message|is not made of a message",
        "raise by hand: only you know what the constructor of the exception needs here",
    ),
)
"""What is done about refusals with some text; the first that is found counts."""


def advice(reason: str) -> str:
    """Return what a person can do about a refusal, "" where nothing general can be said."""
    return next((told for pattern, told in _ADVICE if re.search(pattern, reason)), "")
