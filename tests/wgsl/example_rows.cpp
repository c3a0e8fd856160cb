// Reductions, norms, and what else goes through a tensor by rows.
#include "tests/wgsl/example_families.h"

namespace wgsl::families {

void arg(const OpRow& op, DType t, Nodes& out) {
  for (int64_t last : {0, 1})
    out.push_back({&op, attributes({{"axis", int64_t{1}}, {"select_last_index", last}}), {{t, {7, 300}}}, {{DBK_I64, {7, 1}}}});
}

void cum_sum(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, {}, {{t, {7, 30}}, {DBK_I64, {}}}, {{t, {7, 30}}}, 14, {1}});
}

void top_k(const OpRow& op, DType t, Nodes& out) {
  for (int64_t largest : {0, 1})
    out.push_back({&op, attributes({{"axis", int64_t{1}}, {"largest", largest}}), {{t, {5, 30}}, kAxes}, {{t, {5, 7}}, {DBK_I64, {5, 7}}}, 11, {7}});
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

void batch_normalization(const OpRow& op, DType t, Nodes& out) {
  const TensorType x{t, {2, 3, 9}}, channels{t, {3}}, statistics{DBK_F32, {3}};
  out.push_back({&op, attributes({{"epsilon", 1e-5}}), {x, channels, channels, channels, channels}, {x}});
  out.push_back({&op, attributes({{"epsilon", 1e-5}}), {x, channels, channels, statistics, statistics}, {x}});
  const Attributes training = attributes({{"epsilon", 1e-5}, {"momentum", 0.9}, {"training_mode", int64_t{1}}});
  out.push_back({&op, training, {x, channels, channels, statistics, statistics}, {x, statistics, statistics}});
}

void mean_variance_normalization(const OpRow& op, DType t, Nodes& out) {
  for (int64_t axis : {0, 1}) out.push_back({&op, attributes({{"axes", std::vector<int64_t>{axis}}}), {{t, {70, 90}}}, {{t, {70, 90}}}});
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

void global_pool(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, {}, {{t, {2, 3, 9, 9}}}, {{t, {2, 3, 1, 1}}}});
}

}  // namespace wgsl::families
