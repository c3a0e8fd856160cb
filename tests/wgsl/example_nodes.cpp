#include "tests/wgsl/example_nodes.h"

#include <map>

using namespace dbk;
using namespace dbk::gpu;

namespace wgsl {

namespace {

using Nodes = std::deque<ExampleNode>;

Attributes attributes(std::vector<Attribute> list) {
  Attributes attrs;
  for (Attribute& a : list) attrs.set(a.name, a.value);
  return attrs;
}

const TensorType kAxes{DBK_I64, {1}};
constexpr DType kTypes[] = {DBK_F32, DBK_F16, DBK_BF16, DBK_I8,  DBK_U8,   DBK_I16, DBK_U16,
                            DBK_I32, DBK_U32, DBK_I64, DBK_U64, DBK_BOOL, DBK_C128, DBK_U4, DBK_F8_E5M2};

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

void gather_nd(const OpRow& op, DType t, Nodes& out) {
  for (int64_t width : {3, 8}) out.push_back({&op, {}, {{t, {9, 2, width}}, {DBK_I64, {4, 2}}}, {{t, {4, width}}}});
}

void split(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, attributes({{"axis", int64_t{1}}}), {{t, {2, 8}}}, {{t, {2, 4}}, {t, {2, 4}}}, 18});
}

void pad(const OpRow& op, DType t, Nodes& out) {
  if (op.id == "center_crop_pad") {
    out.push_back({&op, {}, {{t, {2, 5}}, {DBK_I64, {2}}}, {{t, {3, 4}}}, 18, {3, 4}});
    return;
  }
  for (const char* mode : {"constant", "edge", "reflect", "wrap"})
    out.push_back({&op, attributes({{"mode", std::string(mode)}}), {{t, {2, 5}}, {DBK_I64, {4}}}, {{t, {3, 8}}}, 19, {1, 2, 0, 1}});
}

void repeat(const OpRow& op, DType t, Nodes& out) { out.push_back({&op, {}, {{t, {2, 1, 8}}}, {{t, {2, 3, 8}}}}); }  // either way

void fill(const OpRow& op, DType, Nodes& out) { out.push_back({&op, {}, {{DBK_I64, {2}}}, {{DBK_F32, {5, 7}}}}); }

void range(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, {}, {{t, {}}, {t, {}}, {t, {}}}, {{t, {70}}}, 11, {1}, false, 0b111});
}

void extents(const OpRow& op, DType t, Nodes& out) {
  const Shape result = op.id == "size" ? Shape{} : Shape{2};
  out.push_back({&op, {}, {{t, {3, 5}}}, {{DBK_I64, result}}});
}

void arg(const OpRow& op, DType t, Nodes& out) {
  for (int64_t last : {0, 1})
    out.push_back({&op, attributes({{"axis", int64_t{1}}, {"select_last_index", last}}), {{t, {7, 300}}}, {{DBK_I64, {7, 1}}}});
}

void cum_sum(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, {}, {{t, {7, 30}}, {DBK_I64, {}}}, {{t, {7, 30}}}, 14, {1}});
}

void trilu(const OpRow& op, DType t, Nodes& out) { out.push_back({&op, {}, {{t, {5, 7}}}, {{t, {5, 7}}}}); }

void gather_elements(const OpRow& op, DType t, Nodes& out) {
  for (DType index : {DBK_I32, DBK_I64})
    out.push_back({&op, attributes({{"axis", int64_t{0}}}), {{t, {9, 3}}, {index, {4, 3}}}, {{t, {4, 3}}}});
}

void scatter(const OpRow& op, DType t, Nodes& out) {
  const TensorType data{t, {9, 3}};
  for (const char* reduction : {"none", "add", "mul", "max", "min"}) {
    const Attributes attrs = attributes({{"axis", int64_t{0}}, {"reduction", std::string(reduction)}});
    if (op.id == "scatter_nd") {
      out.push_back({&op, attrs, {data, {DBK_I64, {4, 1}}, {t, {4, 3}}}, {data}});
      continue;
    }
    for (DType index : {DBK_I32, DBK_I64}) out.push_back({&op, attrs, {data, {index, {4, 3}}, {t, {4, 3}}}, {data}});
  }
}

