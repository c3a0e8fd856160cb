// com.microsoft's MultiHeadAttention and Attention (behind its product): operands side by side, packed and cached, biases, padding masks
// of every shape, masks that are added, caches in and out.
#include "tests/ops/attention_case_lists.h"
#include "tests/ops/awkward.h"

namespace ops {

namespace {

enum class Form : uint8_t { Plain, Packed, PackedKeys, Cached };

struct MultiHead {
  DType dtype;
  Form form = Form::Plain;
  int64_t batch = 2, heads = 3, queries = 5, keys = 7, past = 0, size = 8, v_size = 8;
  bool causal = false, bias = false, present = false;
  Operand padding{}, added{};

  std::vector<Operand> sources() const {
    const Operand q = tensor(dtype, {batch, queries, heads * size});
    if (form == Form::Packed) return {tensor(dtype, {batch, queries, heads, 3, size}), absent, absent};
    if (form == Form::PackedKeys) return {q, tensor(dtype, {batch, keys, heads, 2, size}), absent};
    if (form == Form::Cached) return {q, tensor(dtype, {batch, heads, keys, size}), tensor(dtype, {batch, heads, keys, v_size})};
    return {q, tensor(dtype, {batch, keys, heads * size}), tensor(dtype, {batch, keys, heads * v_size})};
  }
  OpCase named(const char* name) const {
    std::vector<Operand> in = sources();
    in.push_back(bias ? tensor(dtype, {heads * (2 * size + v_size)}) : absent);
    in.push_back(padding), in.push_back(added);
    for (int64_t columns : {size, v_size}) in.push_back(past > 0 ? tensor(dtype, {batch, heads, past, columns}) : absent);
    while (in.back().dtype == DBK_DTYPE_NONE) in.pop_back();
    OpCase made(std::format("{} causal {} {}", name, int{causal}, describe(in)), in, {{"num_heads", heads}, {"unidirectional", int64_t{causal}}});
    if (present) made.outputs = {true, true, true};
    return bias ? made.at(Place::Host) : made;
  }
};

void add_multi_head(Cases& cases, DType dtype) {
  for (Form form : {Form::Plain, Form::Packed, Form::PackedKeys, Form::Cached})
    for (bool causal : {false, true}) {
      const MultiHead plain{.dtype = dtype, .form = form, .keys = form == Form::Packed ? 5 : 7, .causal = causal};
      cases.push_back(plain.named("form"));
      MultiHead odd = plain;
      odd.size = odd.v_size = 5, odd.queries = 33, odd.keys = form == Form::Packed ? 33 : 70;
      cases.push_back(odd.named("odd"));
      if (form == Form::Cached) continue;
      odd.past = 9, odd.present = true;
      cases.push_back(odd.named("cache"));
    }
  for (const Shape& shape : {Shape{2}, {2, 7}, {2, 5, 7}}) {
    MultiHead masked{.dtype = dtype, .v_size = 12};
    masked.padding = shape.rank() == 1 ? list(DBK_I32, shape, {4, 7}) : list(DBK_I32, shape, {1, 1, 0, 1, 0});
    cases.push_back(masked.named("padding"));
    masked.added = tensor(dtype, {1, 3, 5, 7}).within(-8, 8), masked.causal = true;
    cases.push_back(masked.named("padding"));
  }
  for (const Shape& shape : {Shape{2}, {2, 37}, {2, 33, 37}})
    for (bool causal : {false, true}) {  // tiles of queries and keys
      MultiHead tiles{.dtype = dtype, .queries = 33, .keys = 37, .causal = causal};
      tiles.padding = shape.rank() == 1 ? list(DBK_I32, shape, {35, 4}) : list(DBK_I32, shape, {1, 1, 0, 1, 0});
      if (causal) tiles.added = tensor(dtype, {1, 3, 33, 37}).within(-8, 8);
      cases.push_back(tiles.named("padding").on_hardware("/tile"));
    }
  MultiHead unseen{.dtype = dtype};
  unseen.padding = list(DBK_I32, {2, 7}, {0});
  cases.push_back(unseen.named("all is padding"));
  MultiHead past{.dtype = dtype, .past = 4, .causal = true};
  past.padding = list(DBK_I32, {2, 11}, {1, 1, 0}), past.added = tensor(dtype, {2, 1, 1, 11}).within(-8, 8);
  cases.push_back(past.named("cache and masks"));
}

struct Packed {
  DType dtype;
  int64_t batch = 2, heads = 3, rows = 5, past = 0, size = 8, v_size = 8;
  bool causal = false;
  Operand mask{}, added{};

  OpCase named(const char* name) const {
    std::vector<Operand> in{tensor(dtype, {batch, rows, heads * (2 * size + v_size)}), mask};
    in.push_back(past > 0 ? tensor(dtype, {2, batch, heads, past, size}) : absent);
    in.push_back(added);
    while (in.back().dtype == DBK_DTYPE_NONE) in.pop_back();
    std::vector<dbk::Attribute> attrs{{"num_heads", heads}, {"unidirectional", int64_t{causal}}};
    if (size != v_size) attrs.push_back({"qkv_hidden_sizes", std::vector<int64_t>{heads * size, heads * size, heads * v_size}});
    OpCase made(std::format("{} causal {} {}", name, int{causal}, describe(in)), in, attrs);
    if (past > 0) made.outputs = {true, true};
    return made;
  }
};

void add_packed(Cases& cases, DType dtype) {
  for (bool causal : {false, true}) {
    cases.push_back(Packed{.dtype = dtype, .causal = causal}.named("plain"));
    cases.push_back(Packed{.dtype = dtype, .rows = 33, .size = 5, .v_size = 6, .causal = causal}.named("odd"));
    cases.push_back(Packed{.dtype = dtype, .past = 6, .causal = causal}.named("cache"));
    cases.push_back(Packed{.dtype = dtype, .rows = 1, .past = 65, .size = 7, .v_size = 7, .causal = causal}.named("step"));
    for (const Shape& shape : {Shape{2}, {2, 9}, {2, 5, 9}}) {
      Packed masked{.dtype = dtype, .past = 4, .causal = causal};
      masked.mask = shape.rank() == 1 ? list(DBK_I32, shape, {3, 9}) : list(DBK_I32, shape, {1, 1, 0, 1, 0});
      cases.push_back(masked.named("mask"));
      masked.added = tensor(dtype, {2, 1, 5, 9}).within(-8, 8);
      cases.push_back(masked.named("mask"));
    }
  }
}

}  // namespace

Cases multi_head_attention_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) add_multi_head(cases, dtype);
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(MultiHead{.dtype = dtype, .past = 3, .present = true}.named("dtype"));
    cases.push_back(MultiHead{.dtype = dtype, .v_size = 5, .causal = true, .bias = true}.named("bias"));
    cases.push_back(MultiHead{.dtype = dtype, .past = 3, .bias = true, .present = true}.named("bias and cache"));
  }
  return cases;
}

Cases packed_attention_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) add_packed(cases, dtype);
  for (DType dtype : dtypes_of(row, 0)) cases.push_back(Packed{.dtype = dtype, .past = 3}.named("dtype"));
  return cases;
}

}  // namespace ops
