#include "attention_jobs.h"

#include <format>

namespace bench {

namespace {

using daybreak::Dims;
using daybreak::GraphBuilder;
using daybreak::Value;

Value projected(GraphBuilder& g, Value x, const std::string& name, int64_t from, int64_t to) {
  const Value product = g.node("MatMul", {x, g.param<float>(name + ".weight", Dims{from, to})});
  return g.node("Add", {product, g.param<float>(name + ".bias", Dims{to})});
}

Value normalized(GraphBuilder& g, Value x, const std::string& name, int64_t width) {
  return g.node("LayerNormalization", {x, g.param<float>(name + ".scale", Dims{width}), g.param<float>(name + ".bias", Dims{width})});
}

Value encoder_layer(GraphBuilder& g, Value x, const std::string& name, const EncoderSize& size) {
  const auto part = [&](const char* which) { return projected(g, x, name + which, size.width, size.width); };
  const Value attended = g.node("Attention", {part("q"), part("k"), part("v")}, {{"q_num_heads", size.heads}, {"kv_num_heads", size.heads}});
  const Value mixed = g.node("Add", {x, projected(g, attended, name + "out", size.width, size.width)});
  const Value middle = normalized(g, mixed, name + "norm1", size.width);
  const Value wide = g.node("Gelu", {projected(g, middle, name + "up", size.width, size.inner)});
  return normalized(g, g.node("Add", {middle, projected(g, wide, name + "down", size.inner, size.width)}), name + "norm2", size.width);
}

// Binds one length after the other; the most, few, and what fits no tile.
class Rebind : public Job {
 public:
  Rebind(const daybreak::Context& context, uint32_t device, GraphBuilder& graph, const EncoderSize& size)
      : width_(size.width), data_(values(static_cast<size_t>(size.most_tokens * size.width))),
        lengths_{size.most_tokens, 1, size.most_tokens / 2, size.most_tokens / 4 + 1} {
    exec_ = ready_executable(context, device, graph);
    run_ = daybreak::Run(exec_);
  }
  void run() override {
    const int64_t tokens = lengths_[next_++ % lengths_.size()];
    const std::span<const float> part(data_.data(), static_cast<size_t>(tokens * width_));
    run_.bind_input("x", daybreak::View(part, Dims{1, tokens, width_}));
  }

 private:
  int64_t width_;
  std::vector<float> data_;
  std::vector<int64_t> lengths_;
  size_t next_ = 0;
  daybreak::Executable exec_;
  daybreak::Run run_;
};

}  // namespace

std::unique_ptr<Job> attention_job(const daybreak::Context& context, uint32_t device, AttentionSize size) {
  GraphBuilder g(kOpset);
  const int64_t fresh = size.cached ? size.queries : size.keys;
  const auto keys = [&](const char* name, int64_t count) { return g.input<float>(name, Dims{1, size.key_heads, count, size.width}); };
  std::vector<Value> operands{g.input<float>("q", Dims{1, size.heads, size.queries, size.width}), keys("k", fresh), keys("v", fresh)};
  if (size.cached)
    operands.insert(operands.end(), {daybreak::absent, keys("past_k", size.keys - fresh), keys("past_v", size.keys - fresh)});
  const daybreak::Attr causal{"is_causal", int64_t{size.causal}};
  const auto results = g.nodes("Attention", operands, std::span(&causal, 1), std::vector<bool>(size.cached ? 3 : 1, true));
  constexpr const char* kNames[] = {"y", "present_k", "present_v"};
  for (size_t i = 0; i < results.size(); ++i) g.output(results[i], kNames[i]);
  return std::make_unique<GraphJob>(context, device, g);
}

std::unique_ptr<Job> rebind_job(const daybreak::Context& context, uint32_t device, EncoderSize size) {
  GraphBuilder g(kOpset);
  Value x = g.input<float>("x", {1, g.symbol("tokens", 1, size.most_tokens), size.width});
  for (int64_t i = 0; i < size.layers; ++i) x = encoder_layer(g, x, std::format("layer{}.", i), size);
  g.output(x, "y");
  return std::make_unique<Rebind>(context, device, g, size);
}

}  // namespace bench