void top_k(const OpRow& op, DType t, Nodes& out) {
  for (int64_t largest : {0, 1})
    out.push_back({&op, attributes({{"axis", int64_t{1}}, {"largest", largest}}), {{t, {5, 30}}, kAxes}, {{t, {5, 7}}, {DBK_I64, {5, 7}}}, 11, {7}});
}

void one_hot(const OpRow& op, DType t, Nodes& out) {
  for (DType values : {DBK_F32, DBK_F16, DBK_I64, DBK_U8})
    out.push_back({&op, attributes({{"axis", int64_t{-1}}}), {{t, {5}}, kAxes, {values, {2}}}, {{values, {5, 7}}}, 11, {7}});
}

void eye_like(const OpRow& op, DType t, Nodes& out) { out.push_back({&op, attributes({{"k", int64_t{1}}}), {{t, {5, 7}}}, {{t, {5, 7}}}}); }

void rearrange(const OpRow& op, DType t, Nodes& out) {
  const bool deep = op.id == "depth_to_space";
  const TensorType images{t, {1, 2, 4, 6}}, channels{t, {1, 8, 2, 3}};
  out.push_back({&op, attributes({{"blocksize", int64_t{2}}}), {deep ? channels : images}, {deep ? images : channels}});
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

void dynamic_quantize(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, {}, {{t, {3, 5}}}, {{DBK_U8, {3, 5}}, {DBK_F32, {}}, {DBK_U8, {}}}});
}

void integer_matmul(const OpRow& op, DType t, Nodes& out) {
  if (op.id == "matmul_integer") {
    out.push_back({&op, {}, {{t, {2, 5, 8}}, {t, {8, 4}}}, {{DBK_I32, {2, 5, 4}}}});
    out.push_back({&op, {}, {{t, {5, 8}}, {t, {8, 4}}, {t, {5}}, {t, {4}}}, {{DBK_I32, {5, 4}}}});
    return;
  }
  const TensorType real{DBK_F32, {}}, one{t, {}};
  out.push_back({&op, {}, {{t, {5, 8}}, real, one, {t, {8, 4}}, real, one, real, one}, {{t, {5, 4}}}});
}

void block_matmul(const OpRow& op, DType t, Nodes& out) {
  const TensorType a{t, {5, 64}}, b{DBK_U8, {3, 2, 16}}, scales{t, {6}}, none{};
  const Attributes attrs = attributes({{"N", int64_t{3}}, {"K", int64_t{64}}, {"block_size", int64_t{32}}, {"bits", int64_t{4}}});
  out.push_back({&op, attrs, {a, b, scales}, {{t, {5, 3}}}});
  out.push_back({&op, attrs, {a, b, scales, {DBK_U8, {3}}, none, {t, {3}}}, {{t, {5, 3}}}});
  out.push_back({&op, attrs, {a, b, scales, scales}, {{t, {5, 3}}}});
}

void scaled_matmul(const OpRow& op, DType t, Nodes& out) {
  const TensorType real{DBK_F32, {}}, one{t, {}};
  out.push_back({&op, {}, {{t, {5, 8}}, {t, {8, 4}}, real, real}, {{DBK_F32, {5, 4}}}});
  out.push_back({&op, {}, {{t, {5, 8}}, {t, {8, 4}}, real, {DBK_F32, {4}}, one, {t, {4}}, {DBK_F32, {4}}}, {{DBK_F32, {5, 4}}}});
}

void dequantize(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, {}, {{t, {3, 5}}, {DBK_F32, {}}, {t, {}}}, {{DBK_F32, {3, 5}}}, 25});
  out.push_back({&op, {}, {{t, {3, 5}}, {DBK_F16, {5}}}, {{DBK_F16, {3, 5}}}, 25});
}

void reduce(const OpRow& op, DType t, Nodes& out) {
  const auto node = [&](const Shape& in, const Shape& result, int64_t axis) {
    out.push_back({&op, attributes({{"keepdims", int64_t{0}}}), {{t, in}, kAxes}, {{t, result}}, 18, {axis}});
  };
  node({2048, 300}, {2048}, 1);
  node({300, 2048}, {2048}, 0);
  node({2, 100000}, {2}, 1);
  node({3, 5, 7}, {3, 7}, 1);
}

