// Attention and rotary positions.
#include "tests/wgsl/example_families.h"

namespace wgsl::families {

namespace {

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
  const TensorType many{t, {1, 4, 256, 8}};  // scores, enough for lines
  out.push_back({&op, attributes({{"is_causal", int64_t{1}}, {"softcap", 0.0}, {"qk_matmul_output_mode", int64_t{0}}}), {many, many, many, {t, {256, 256}}}, {many}, 24});
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

}  // namespace

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

// Operands of elements and of vectors, by each kind of position.
void rotary_heads(const OpRow& op, DType t, Nodes& out) {
  for (int64_t size : {6, 16})
    for (int64_t interleaved : {0, 1}) {
      const TensorType q{t, {2, 3, 5, size}}, k{t, {2, 1, 5, size}}, rows{t, {2, 5, size}}, cache{t, {9, size / 2}}, none{};
      const auto node = [&](int64_t whole_rows, std::vector<TensorType> in, std::vector<TensorType> results) {
        const Attributes attrs = attributes({{"interleaved", interleaved}, {"rotary_embedding_dim", int64_t{0}}, {"num_heads", int64_t{0}},
                                             {"kv_num_heads", int64_t{0}}, {"whole_rows", whole_rows}});
        out.push_back({&op, attrs, std::move(in), std::move(results), 1});
      };
      node(1, {q, k, rows, rows}, {q, k});
      node(1, {q, none, rows, rows}, {q});
      node(0, {q, k, cache, cache, {DBK_I64, {2, 5}}}, {q, k});
      node(0, {q, none, cache, cache, {DBK_I64, {1}}}, {q});
    }
}

void rotary_embedding(const OpRow& op, DType t, Nodes& out) {
  if (op.id == "rotary_heads") return rotary_heads(op, t, out);
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

}  // namespace wgsl::families
