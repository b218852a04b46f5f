"""Lines that only say that something else failed: never the cause where a cause was printed.

*Source*: Ninja 1.11, make 4.3, CMake 3.25, pip 23, setuptools 68, torch 2.13, gcc 12, clang 15,
BuildKit, and the runners of GitHub, GitLab and Jenkins.
"""

from __future__ import annotations

import re

_WORDS = (
    # Build tools.
    r"^FAILED: ",
    r"^build stopped: ",
    r"^\*\*\* (?:\[.*\] )(?:Error|错误) \d+",
    r"^\*\*\* \[.*\] (?:Killed|Aborted|Segmentation fault|Terminated|已杀死)",
    r"^\*\*\* (?:Break|中断)",
    r"not remade because of errors",
    r"^由于错误目标",
    r"^Configuring incomplete, errors occurred",
    r"^CMake (?:Generate|Configure) step failed",
    r"^Error generating(?: file)?\b",
    r"^Failed to (?:build|install|compile)\b.{0,80}$",
    # Compiler drivers and linkers about their parts.
    r"^ld (?:returned|返回) ?\d+",
    r"^linker command failed",
    r"command failed (?:with|due to)",
    r"^final link failed(?!: No space)",
    r"^failed to set dynamic section sizes",
    r"^failed to execute:",
    r"^Died at ",
    r"^device linker command failed",
    r"frontend command failed",
    r"^unable to execute command(?!: (?:Killed|Segmentation))",
    r"error adding symbols",
    r"^too many errors emitted",
    r"^subcommand failed",
    r"^no input files",
    r"^Ptx assembly aborted",
    r"^.{0,80}died due to signal",
    # Python build backends.
    r"^[Cc]ommand .{0,20000} (?:failed|returned non-zero|errored out|exited with|died with)",
    r"CalledProcessError: Command ",
    r"(?:CompileError|LinkError|DistutilsExecError|DistutilsError|ExecError): command .* failed",
    r"RuntimeError: Error (?:building extension|compiling objects)",
    r"^Error compiling objects for extension",
    r"^subprocess-exited-with-error",
    r"^metadata-generation-failed",
    r"^legacy-install-failure",
    r"^Failed building (?:wheel|editable)",
    r"^Failed to build (?:installable|one or more|'|\S+$)",
    r"^Could not build wheels",
    r"^No matching distribution found",
    r"^(?:\w+\.)*(?:BackendUnavailable|InstallationError|BuildBackendException|SystemExit|BuildException)\b",
    r"^Backend subprocess exited",
    # Continuous integration and containers.
    r"^Process completed with exit code",
    r"^Job failed",
    r"^script returned exit code",
    r"^failed to (?:build|solve)",
    r"^process .* did not complete successfully",
    r"^The command .* returned a non-zero code",
    r"^executor failed running",
    r"^[Ee]xit(?:ed)?(?: with)? (?:code|status)",
    r"^Cleaning up project directory",
    r"^The process .* failed with exit code",
    r"^recipe for target",
    r"failed: \(Exit \d+\)",
    r"^Build (?:FAILED|failed)",
)
_WRAPPER = re.compile("|".join(_WORDS))


def is_wrapper(message: str) -> bool:
    """Return whether a message only reports the failure of a command that printed its own."""
    return bool(_WRAPPER.search(message))
