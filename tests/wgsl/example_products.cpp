// Products of matrices and convolutions.
#include "tests/wgsl/example_families.h"

namespace wgsl::families {

namespace {

Attributes conv_attributes(const List& strides = {1, 1}) {
  return attributes({{"auto_pad", std::string("NOTSET")}, {"group", int64_t{1}}, {"strides", strides}});
}

void large_conv(const OpRow& op, DType t, Nodes& out) {
  const TensorType x{t, {2, 9, 34, 34}}, w{t, {8, 9, 3, 3}};
  out.push_back({&op, conv_attributes(), {x, w}, {{t, {2, 8, 32, 32}}}, 11, {}, true});
  out.push_back({&op, conv_attributes({2, 2}), {x, w}, {{t, {2, 8, 16, 16}}}, 11, {}, true});
}

}  // namespace

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

void matmul(const OpRow& op, DType t, Nodes& out) {
  for (bool weight : {false, true}) {
    out.push_back({&op, {}, {{t, {3, 20, 84}}, {t, {84, 36}}}, {{t, {3, 20, 36}}}, 13, {}, weight});
    out.push_back({&op, {}, {{t, {7, 384}}, {t, {384, 48}}}, {{t, {7, 48}}}, 13, {}, weight});
    out.push_back({&op, {}, {{t, {7, 261}}, {t, {261, 36}}}, {{t, {7, 36}}}, 13, {}, weight});
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

void conv(const OpRow& op, DType t, Nodes& out) {
  large_conv(op, t, out);
  for (int64_t channels : {1, 4, 8})
    for (bool bias : {false, true}) {
      std::vector<TensorType> in{{t, {2, 3, 9, 9}}, {t, {channels, 3, 3, 3}}};
      if (bias) in.push_back({t, {channels}});
      out.push_back({&op, conv_attributes(), in, {{t, {2, channels, 7, 7}}}, 11, {}, true});
    }
}

void integer_conv(const OpRow& op, DType t, Nodes& out) {
  const TensorType x{t, {2, 3, 9, 9}}, one{t, {1}}, scale{DBK_F32, {1}}, bias{DBK_I32, {8}}, none{};
  for (DType u : {DBK_I8, DBK_U8}) {
    const TensorType w{u, {8, 3, 3, 3}}, w_zero{u, {8}};
    if (op.id == "conv_integer") {
      out.push_back({&op, conv_attributes(), {x, w}, {{DBK_I32, {2, 8, 7, 7}}}, 10, {}, true});
      out.push_back({&op, conv_attributes(), {x, w, one, w_zero}, {{DBK_I32, {2, 8, 7, 7}}}, 10, {}, true});
      continue;
    }
    for (const TensorType& b : {none, bias})
      out.push_back({&op, conv_attributes(), {x, scale, one, w, scale, w_zero, scale, one, b}, {{t, {2, 8, 7, 7}}}, 10});
  }
}

void conv_transpose(const OpRow& op, DType t, Nodes& out) {
  const TensorType x{t, {2, 9, 20, 20}}, w{t, {9, 8, 3, 3}};
  out.push_back({&op, conv_attributes(), {x, w}, {{t, {2, 8, 22, 22}}}, 11, {}, true});
  out.push_back({&op, conv_attributes({2, 2}), {x, w}, {{t, {2, 8, 41, 41}}}, 11, {}, true});
}

void transposed_matmul(const OpRow& op, DType t, Nodes& out) {
  const auto attrs = [](int64_t a, int64_t b, double alpha) {
    return attributes({{"transA", a}, {"transB", b}, {"transBatchA", int64_t{0}}, {"transBatchB", int64_t{0}}, {"alpha", alpha}});
  };
  out.push_back({&op, attrs(0, 1, 0.125), {{t, {2, 3, 20, 64}}, {t, {2, 3, 36, 64}}}, {{t, {2, 3, 20, 36}}}, 1});
  out.push_back({&op, attrs(1, 0, 1), {{t, {64, 20}}, {t, {64, 36}}}, {{t, {20, 36}}}, 1});
}

}  // namespace wgsl::families
