"""Print what makes a shell complete commands and options; made from the grammar.

The words are written into the script, so that a Tab starts no Python. Paths are completed by the
shell itself wherever no word fits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.commands.grammar import Grammar
from fastpt_lab.commands.outcome import Outcome
from fastpt_lab.show.language import say

if TYPE_CHECKING:
    import argparse

_BASH = """\
# fastpt-lab completion bash
_fastpt_lab() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words=
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    words="{commands} --help --version"
  else
    case "${{COMP_WORDS[1]}} $previous" in
{values}
      *)
        [[ $current == -* ]] && case ${{COMP_WORDS[1]}} in
{options}
        esac
        ;;
    esac
  fi
  [[ -n $words ]] && mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  return 0
}}
complete -o default -o bashdefault -F _fastpt_lab fastpt-lab
"""

_ZSH = """\
#compdef fastpt-lab
# fastpt-lab completion zsh
_fastpt_lab() {{
  local -a words_of
  if (( CURRENT == 2 )); then
    words_of=({commands} --help --version)
  else
    case "${{words[2]}} ${{words[CURRENT-1]}}" in
{values}
      (*)
        [[ ${{words[CURRENT]}} == -* ]] && case ${{words[2]}} in
{options}
        esac
        ;;
    esac
  fi
  if (( ${{#words_of}} )); then compadd -- $words_of; else _files; fi
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _fastpt_lab "$@"
else
  compdef _fastpt_lab fastpt-lab
fi
"""


def completion(words: argparse.Namespace) -> Outcome:
    """Carry out `completion`."""
    from fastpt_lab.show.html import page, text

    script = _SCRIPTS[words.shell](Grammar())
    return Outcome(
        value=script,
        exit_code=0,
        render_text=lambda _: script.rstrip("\n"),
        render_html=lambda: page(f"<pre>{text(script)}</pre>", label="Completion"),
        render_json=lambda: {"command": "completion", "shell": words.shell, "script": script},
    )


def choices(grammar: Grammar, command: str) -> dict[str, tuple[str, ...]]:
    """Return what may stand after a word of a command: rules, and options with fixed values."""
    from fastpt_lab import rules

    found: dict[str, tuple[str, ...]] = {}
    for action in grammar.parser(command)._actions:
        values = tuple(map(str, action.choices or ()))
        for option in action.option_strings or ([command] if values else []):
            if values:
                found[option] = values
            elif option == "--rule":
                found[option] = tuple(rules.RULES)
    if command == "rules":
        found[command] = tuple(rules.RULES)
    return found


def _bash(grammar: Grammar) -> str:
    return _filled(
        _BASH, grammar, value='      "{key}") words="{words}" ;;', option='          {key}) words="{words}" ;;'
    )  # fmt: skip


def _zsh(grammar: Grammar) -> str:
    return _filled(
        _ZSH, grammar, value='      ("{key}") words_of=({words}) ;;', option="          ({key}) words_of=({words}) ;;"
    )  # fmt: skip


def _filled(script: str, grammar: Grammar, *, value: str, option: str) -> str:
    values, options = [], []
    for command in grammar.commands:
        options.append(option.format(key=command, words=" ".join(grammar.options(command))))
        for word, possible in choices(grammar, command).items():
            values.append(value.format(key=f"{command} {word}", words=" ".join(possible)))
    return script.format(
        commands=" ".join(grammar.commands),
        values="\n".join(values),
        options="\n".join(options),
    )


def _fish(grammar: Grammar) -> str:
    lines = ["# fastpt-lab completion fish"]
    for word in ("help", "version"):
        lines.append(f"complete -c fastpt-lab -n __fish_use_subcommand -f -l {word}")
    for command in grammar.commands:
        about = grammar.parser(command).description or ""
        first = f"complete -c fastpt-lab -n __fish_use_subcommand -f -a {command}"
        lines.append(f"{first} -d {_quoted(say(about))}")
        known = choices(grammar, command)
        inside = f"complete -c fastpt-lab -n '__fish_seen_subcommand_from {command}'"
        if command in known:
            lines.append(f"{inside} -f -a {_quoted(' '.join(known[command]))}")
        for action in grammar.parser(command)._actions:
            for option in action.option_strings:
                flag = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
                more = f" -x -a {_quoted(' '.join(known[option]))}" if option in known else ""
                more = more or (" -r" if action.nargs != 0 else "")
                lines.append(f"{inside} {flag}{more} -d {_quoted(say(action.help or ''))}")
    return "\n".join(lines) + "\n"


def _quoted(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


_SCRIPTS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