void softmax(const OpRow& op, DType t, Nodes& out) {
  for (const auto& [shape, axis] :
       {std::pair{Shape{2048, 300}, int64_t{1}}, {Shape{2, 100000}, 1}, {Shape{3, 50, 900}, 1}})
    out.push_back({&op, attributes({{"axis", axis}}), {{t, shape}}, {{t, shape}}});
}

void layer_normalization(const OpRow& op, DType t, Nodes& out) {
  const Attributes attrs = attributes({{"axis", int64_t{-1}}, {"epsilon", 1e-5}, {"stash_type", int64_t{1}}});
  const TensorType x{t, {300, 768}}, row{t, {768}}, kept{DBK_F32, {300, 1}}, none{};
  if (op.id.starts_with("skip_")) {
    out.push_back({&op, attributes({{"epsilon", 1e-5}}), {x, x, row}, {x}});
    out.push_back({&op, attributes({{"epsilon", 1e-5}}), {x, x, row, row}, {x, kept, none, x}});
    return;
  }
  out.push_back({&op, attrs, {x, row}, {x}});
  if (op.id != "layer_normalization") return;
  out.push_back({&op, attrs, {x, row, row}, {x, kept, kept}});
  out.push_back({&op, attrs, {x, row, row}, {x, none, kept}});
}

void matmul(const OpRow& op, DType t, Nodes& out) {
  for (bool weight : {false, true}) {
    out.push_back({&op, {}, {{t, {3, 20, 84}}, {t, {84, 36}}}, {{t, {3, 20, 36}}}, 13, {}, weight});
    out.push_back({&op, {}, {{t, {7, 384}}, {t, {384, 48}}}, {{t, {7, 48}}}, 13, {}, weight});
    out.push_back({&op, {}, {{t, {2, 5, 7}}, {t, {1, 7, 9}}}, {{t, {2, 5, 9}}}, 13, {}, weight});
  }
}

void gemm(const OpRow& op, DType t, Nodes& out) {
  for (const auto& [trans_a, trans_b] : {std::pair{0, 0}, {0, 1}, {1, 0}})
    for (double alpha : {1.0, 0.5})
      for (bool has_c : {false, true}) {
        const Attributes attrs =
            attributes({{"transA", int64_t{trans_a}}, {"transB", int64_t{trans_b}}, {"alpha", alpha}, {"beta", 1.0}});
        std::vector<TensorType> in{{t, {32, 32}}, {t, {32, 32}}};
        if (has_c) in.push_back({t, {32}});
        out.push_back({&op, attrs, in, {{t, {32, 32}}}, 13, {}, true});
      }
}

using List = std::vector<int64_t>;

Attributes conv_attributes(const List& strides = {1, 1}) {
  return attributes({{"auto_pad", std::string("NOTSET")}, {"group", int64_t{1}}, {"strides", strides}});
}

void large_conv(const OpRow& op, DType t, Nodes& out) {
  const TensorType x{t, {2, 9, 34, 34}}, w{t, {8, 9, 3, 3}};
  out.push_back({&op, conv_attributes(), {x, w}, {{t, {2, 8, 32, 32}}}, 11, {}, true});
  out.push_back({&op, conv_attributes({2, 2}), {x, w}, {{t, {2, 8, 16, 16}}}, 11, {}, true});
}

void conv(const OpRow& op, DType t, Nodes& out) {
  large_conv(op, t, out);
  for (int64_t channels : {1, 4, 8})
    for (bool bias : {false, true}) {
      std::vector<TensorType> in{{t, {2, 3, 9, 9}}, {t, {channels, 3, 3, 3}}};
      if (bias) in.push_back({t, {channels}});
      out.push_back({&op, conv_attributes(), in, {{t, {2, channels, 7, 7}}}, 11, {}, true});
    }
}

