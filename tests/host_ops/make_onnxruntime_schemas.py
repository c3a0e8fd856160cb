"""Writes onnxruntime_schemas.txt: what ONNX Runtime says of the com.microsoft ops that kernels/own_schemas.cpp has or may come to have. Run in
an environment with onnx and onnxruntime. Lines: `op NAME`, then `in` and `out` with name, option and dtypes, and `attr` with name, type and
`required`, `none` or the default.
"""
import pathlib

import onnx
import onnxruntime.capi.onnxruntime_pybind11_state as runtime

OPS = """Attention BiasGelu BiasSplitGelu DequantizeLinear DynamicQuantizeLSTM DynamicQuantizeMatMul EmbedLayerNormalization FastGelu FusedConv
FusedGemm FusedMatMul GatherBlockQuantized Gelu GroupQueryAttention Inverse MatMulIntegerToFloat MatMulNBits MultiHeadAttention NhwcMaxPool
QAttention QLinearAdd QLinearAveragePool QLinearConcat QLinearGlobalAveragePool QLinearLeakyRelu QLinearMul QLinearSigmoid QuantizeLinear
QuickGelu RotaryEmbedding SkipLayerNormalization SkipSimplifiedLayerNormalization Trilu""".split()

NAMES = {"float": "f32", "float16": "f16", "double": "f64", "bfloat16": "bf16", "float8e4m3fn": "f8_e4m3fn", "float8e4m3fnuz": "f8_e4m3fnuz",
         "float8e5m2": "f8_e5m2", "float8e5m2fnuz": "f8_e5m2fnuz", "float8e8m0": "f8_e8m0fnu", "float4e2m1": "f4_e2m1fn", "bool": "bool",
         "string": "string", "complex64": "c64", "complex128": "c128"}


def dtype(text):
    name = text.removeprefix("tensor(").removesuffix(")")
    return NAMES.get(name) or name.replace("uint", "u").replace("int", "i")


def formal(kind, f, constraints):
    option = str(f.option).split(".")[-1].lower()
    return f"{kind} {f.name} {option} " + ",".join(sorted(dtype(t) for t in constraints.get(f.typeStr, [f.typeStr])))


def attribute(name, a):
    kind = str(a.type).split(".")[-1].lower()
    if a.required:
        return f"attr {name} {kind} required"
    if not a._default_value:
        return f"attr {name} {kind} none"
    value = onnx.helper.get_attribute_value(onnx.AttributeProto.FromString(a._default_value))
    return f"attr {name} {kind} {value.decode() if isinstance(value, bytes) else repr(value)}"


def main():
    schemas = {s.name: s for s in runtime.get_all_operator_schema() if s.domain == "com.microsoft"}
    lines = ["# Written by make_onnxruntime_schemas.py, which describes it."]
    for name in OPS:
        schema = schemas[name]
        constraints = {t.type_param_str: t.allowed_type_strs for t in schema.type_constraints}
        lines.append(f"op {name}")
        lines += [formal("in", f, constraints) for f in schema.inputs]
        lines += [formal("out", f, constraints) for f in schema.outputs]
        lines += [attribute(name, a) for name, a in sorted(schema.attributes.items())]
    pathlib.Path(__file__).with_name("onnxruntime_schemas.txt").write_text("\n".join(lines) + "\n")


main()
