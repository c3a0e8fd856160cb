"""Writes or checks the table of operators in README.md, from what the built plugin answers (report "ops").

usage: op_table.py write|check DAYBREAK, DAYBREAK being the command. No GPU is needed: the table says what kernels there are.
"""

import sys

import generated

# Words for sets of element types, longest first. The order of the rest is the plugin's.
WORDS = {
    "floats": ["f32", "f16", "f64", "bf16"],
    "ints": ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"],
    "complex": ["c64", "c128"],
    "f8": ["f8_e4m3fn", "f8_e4m3fnuz", "f8_e5m2", "f8_e5m2fnuz", "f8_e8m0fnu"],
    "sub-byte": ["i4", "u4", "i2", "u2", "f4_e2m1fn"],
}


def in_words(dtypes: list[str]) -> str:
    rest, words = list(dtypes), []
    for word, members in WORDS.items():
        if set(members) <= set(rest):
            words.append(word)
            rest = [dtype for dtype in rest if dtype not in members]
    return " ".join(words + rest) or "–"


def title(op: dict, oldest: int) -> str:
    name = f"{op['domain']}.{op['name']}" if op["domain"] else op["name"]
    return f"{name} ({op['versions'][0]})" if op["versions"][0] > oldest else name


def rows_of(ops: list[dict], oldest: int) -> list[list[str]]:
    """[families, ops, GPU, CPU]: ops of one family and with equal types share a row; so do neighbouring families of one row each."""
    groups: dict[tuple, list[str]] = {}
    for op in ops:
        groups.setdefault((op["family"], in_words(op["gpu"]), in_words(op["cpu"])), []).append(title(op, oldest))
    rows: list[list[str]] = []
    alone = [family for family, _, _ in groups]
    for (family, gpu, cpu), names in groups.items():
        merges = rows and rows[-1][2:] == [gpu, cpu] and alone.count(family) == 1 and alone.count(rows[-1][0].split(", ")[-1]) == 1
        if merges:
            rows[-1][0] += ", " + family
            rows[-1][1] += " " + " ".join(sorted(names))
        else:
            rows.append([family, " ".join(sorted(names)), gpu, cpu])
    return rows


def table(daybreak: str) -> str:
    document = generated.info(daybreak)
    oldest, _ = document["opsets"]  # the newest is that of the libonnx at hand
    lines = [
        f"{len(document['ops'])} operators of ONNX, opset {oldest} and up; a number in brackets is the opset an operator came with.",
        "",
        "| family | operators | GPU | CPU |",
        "|---|---|---|---|",
    ]
    lines += [f"| {' | '.join(row)} |" for row in rows_of(document["ops"], oldest)]
    lines += ["", "; ".join(f"{word}: {' '.join(members)}" for word, members in WORDS.items()) + "."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(generated.main(__doc__, "ops", table))