void conv_transpose(const OpRow& op, DType t, Nodes& out) {
  const TensorType x{t, {2, 9, 20, 20}}, w{t, {9, 8, 3, 3}};
  out.push_back({&op, conv_attributes(), {x, w}, {{t, {2, 8, 22, 22}}}, 11, {}, true});
  out.push_back({&op, conv_attributes({2, 2}), {x, w}, {{t, {2, 8, 41, 41}}}, 11, {}, true});
}

void group_normalization(const OpRow& op, DType t, Nodes& out) {
  const Attributes attrs = attributes({{"epsilon", 1e-5}, {"num_groups", int64_t{4}}});
  for (int64_t length : {5, 4096}) {
    const TensorType x{t, {2, 4, length}}, channels{t, {4}};
    out.push_back({&op, attrs, {x, channels, channels}, {x}, 21});
  }
}

void lp_normalization(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, attributes({{"axis", int64_t{1}}, {"p", int64_t{2}}}), {{t, {7, 300}}}, {{t, {7, 300}}}});
}

void lrn(const OpRow& op, DType t, Nodes& out) {
  const Attributes attrs = attributes({{"alpha", 1e-4}, {"beta", 0.75}, {"bias", 1.0}, {"size", int64_t{3}}});
  out.push_back({&op, attrs, {{t, {2, 5, 9}}}, {{t, {2, 5, 9}}}});
}

void pool(const OpRow& op, DType t, Nodes& out) {
  const auto with = [](int64_t p) { return attributes({{"auto_pad", std::string("NOTSET")}, {"p", p}, {"storage_order", int64_t{0}}}); };
  if (op.id == "global_lp_pool") {
    for (int64_t p : {2, 3}) out.push_back({&op, with(p), {{t, {2, 3, 9, 9}}}, {{t, {2, 3, 1, 1}}}});
    return;
  }
  Attributes attrs = with(2);
  attrs.set("kernel_shape", List{3, 3});
  out.push_back({&op, attrs, {{t, {2, 3, 9, 9}}}, {{t, {2, 3, 7, 7}}}});
  if (op.id == "max_pool")
    out.push_back({&op, attrs, {{t, {2, 3, 9, 9}}}, {{t, {2, 3, 7, 7}}, {DBK_I64, {2, 3, 7, 7}}}});
}

void global_pool(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, {}, {{t, {2, 3, 9, 9}}}, {{t, {2, 3, 1, 1}}}});
}

void batch_normalization(const OpRow& op, DType t, Nodes& out) {
  const TensorType x{t, {2, 3, 9}}, channels{t, {3}}, statistics{DBK_F32, {3}};
  out.push_back({&op, attributes({{"epsilon", 1e-5}}), {x, channels, channels, channels, channels}, {x}});
  out.push_back({&op, attributes({{"epsilon", 1e-5}}), {x, channels, channels, statistics, statistics}, {x}});
}

void onnx_attention(const OpRow& op, DType t, Nodes& out) {
  const auto node = [&](int64_t size, double softcap, int64_t mode, std::vector<TensorType> more, std::vector<TensorType> results) {
    const Attributes attrs = attributes({{"is_causal", int64_t{1}}, {"softcap", softcap}, {"qk_matmul_output_mode", mode}});
    std::vector<TensorType> in{{t, {2, 4, 20, size}}, {t, {2, 2, 30, size}}, {t, {2, 2, 30, size}}}, outputs{{t, {2, 4, 20, size}}};
    in.insert(in.end(), more.begin(), more.end());
    outputs.insert(outputs.end(), results.begin(), results.end());
    out.push_back({&op, attrs, in, outputs, 24});
  };
  const TensorType none{}, present{t, {2, 2, 37, 16}}, scores{t, {2, 4, 20, 37}}, past{t, {2, 2, 7, 16}};
  node(16, 0, 0, {}, {});
  node(16, 2, 1, {{DBK_BOOL, {20, 37}}, past, past}, {present, present, scores});
  node(16, 2, 2, {{t, {20, 37}}, past, past}, {none, none, scores});
  node(16, 0, 3, {{t, {20, 37}}, past, past}, {none, none, scores});
  node(5, 0, 0, {{t, {20, 9}}, none, none, {DBK_I64, {2}}}, {});
}

