#include "host_fallback/expression.h"

#include <array>

#include "host_fallback/movement.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

constexpr int64_t kBlock = 2048;           // elements at a time: what one thread computes alone in every op (kElementGrain / 8)
constexpr int64_t kScratch = 64 << 10;     // bytes of a thread for the blocks of intermediates
constexpr int64_t kBlockMultiple = 64;     // so that every block begins at a cache line

using Expr = Expression;

// The type of a step from those of its inputs, null where absent.
TensorType infer_step(const Expr::Step& step, std::span<const TensorType* const> types) {
  std::array<InferInput, Expr::kMaxInputs> inputs;
  for (size_t i = 0; i < types.size(); ++i) inputs[i].type = types[i];
  TensorType type;
  Infer rule({&step.attrs, step.version}, {inputs.data(), types.size()}, {&type, 1});
  step.op->host->infer(rule);
  return type;
}

// Whether a step may write where it reads: element by element, or block by block behind what it has read.
bool works_in_place(const Expr::Step& step) { return step.op->family == "unary" || (step.op->family == "binary" && step.inputs.size() == 2); }

// A value within a block: `single` where it is one element for all of them.
struct BlockValue {
  DType dtype = DBK_DTYPE_NONE;
  bool single = false;
  int64_t size = 0;     // bytes of an element
  int64_t scratch = 0;  // its place among the intermediates, in bytes per element of a block; -1: it has none
  const std::byte* data = nullptr;

  TensorType type(int64_t n) const { return {dtype, {single ? 1 : n}}; }
};

// How the expression is evaluated on its blocks; made once per call, read by all threads.
class Blocks {
 public:
  Blocks(const Expr& expression, std::span<const Tensor> operands, const Tensor& out)
      : expression_(expression), out_(static_cast<std::byte*>(out.data)), out_size_(bits_of(out.type.dtype) / 8) {
    for (size_t i = 0; i < operands.size(); ++i) add_operand(operands[i], out, i);
    for (size_t s = 0; s < expression.steps.size(); ++s) add_step(s);
    const int64_t fits = bytes_ > 0 ? kScratch / bytes_ / kBlockMultiple * kBlockMultiple : kBlock;
    block_ = std::min(kBlock, fits);
  }

  [[gnu::noinline]] void run(int64_t begin, int64_t end) const {
    alignas(64) std::byte scratch[kScratch];
    for (int64_t first = begin; first < end; first += block_) {
      const int64_t n = std::min(block_, end - first);
      std::array<Tensor, kValues> values;
      for (size_t i = 0; i < expression_.operands; ++i) values[i] = read_operand(i, first, n, scratch);
      for (size_t s = 0; s < expression_.steps.size(); ++s) run_step(s, first, n, scratch, values);
    }
  }

 private:
  static constexpr size_t kValues = Expr::kMaxOperands + Expr::kMaxSteps;

  void add_operand(const Tensor& operand, const Tensor& out, size_t i) {
    loops_[i] = StridedLoop<1>(out.shape(), {broadcast_strides(operand.shape(), out.shape())});
    const bool flat = loops_[i].extent.rank() == 1;
    const bool dense = flat && loops_[i].step(0) == 1 && (operand.data != out.data || works_in_place(expression_.last()));
    add(i, operand.type.dtype, operand.count() == 1, dense || operand.count() == 1);
    values_[i].data = operand.as<std::byte>();
  }

