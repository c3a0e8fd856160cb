// Element-wise ops, casts and quantisation.
#include "tests/wgsl/example_families.h"

namespace wgsl::families {

void unary(const OpRow& op, DType t, Nodes& out) {
  const TensorType type{t, {40, 7}};
  out.push_back({&op, attributes({{"alpha", 0.01}, {"beta", 0.5}}), {type}, {type}});
  if (op.id == "gelu") out.push_back({&op, attributes({{"approximate", "tanh"}}), {type}, {type}});
}

void binary(const OpRow& op, DType t, Nodes& out) {
  const Shape result{6, 5, 8};
  for (const Shape& b : {Shape{6, 5, 8}, Shape{}, Shape{8}, Shape{6, 1, 8}, Shape{6, 1, 1}, Shape{5, 1}})
    out.push_back({&op, attributes({{"direction", std::string("LEFT")}, {"fmod", int64_t{1}}}), {{t, result}, {t, b}}, {{t, result}}});
  out.push_back({&op, attributes({{"direction", std::string("RIGHT")}, {"fmod", int64_t{1}}}), {{t, {9}}, {t, {9}}}, {{t, {9}}}});
  if (op.id == "mean") out.push_back({&op, {}, {{t, {9}}, {t, {1}}, {t, {4, 1}}}, {{t, {4, 9}}}});
  if (op.id == "pow")
    for (DType e : {DBK_F32, DBK_F16, DBK_BF16, DBK_I8, DBK_U16, DBK_I32, DBK_I64, DBK_U64})
      if (e != t) out.push_back({&op, {}, {{t, {4, 1}}, {e, {9}}}, {{t, {4, 9}}}});
  if (op.id == "mod" && !contains(FLOATS, t)) out.push_back({&op, attributes({{"fmod", int64_t{0}}}), {{t, {9}}, {t, {9}}}, {{t, {9}}}});
}

void predicate(const OpRow& op, DType t, Nodes& out) { out.push_back({&op, {}, {{t, {40, 7}}}, {{DBK_BOOL, {40, 7}}}}); }

void compare(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, {}, {{t, {4, 1}}, {t, {5}}}, {{DBK_BOOL, {4, 5}}}});
}

void clip(const OpRow& op, DType t, Nodes& out) {
  const TensorType x{t, {33}}, one{t, {}}, none{};
  out.push_back({&op, {}, {x, one, one}, {x}});
  out.push_back({&op, {}, {x, none, one}, {x}});
  out.push_back({&op, {}, {x}, {x}});
}

void where(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, {}, {{DBK_BOOL, {4, 1}}, {t, {5}}, {t, {}}}, {{t, {4, 5}}}});
}

void cast(const OpRow& op, DType t, Nodes& out) {
  for (DType to : kTypes) out.push_back({&op, {}, {{t, {33}}}, {{to, {33}}}});
  if (t == DBK_F32)
    for (DType to : {DBK_I4, DBK_U2, DBK_F8_E4M3FN, DBK_F8_E5M2FNUZ, DBK_F8_E8M0FNU, DBK_F4_E2M1FN})
      out.push_back({&op, {}, {{t, {33}}}, {{to, {33}}}});
}

void cast_like(const OpRow& op, DType t, Nodes& out) { cast(op, t, out); }

void quantize(const OpRow& op, DType t, Nodes& out) {
  for (DType code : {DBK_I8, DBK_U4, DBK_F8_E4M3FN}) {
    out.push_back({&op, {}, {{t, {3, 5}}, {DBK_F32, {}}, {code, {}}}, {{code, {3, 5}}}, 25});
    out.push_back({&op, {}, {{t, {3, 5}}, {DBK_F32, {5}}}, {{code, {3, 5}}}, 25});
  }
}

void dequantize(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, {}, {{t, {3, 5}}, {DBK_F32, {}}, {t, {}}}, {{DBK_F32, {3, 5}}}, 25});
  out.push_back({&op, {}, {{t, {3, 5}}, {DBK_F16, {5}}}, {{DBK_F16, {3, 5}}}, 25});
}

void dynamic_quantize(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, {}, {{t, {3, 5}}}, {{DBK_U8, {3, 5}}, {DBK_F32, {}}, {DBK_U8, {}}}});
}

}  // namespace wgsl::families
