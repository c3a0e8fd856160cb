// Ops of com.microsoft on codes of bytes, which run on the host but for DynamicQuantizeMatMul: placement, memory and layouts here; numbers are
// compared with ONNX Runtime's in tests/golden.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using List = std::vector<int64_t>;

Operand one(double value) { return reals(DBK_F32, {}, {value}); }
Operand zero(DType dtype, int64_t value) { return list(dtype, {}, {value}); }

void add_elementwise(Cases& cases, std::string_view id, DType t) {
  if (id == "qlinear_add" || id == "qlinear_mul") {
    for (const auto& [a, b] : {std::pair{Shape{7, 9}, Shape{7, 9}},
                               {Shape{3, 1, 5}, Shape{4, 1}},
                               {Shape{}, Shape{67}},
                               {Shape{0, 3}, Shape{3}}}) {
      cases.push_back(
          {"broadcast", {bits(t, a), one(0.5), zero(t, 3), bits(t, b), one(0.25), zero(t, 5), one(0.75), zero(t, 1)}});
      cases.push_back({"no zeros", {bits(t, a), one(0.5), absent, bits(t, b), one(0.25), absent, one(0.75)}});
    }
  } else if (id == "qlinear_sigmoid" || id == "qlinear_leaky_relu") {
    for (int64_t size : kSizes)
      cases.push_back({"size", {bits(t, {size}), one(0.05), zero(t, 3), one(0.0039), zero(t, 1)}});
    cases.push_back({"layout", {bits(t, {3, 5, 7}).in(Layout::Sliced), one(0.05), absent, one(0.0039)}});
  } else if (id == "qlinear_concat") {
    cases.push_back(
        {"threes",
         {one(0.5), zero(t, 2), bits(t, {2, 3, 2}), one(0.25), zero(t, 1), bits(t, {2, 1, 2}), one(0.75), zero(t, 4)},
         {{"axis", int64_t{1}}}});
    cases.push_back({"one", {one(0.5), zero(t, 2), bits(t, {67}), one(0.25), zero(t, 1)}, {{"axis", int64_t{-1}}}});
  }
}

void add_pools(Cases& cases, std::string_view id, DType t) {
  if (id == "qlinear_average_pool") {
    for (int64_t last : {0, 1})
      for (int64_t padding : {0, 1})
        cases.push_back({"windows",
                         {bits(t, {2, 6, 7, 5}), one(0.5), zero(t, 3), one(0.75), zero(t, 1)},
                         {{"kernel_shape", List{3, 2}},
                          {"strides", List{2, 1}},
                          {"pads", List{1, 0, 1, 1}},
                          {"channels_last", last},
                          {"count_include_pad", padding}}});
  } else if (id == "qlinear_global_average_pool") {
    for (int64_t last : {0, 1})
      cases.push_back(
          {"whole", {bits(t, {2, 6, 7, 5}), one(0.5), zero(t, 3), one(0.75), zero(t, 1)}, {{"channels_last", last}}});
  } else if (id == "nhwc_max_pool") {
    cases.push_back({"windows",
                     {bits(t, {2, 6, 7, 5})},
                     {{"kernel_shape", List{3, 2}}, {"strides", List{2, 1}}, {"pads", List{1, 0, 1, 1}}}});
    cases.push_back({"line", {bits(t, {1, 9, 3})}, {{"kernel_shape", List{2}}}});
  }
}

void add_attention(Cases& cases, DType t) {
  const std::vector<Operand> operands{bits(DBK_U8, {2, 5, 7}), bits(t, {7, 24}), tensor(DBK_F32, {24}).within(-1, 1), one(0.01), one(0.02)};
  const auto with = [&](std::vector<Operand> more) {
    more.insert(more.begin(), operands.begin(), operands.end());
    return more;
  };
  cases.push_back({"plain", operands, {{"num_heads", int64_t{2}}}});
  cases.push_back({"lengths", with({list(DBK_I32, {2}, {5, 3}), zero(DBK_U8, 128), zero(t, 3)}), {{"num_heads", int64_t{4}}}});
  OpCase cache("cache", with({absent, zero(DBK_U8, 128), zero(t, 3), tensor(DBK_F32, {2, 2, 2, 3, 4}).within(-1, 1)}),
               {{"num_heads", int64_t{2}}, {"unidirectional", int64_t{1}}});
  cases.push_back(cache.wanting({true, true}));
}

void add_dynamic(Cases& cases, std::string_view id, DType t) {
  if (id == "dynamic_quantize_lstm") {
    OpCase test(
        "forward",
        {tensor(DBK_F32, {4, 2, 3}), bits(t, {1, 3, 20}), bits(t, {1, 5, 20}), tensor(DBK_F32, {1, 40}), absent, absent,
         absent, absent, reals(DBK_F32, {1}, {0.01}), zero(t, 0), reals(DBK_F32, {1}, {0.01}), zero(t, 0)},
        {{"hidden_size", int64_t{5}}});
    test.inputs[9].shape = test.inputs[11].shape = {1};
    cases.push_back(test.wanting({true, true, true}));
  }
}

}  // namespace

Cases quantized_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType t : {DBK_U8, DBK_I8}) {
    add_elementwise(cases, row.id, t);
    add_pools(cases, row.id, t);
    add_dynamic(cases, row.id, t);
    if (row.id == "qattention") add_attention(cases, t);
  }
  return cases;
}

Cases dynamic_matmul_cases(const dbk::OpRow&) {
  Cases cases;
  for (DType t : {DBK_U8, DBK_I8}) {
    const auto scales = [](int64_t columns) { return tensor(DBK_F32, {columns}).within(0.1, 1); };
    cases.push_back({"plain", {tensor(DBK_F32, {5, 7}), bits(t, {7, 9}), one(0.25)}});
    cases.push_back({"columns", {tensor(DBK_F32, {2, 5, 8}), bits(t, {8, 12}), scales(12), bits(t, {12}), tensor(DBK_F32, {12})}});
    cases.push_back({"weight", {tensor(DBK_F32, {19, 70}), bits(t, {70, 20}).as(Origin::Param), scales(20), bits(t, {20}).as(Origin::Param)}});
    cases.push_back({"bias alone", {tensor(DBK_F32, {3, 16}), bits(t, {16, 4}), one(0.5), absent, tensor(DBK_F32, {4})}});
    cases.push_back({"empty", {tensor(DBK_F32, {0, 8}), bits(t, {8, 4}), one(0.5)}});
  }
  return cases;
}

}  // namespace ops