void multi_head_attention(const OpRow& op, DType t, Nodes& out) {
  const Attributes attrs = attributes({{"num_heads", int64_t{2}}, {"unidirectional", int64_t{1}}});
  const TensorType none{}, q{t, {2, 5, 16}}, k{t, {2, 7, 16}}, added{t, {2, 2, 5, 7}};
  out.push_back({&op, attrs, {q, k, k, none, {DBK_I32, {2}}, added}, {q}, 1});
  out.push_back({&op, attrs, {q, k, k, none, {DBK_I32, {2, 7}}, added}, {q}, 1});
}

void packed_attention(const OpRow& op, DType t, Nodes& out) {
  const Attributes attrs = attributes({{"num_heads", int64_t{2}}, {"unidirectional", int64_t{1}}});
  const TensorType past{t, {2, 2, 2, 3, 8}}, present{t, {2, 2, 2, 8, 8}};
  out.push_back({&op, attrs, {{t, {2, 5, 48}}, {DBK_I32, {2, 8}}, past}, {{t, {2, 5, 16}}, present}, 1});
}

void attention(const OpRow& op, DType t, Nodes& out) {
  if (op.id == "attention") return onnx_attention(op, t, out);
  if (op.id == "multi_head_attention") return multi_head_attention(op, t, out);
  if (op.id == "packed_attention") return packed_attention(op, t, out);
  const auto node = [&](int64_t size, int64_t v_size, double softcap, const TensorType& mask) {
    const Attributes attrs = attributes({{"heads", int64_t{2}}, {"kv_heads", int64_t{1}}, {"head_size", size}, {"v_head_size", v_size},
                                         {"q_first", int64_t{0}}, {"k_first", int64_t{0}}, {"v_first", int64_t{0}}, {"scale", 0.5},
                                         {"causal", int64_t{1}}, {"softcap", softcap}, {"masked_rows_zero", int64_t{0}}});
    std::vector<TensorType> in{{t, {2, 20, 2 * size}}, {t, {2, 30, size}}, {t, {2, 30, v_size}}};
    if (mask.dtype != DBK_DTYPE_NONE) in.push_back(mask);
    out.push_back({&op, attrs, in, {{t, {2, 20, 2 * v_size}}}, 1});
  };
  node(32, 32, 0, {});
  node(64, 64, 2, {t, {20, 30}});
  node(7, 130, 0, {DBK_BOOL, {2, 1, 1, 30}});
  node(200, 72, 0, {});
}

void rotary(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, attributes({{"interleaved", int64_t{0}}}), {{t, {2, 3, 8}}, {t, {3, 8}}, {t, {8}}}, {{t, {2, 3, 8}}}});
}

void resize(const OpRow& op, DType t, Nodes& out) {
  Attributes attrs = attributes({{"coordinate_transformation_mode", std::string("half_pixel")}, {"nearest_mode", std::string("floor")},
                                 {"cubic_coeff_a", -0.75}, {"exclude_outside", int64_t{0}}, {"extrapolation_value", 0.0}});
  const auto node = [&](const char* mode, const Shape& to, std::vector<int64_t> sizes) {
    Attributes all = attrs;
    all.set("mode", std::string(mode));
    out.push_back({&op, all, {{t, {2, 5}}, {}, {}, {DBK_I64, {2}}}, {{t, to}}, 19, std::move(sizes), false, 0b1000});
  };
  if (op.id == "upsample") return;
  node("nearest", {2, 9}, {2, 9});
  if (!contains(F32 | F16, t)) return;
  node("linear", {3, 9}, {3, 9});
  node("cubic", {2, 4000}, {2, 4000});
}

void grid_sample(const OpRow& op, DType t, Nodes& out) {
  for (const char* mode : {"nearest", "linear", "cubic"})
    for (const char* padding : {"zeros", "border", "reflection"})
      out.push_back({&op, attributes({{"mode", std::string(mode)}, {"padding_mode", std::string(padding)}, {"align_corners", int64_t{0}}}),
                     {{t, {2, 3, 5, 6}}, {DBK_F32, {2, 4, 4, 2}}}, {{t, {2, 3, 4, 4}}}});
}

