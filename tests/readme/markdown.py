"""Code blocks of a Markdown text: fenced ones, and indented ones after an empty line."""

import dataclasses
import pathlib

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"


@dataclasses.dataclass
class Block:
    info: list[str]  # words after the fence: the language, then what the tests need; an indented block is ["sh"]
    lines: list[str]
    line_number: int  # of the first line, counted from 1


def code_blocks(text: str) -> list[Block]:
    found, block, fenced, before = [], None, False, ""
    for number, line in enumerate(text.splitlines(), 1):
        if fenced:
            if line.startswith("```"):
                fenced = False
            else:
                block.lines.append(line)
        elif line.startswith("```"):
            fenced = True
            block = Block(line[3:].split(), [], number + 1)
            found.append(block)
        elif line.startswith("    ") and (not before or before.startswith("    ")):
            if not before:
                block = Block(["sh"], [], number)
                found.append(block)
            block.lines.append(line[4:])
        before = line.rstrip()
    if fenced:
        raise ValueError(f"the code block of line {block.line_number} has no end")
    return found


def commands(block: Block) -> list[str]:
    """Shell commands of a block, one per line, without what follows ` # `."""
    return [line for line in (line.split(" # ")[0].strip() for line in block.lines) if line and not line.startswith("#")]
