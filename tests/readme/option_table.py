"""Writes or checks the table of options in README.md, from what the built plugin answers (report "options").

usage: option_table.py write|check DAYBREAK, DAYBREAK being the command.
"""

import sys

import generated

SCOPES = {"ctx": "context", "compile": "compile"}


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def table(daybreak: str) -> str:
    lines = ["| option | of | values | default | meaning |", "|---|---|---|---|---|"]
    for option in generated.info(daybreak)["options"]:
        default = f"`{option['default']}`" if option["default"] else "–"
        lines.append(f"| `{option['key']}` | {SCOPES[option['scope']]} | {cell(option['domain'])} | {default} | {cell(option['meaning'])} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(generated.main(__doc__, "options", table))