void roi_align(const OpRow& op, DType t, Nodes& out) {
  for (const char* mode : {"avg", "max"})
    out.push_back({&op, attributes({{"mode", std::string(mode)}, {"coordinate_transformation_mode", std::string("half_pixel")},
                                    {"output_height", int64_t{2}}, {"output_width", int64_t{3}}, {"sampling_ratio", int64_t{2}}, {"spatial_scale", 1.0}}),
                   {{t, {2, 3, 5, 6}}, {t, {4, 4}}, {DBK_I64, {4}}}, {{t, {4, 3, 2, 3}}}});
}

void dft(const OpRow& op, DType t, Nodes& out) {
  const Attributes attrs = attributes({{"inverse", int64_t{0}}, {"onesided", int64_t{0}}});
  for (int64_t parts : {1, 2})
    for (int64_t length : {8, 4096}) out.push_back({&op, attrs, {{t, {3, length, parts}}}, {{t, {3, length, 2}}}, 20});
}

void stft(const OpRow& op, DType t, Nodes& out) {
  const TensorType none{}, step{DBK_I64, {}};
  for (int64_t parts : {1, 2})
    for (const TensorType& window : {TensorType{t, {8}}, none}) {
      const int64_t length = window.dtype == DBK_DTYPE_NONE ? 40 : 8;
      out.push_back({&op, attributes({{"onesided", int64_t{0}}}), {{t, {2, 40, parts}}, step, window}, {{t, {2, (40 - length) / 4 + 1, length, 2}}}, 17, {4}});
    }
}

void mean_variance_normalization(const OpRow& op, DType t, Nodes& out) {
  for (int64_t axis : {0, 1}) out.push_back({&op, attributes({{"axes", std::vector<int64_t>{axis}}}), {{t, {70, 90}}}, {{t, {70, 90}}}});
}

void group_query_attention(const OpRow& op, DType t, Nodes& out) {
  const TensorType none{}, past{t, {2, 2, 9, 8}}, present{t, {2, 2, 14, 8}}, q{t, {2, 5, 32}}, k{t, {2, 5, 16}}, angles{t, {20, 4}}, last{DBK_I32, {2}}, total{DBK_I32, {}};
  const auto node = [&](int64_t rotary, int64_t window, std::vector<TensorType> in, std::vector<TensorType> results) {
    const Attributes attrs = attributes({{"num_heads", int64_t{4}}, {"kv_num_heads", int64_t{2}}, {"do_rotary", rotary}, {"local_window_size", window},
                                         {"smooth_softmax", rotary}, {"softcap", 2.0}, {"qk_output", int64_t{0}}, {"sliding_window_cache", int64_t{0}},
                                         {"causal", int64_t{1}}, {"k_quant_type", std::string("NONE")}, {"v_quant_type", std::string("NONE")}});
    out.push_back({&op, attrs, std::move(in), std::move(results), 1, {14}, false, 1u << 6});
  };
  node(0, -1, {q, k, k, past, past, last, total}, {q, present, present});
  node(1, 3, {q, k, k, past, past, last, total, angles, angles, none, {t, {1, 1, 5, 14}}}, {q});
}

void reverse_sequence(const OpRow& op, DType t, Nodes& out) {
  for (int64_t width : {3, 8})
    out.push_back({&op, attributes({{"batch_axis", int64_t{1}}, {"time_axis", int64_t{0}}}), {{t, {4, 5, width}}, {DBK_I64, {5}}}, {{t, {4, 5, width}}}});
}

void transposed_matmul(const OpRow& op, DType t, Nodes& out) {
  const auto attrs = [](int64_t a, int64_t b, double alpha) {
    return attributes({{"transA", a}, {"transB", b}, {"transBatchA", int64_t{0}}, {"transBatchB", int64_t{0}}, {"alpha", alpha}});
  };
  out.push_back({&op, attrs(0, 1, 0.125), {{t, {2, 3, 20, 64}}, {t, {2, 3, 36, 64}}}, {{t, {2, 3, 20, 36}}}, 1});
  out.push_back({&op, attrs(1, 0, 1), {{t, {64, 20}}, {t, {64, 36}}}, {{t, {20, 36}}}, 1});
}

