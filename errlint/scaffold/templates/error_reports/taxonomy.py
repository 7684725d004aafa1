"""The taxonomy: the types of errors, their severities, and what an orchestrator does about them."""

from __future__ import annotations

import logging
from enum import Enum


class ErrorType(str, Enum):
    """What went wrong."""

    # Navigation and browser
    NAVIGATION_TIMEOUT = "NavigationTimeout"
    CAPTCHA_DETECTED = "CAPTCHADetected"
    LOGIN_REQUIRED = "LoginRequired"
    PAGE_LOAD_ERROR = "PageLoadError"
    CDP_CONNECTION_LOST = "CDPConnectionLost"
    DOMAIN_BLOCKED = "DomainBlocked"
    # Search and extraction
    SEARCH_TIMEOUT = "SearchTimeout"
    NO_RESULTS_FOUND = "NoResultsFound"
    PARSING_ERROR = "ParsingError"
    EXTRACTION_FAILED = "ExtractionFailed"
    INVALID_SELECTOR = "InvalidSelector"
    # Files and data
    FILE_NOT_FOUND = "FileNotFound"
    CORRUPT_FILE = "CorruptFile"
    VALIDATION_ERROR = "ValidationError"
    SANITIZATION_FAILED = "SanitizationFailed"
    PDF_EXTRACTION_FAILED = "PDFExtractionFailed"
    # Security
    ACTION_GATE_BLOCKED = "ActionGateBlocked"
    PROMPT_INJECTION_DETECTED = "PromptInjectionDetected"
    UNAUTHORIZED_ACCESS = "UnauthorizedAccess"
    SECRET_LEAKAGE = "SecretLeakage"
    # Budget and resources
    BUDGET_EXCEEDED = "BudgetExceeded"
    QUOTA_EXCEEDED = "QuotaExceeded"
    DISK_SPACE_ERROR = "DiskSpaceError"
    MEMORY_ERROR = "MemoryError"
    # Configuration
    CONFIG_MISSING = "ConfigMissing"
    CONFIG_INVALID = "ConfigInvalid"
    STATE_CORRUPT = "StateCorrupt"
    # Of this server: what the taxonomy has no word for
    INVALID_INPUT = "InvalidInput"
    OPERATION_FAILED = "OperationFailed"
    OPERATION_TIMEOUT = "OperationTimeout"
    UNEXPECTED_ERROR = "UnexpectedError"


class Severity(str, Enum):
    """How grave it is."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    CRITICAL = "critical"


class Recovery(str, Enum):
    """What an orchestrator does: again, on to the next item, ask a person, another way, or stop."""

    RETRY = "retry"
    SKIP = "skip"
    USER_INTERVENTION = "user_intervention"
    FALLBACK = "fallback"
    ABORT = "abort"


RECOVERIES = {
    Severity.INFO: (Recovery.SKIP,),
    Severity.WARNING: (Recovery.RETRY, Recovery.USER_INTERVENTION),
    Severity.ERROR: (Recovery.SKIP, Recovery.FALLBACK),
    Severity.CRITICAL: (Recovery.ABORT,),
}
"""The recoveries of each severity; the first is meant where none is given."""

SEVERITIES = {
    ErrorType.NO_RESULTS_FOUND: Severity.INFO,
    ErrorType.CAPTCHA_DETECTED: Severity.WARNING,
    ErrorType.NAVIGATION_TIMEOUT: Severity.WARNING,
    ErrorType.OPERATION_TIMEOUT: Severity.WARNING,
    ErrorType.VALIDATION_ERROR: Severity.ERROR,
    ErrorType.BUDGET_EXCEEDED: Severity.CRITICAL,
    ErrorType.PROMPT_INJECTION_DETECTED: Severity.CRITICAL,
    ErrorType.UNAUTHORIZED_ACCESS: Severity.CRITICAL,
    ErrorType.SECRET_LEAKAGE: Severity.CRITICAL,
}
"""The types whose severity is always the same."""

LEVELS = {
    Severity.INFO: logging.INFO,
    Severity.WARNING: logging.ERROR,
    Severity.ERROR: logging.ERROR,
    Severity.CRITICAL: logging.CRITICAL,
}
"""The log level of each severity: a warning is an error that can be mended, and is logged as one."""