  void add_step(size_t s) {
    const Expr::Step& step = expression_.steps[s];
    std::array<TensorType, Expr::kMaxInputs> types;
    std::array<const TensorType*, Expr::kMaxInputs> given{};
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      if (step.inputs[i] == Expr::kAbsent) continue;
      types[i] = values_[step.inputs[i]].type(2);  // any length but 1 shows what is single
      given[i] = &types[i];
    }
    const TensorType type = infer_step(step, {given.data(), step.inputs.size()});
    const bool last = s + 1 == expression_.steps.size();
    add(expression_.operands + s, type.dtype, type.count() == 1, last);
  }

  void add(size_t i, DType dtype, bool single, bool elsewhere) {
    values_[i] = {dtype, single, bits_of(dtype) / 8, elsewhere ? -1 : bytes_, nullptr};
    if (!elsewhere) bytes_ += values_[i].size;
  }

  Tensor read_operand(size_t i, int64_t first, int64_t n, std::byte* scratch) const {
    const BlockValue& v = values_[i];
    const TensorType type = v.type(n);
    if (v.scratch < 0) return {type, const_cast<std::byte*>(v.data) + (v.single ? 0 : first * v.size)};
    std::byte* to = scratch + v.scratch * block_;
    with_element_size(v.dtype, [&]<class E>() {
      const E* from = reinterpret_cast<const E*>(v.data);
      const StridedLoop<1>& loop = loops_[i];
      for_runs(loop, first, first + n, [&](int64_t at, const Offsets<1>& offset, int64_t length) {
        copy_run(from + offset[0], loop.step(0), reinterpret_cast<E*>(to) + (at - first), length);
      });
    });
    return {type, to};
  }

  void run_step(size_t s, int64_t first, int64_t n, std::byte* scratch, std::array<Tensor, kValues>& values) const {
    const Expr::Step& step = expression_.steps[s];
    const BlockValue& v = values_[expression_.operands + s];
    std::byte* to = v.scratch < 0 ? out_ + first * out_size_ : scratch + v.scratch * block_;
    Tensor& out = values[expression_.operands + s];
    out = {v.type(n), to};
    std::array<Tensor, Expr::kMaxInputs> inputs;
    for (size_t i = 0; i < step.inputs.size(); ++i)
      if (step.inputs[i] != Expr::kAbsent) inputs[i] = values[step.inputs[i]];
    Compute compute({&step.attrs, step.version}, {inputs.data(), step.inputs.size()}, {&out, 1});
    step.op->host->compute(compute);
  }

  const Expr& expression_;
  std::byte* out_;
  int64_t out_size_;
  std::array<BlockValue, kValues> values_;
  std::array<StridedLoop<1>, Expr::kMaxOperands> loops_;
  int64_t bytes_ = 0;  // of all intermediates, per element
  int64_t block_ = 0;
};

void check_sizes(const Expr& e, size_t operands) {
  const bool fits = e.operands == operands && operands <= Expr::kMaxOperands && !e.steps.empty() && e.steps.size() <= Expr::kMaxSteps;
  if (!fits) fail(DBK_INTERNAL, "an expression of {} steps over {} operands, given {}", e.steps.size(), e.operands, operands);
}

}  // namespace

TensorType infer_expression(const Expression& e, std::span<const TensorType> operands) {
  check_sizes(e, operands.size());
  std::vector<TensorType> types(operands.begin(), operands.end());
  for (const Expr::Step& step : e.steps) {
    if (step.inputs.size() > Expr::kMaxInputs) fail(DBK_INTERNAL, "a step of {} inputs", step.inputs.size());
    const DType main = types[step.inputs[step.op->host->main_input]].dtype;
    if (!contains(step.op->host->dtypes, main)) fail(DBK_UNIMPLEMENTED, "{}: no code for {}", step.op->name, to_string(main));
    std::vector<const TensorType*> given;
    for (uint32_t v : step.inputs) given.push_back(v == Expr::kAbsent ? nullptr : &types[v]);
    types.push_back(infer_step(step, given));
  }
  return types.back();
}

void evaluate(const Expression& e, std::span<const Tensor> operands, Tensor& out) {
  if (out.count() == 0) return;
  const Blocks blocks(e, operands, out);
  const int64_t grain = kElementGrain / static_cast<int64_t>(e.steps.size());
  parallel_ranges(out.count(), grain, [&blocks](int64_t begin, int64_t end) { blocks.run(begin, end); });
}

}  // namespace dbk