void rotary_embedding(const OpRow& op, DType t, Nodes& out) {
  const TensorType x{t, {2, 3, 5, 8}}, cache{t, {9, 4}}, own{t, {2, 5, 4}};
  Attributes attrs = attributes({{"interleaved", int64_t{1}}, {"rotary_embedding_dim", int64_t{0}}, {"num_heads", int64_t{0}},
                                 {"is_packed_batching", int64_t{0}}, {"scale", 1.0}});
  if (op.domain.empty()) {
    out.push_back({&op, attrs, {x, own, own}, {x}, 23});
    out.push_back({&op, attrs, {x, cache, cache, {DBK_I64, {2, 5}}}, {x}, 23});
  } else {
    for (const Shape& positions : {Shape{1}, Shape{2, 5}}) out.push_back({&op, attrs, {x, {DBK_I64, positions}, cache, cache}, {x}, 1});
  }
}

void tensor_scatter(const OpRow& op, DType t, Nodes& out) {
  for (const char* mode : {"linear", "circular"})
    for (bool starts : {false, true}) {
      std::vector<TensorType> in{{t, {2, 3, 9, 4}}, {t, {2, 3, 2, 4}}};
      if (starts) in.push_back({DBK_I64, {2}});
      out.push_back({&op, attributes({{"mode", std::string(mode)}, {"axis", int64_t{-2}}}), in, {{t, {2, 3, 9, 4}}}, 24});
    }
}

void transpose(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, attributes({{"perm", std::vector<int64_t>{1, 0, 2}}}), {{t, {6, 4, 8}}}, {{t, {4, 6, 8}}}});
  out.push_back({&op, {}, {{t, {3, 5}}}, {{t, {5, 3}}}});
}

void gather(const OpRow& op, DType t, Nodes& out) {
  for (DType index : {DBK_I32, DBK_I64})
    for (int64_t width : {3, 8})
      out.push_back({&op, attributes({{"axis", int64_t{0}}}), {{t, {9, width}}, {index, {4}}}, {{t, {4, width}}}});
}

void concat(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, attributes({{"axis", int64_t{1}}}), {{t, {2, 8}}, {t, {2, 3}}}, {{t, {2, 11}}}});
}

void slice(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op,
                 attributes({{"starts", std::vector<int64_t>{1}}, {"ends", std::vector<int64_t>{3}}}),
                 {{t, {4, 5}}},
                 {{t, {2, 5}}},
                 1});
}

}  // namespace

TypedNode ExampleNode::view() {
  for (size_t i = 0; i < inputs.size() && !axes.empty(); ++i) {
    if ((known >> i & 1) == 0) continue;
    tensors[i] = {inputs[i], axes.data()};
    values[i] = &tensors[i];
  }
  weights[1] = weight_b;
  return {op, &attrs, version, inputs, outputs, {values, inputs.size()}, {weights, inputs.size()}};
}

std::deque<ExampleNode> example_nodes() {
  const std::map<std::string_view, void (*)(const OpRow&, DType, Nodes&)> makers{
#define DBK_FAMILY(family) {#family, family},
#include "example_families.inc"
#undef DBK_FAMILY
  };
  Nodes nodes;
  for (const OpRow& op : all_ops()) {
    const auto maker = makers.find(op.family);
    if (maker == makers.end()) continue;  // no kernel
    for (DType t : kTypes)
      if (contains(op.gpu_dtypes, t)) maker->second(op, t, nodes);
  }
  add_expression_nodes(nodes);
  return nodes;
}

std::vector<Adapter> example_adapters() {
  Capabilities bare;
  Capabilities gpu;
  gpu.f16 = gpu.subgroups = true;
  gpu.max_storage_bindings = 16;
  gpu.subgroup_min = gpu.subgroup_max = 32;
  gpu.robust = false;
  Capabilities cpu = gpu;
  cpu.cpu_adapter = true;
  cpu.subgroup_min = cpu.subgroup_max = 8;
  Capabilities cpu_checked = cpu;
  cpu_checked.robust = true;
  return {{"bare", bare}, {"gpu", gpu}, {"cpu", cpu}, {"cpu, checked", cpu_checked}};
}

}  // namespace wgsl
