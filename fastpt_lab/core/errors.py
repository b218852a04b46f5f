"""Every exception raised on purpose, each with an exit code and a next step.

The exit codes are the contract of `docs/contract.md`: 1 errors remain, 2 usage, 3 refused and
nothing written, 4 a needed tool is missing, 5 a limit was reached, 130 cancelled.
"""

from __future__ import annotations


class FastptError(Exception):
    """Base of all expected failures: one line of what happened, one line of what to do.

    `details` are further lines that a person may need in order to do it.
    """

    exit_code = 1

    def __init__(self, message: str, *, next_step: str = "", details: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.next_step = next_step
        self.details = details

    def __str__(self) -> str:
        return f"{self.message}. {self.next_step}" if self.next_step else self.message


class UsageError(FastptError):
    """The command was given something that it cannot take."""

    exit_code = 2


class PathMissingError(UsageError):
    """A path that was named does not exist."""


class NoSourcesError(UsageError):
    """There is no CUDA source where one was looked for."""


class UnknownNameError(UsageError):
    """An id, rule, layer or option that does not exist."""


class ConfigError(UsageError):
    """A configuration or mapping file does not mean anything."""


class RefusedError(FastptError):
    """Doing it could lose something of the user's; nothing was written."""

    exit_code = 3


class UnreadableFileError(RefusedError):
    """A file cannot be read: permission, not a regular file, or binary data."""


class StaleEditError(RefusedError):
    """The file changed since the edit was proposed."""


class GeneratedFileError(RefusedError):
    """The file is an output of the transcoder; the original is the place to edit."""


class HandWrittenFileError(RefusedError):
    """The transcoder would overwrite a file that a person wrote."""


class OutsideRootError(RefusedError):
    """The path leads out of the project, through `..` or a symbolic link."""


class OverlappingEditsError(RefusedError):
    """Two edits of one document touch the same text."""


class CudaViewError(RefusedError):
    """The edit would change what a CUDA compiler sees."""


class ConflictError(RefusedError):
    """An undo or redo meets text that was edited since."""


class WriteError(RefusedError):
    """A file cannot be written: read-only folder, full disk; the old bytes are still there."""


class LockedError(RefusedError):
    """Another process is writing this project."""


class ToolMissingError(FastptError):
    """A program or package that is needed for this is not installed."""

    exit_code = 4


class WorkerLostError(FastptError):
    """The process that did some work ended before it gave an answer, each time it was tried."""


class LimitError(FastptError):
    """A time, memory or size limit ended the work."""

    exit_code = 5


class CancelledError(FastptError):
    """The user ended the work."""

    exit_code = 130
