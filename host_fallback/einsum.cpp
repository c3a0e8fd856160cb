// Einsum: sums of products of operands, which the equation describes as "ij,jk->ik": an index that the output lacks is summed
// over, a repeated one walks a diagonal, "..." stands for any axes that broadcast. Products are added in double.
#include "host_fallback/einsum.h"

#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/ring.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

constexpr DTypeSet kTypes = NUMBERS;

// Axes of "..." have labels too, counted from the last.
constexpr uint32_t kLetters = 52, kLabels = kLetters + DBK_MAX_RANK;

class Planner {
 public:
  explicit Planner(std::span<const Shape* const> operands) : operands_(operands) {
    std::fill_n(extent_, kLabels, int64_t{-1});
    std::fill_n(uses_, kLetters, 0u);
    for (auto& strides : strides_) std::fill_n(strides, kLabels, int64_t{0});
  }

  EinsumPlan run(std::string_view equation) {
    const size_t arrow = equation.find("->");
    read_operands(equation.substr(0, arrow));
    if (arrow == std::string_view::npos)
      add_usual_output();
    else
      read_output(equation.substr(arrow + 2));
    for (uint32_t label = 0; label < kLabels; ++label)
      if (extent_[label] >= 0 && !in_output_[label]) add(label, plan_.summed, plan_.summed_strides);
    return plan_;
  }

 private:
  static uint32_t label_of(char c) {
    if (c >= 'a' && c <= 'z') return static_cast<uint32_t>(c - 'a') + 26;
    if (c >= 'A' && c <= 'Z') return static_cast<uint32_t>(c - 'A');
    fail(DBK_INVALID_ARGUMENT, "equation has '{}', which is no index", c);
  }

  void read_operands(std::string_view text) {
    size_t operand = 0;
    for (;; ++operand) {
      const size_t comma = text.find(',');
      if (operand >= operands_.size()) fail(DBK_INVALID_ARGUMENT, "the equation has more terms than the {} inputs", operands_.size());
      read_term(text.substr(0, comma), operand);
      if (comma == std::string_view::npos) break;
      text.remove_prefix(comma + 1);
    }
    if (operand + 1 != operands_.size()) fail(DBK_INVALID_ARGUMENT, "the equation has {} terms for {} inputs", operand + 1, operands_.size());
  }

  static uint32_t count_letters(std::string_view term) {
    uint32_t count = 0;
    for (char c : term) count += c != ' ' && c != '.';
    return count;
  }

  void read_term(std::string_view term, size_t operand) {
    const Shape &shape = *operands_[operand], strides = dense_strides(shape);
    const uint32_t letters = count_letters(term);
    uint32_t axis = 0;
    bool dots = false;
    for (size_t i = 0; i < term.size(); ++i) {
      if (term[i] == ' ') continue;
      if (term[i] == '.') {
        if (term.substr(i, 3) != "..." || dots || letters > shape.rank()) fail_term(term, shape);
        dots = true;
        const uint32_t hidden = shape.rank() - letters;
        for (uint32_t d = 0; d < hidden; ++d, ++axis) use(kLetters + hidden - 1 - d, operand, shape[axis], strides[axis]);
        hidden_ = std::max(hidden_, hidden);
        i += 2;
        continue;
      }
      if (axis >= shape.rank()) fail_term(term, shape);
      const uint32_t label = label_of(term[i]);
      ++uses_[label];
      use(label, operand, shape[axis], strides[axis]);
      ++axis;
    }
    if (axis != shape.rank()) fail_term(term, shape);
  }

  [[noreturn]] static void fail_term(std::string_view term, const Shape& shape) {
    fail(DBK_INVALID_ARGUMENT, "the term '{}' does not fit an operand of shape {}", term, to_string(shape));
  }

  void use(uint32_t label, size_t operand, int64_t extent, int64_t stride) {
    int64_t& known = extent_[label];
    if (known < 0 || known == 1) known = extent;
    if (extent != known && extent != 1) fail(DBK_INVALID_ARGUMENT, "an index has extents {} and {}", known, extent);
    if (extent != 1) strides_[operand][label] += stride;
  }

  // Without an arrow: "..." first, then in alphabetical order the indices that occur once.
  void add_usual_output() {
    add_hidden();
    for (uint32_t label = 0; label < kLetters; ++label)
      if (uses_[label] == 1) add_to_output(label);
  }

  void read_output(std::string_view term) {
    for (size_t i = 0; i < term.size(); ++i) {
      if (term[i] == ' ') continue;
      if (term[i] == '.') {
        if (term.substr(i, 3) != "...") fail(DBK_INVALID_ARGUMENT, "the output '{}' has a dot that is not one of three", term);
        add_hidden();
        i += 2;
      } else {
        add_to_output(label_of(term[i]));
      }
    }
  }

  void add_hidden() {
    for (uint32_t d = hidden_; d-- > 0;) add_to_output(kLetters + d);
  }

  void add_to_output(uint32_t label) {
    if (extent_[label] < 0) fail(DBK_INVALID_ARGUMENT, "the output has an index that no operand has");
    if (in_output_[label]) fail(DBK_INVALID_ARGUMENT, "the output has an index twice");
    in_output_[label] = true;
    add(label, plan_.out, plan_.out_strides);
  }

  void add(uint32_t label, Shape& extents, Shape* strides) {
    extents.push_back(extent_[label]);
    for (size_t k = 0; k < operands_.size(); ++k) strides[k].push_back(strides_[k][label]);
  }

  std::span<const Shape* const> operands_;
  EinsumPlan plan_;
  int64_t extent_[kLabels];
  uint32_t uses_[kLetters], hidden_ = 0;
  bool in_output_[kLabels] = {};
  int64_t strides_[kMaxEinsumOperands][kLabels];
};

}  // namespace

EinsumPlan plan_einsum(std::string_view equation, std::span<const Shape* const> operands) {
  if (operands.size() > kMaxEinsumOperands) fail(DBK_UNIMPLEMENTED, "Einsum of more than {} inputs is not implemented", kMaxEinsumOperands);
  return Planner(operands).run(equation);
}

namespace {

void infer(Infer& infer) {
  const Shape* shapes[kMaxEinsumOperands] = {};
  const size_t count = infer.input_count();
  for (size_t k = 0; k < std::min(count, kMaxEinsumOperands); ++k) shapes[k] = &infer.shape(k);
  if (count > kMaxEinsumOperands) fail(DBK_UNIMPLEMENTED, "Einsum of more than {} inputs is not implemented", kMaxEinsumOperands);
  infer.out(0, infer.in(0).dtype, plan_einsum(infer.attrs().text("equation"), {shapes, count}).out);
}

// The offset of every operand at element `index` of axes with these extents.
using Places = Offsets<kMaxEinsumOperands>;

Places places_at(const Shape& extents, const Shape* strides, size_t operands, int64_t index) {
  Places at{};
  for (uint32_t d = extents.rank(); d-- > 0; index /= extents[d])
    for (size_t k = 0; k < operands; ++k) at[k] += index % extents[d] * strides[k][d];
  return at;
}

template <class T>
void sum_products(const Compute& c, const EinsumPlan& plan, Tensor& out) {
  const size_t operands = c.input_count();
  const int64_t terms = plan.summed.count();
  T* to = out.as<T>();
  parallel_ranges(out.count(), grain_of(terms * 8), [&c, &plan, to, operands, terms](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Places base = places_at(plan.out, plan.out_strides, operands, i);
      SumOf<T> sum = 0;
      for (int64_t t = 0; t < terms; ++t) {
        const Places at = places_at(plan.summed, plan.summed_strides, operands, t);
        SumOf<T> product = 1;
        for (size_t k = 0; k < operands; ++k)
          product *= static_cast<SumOf<T>>(static_cast<Acc<T>>(c.in(k).as<T>()[base[k] + at[k]]));
        sum += product;
      }
      to[i] = static_cast<T>(static_cast<Acc<T>>(sum));
    }
  });
}

void compute(Compute& c) {
  const Shape* shapes[kMaxEinsumOperands] = {};
  for (size_t k = 0; k < c.input_count(); ++k) shapes[k] = &c.in(k).shape();
  const EinsumPlan plan = plan_einsum(c.attrs().text("equation"), {shapes, c.input_count()});
  with_type<kTypes>(c.in(0).type.dtype, [&]<class T>() { sum_products<T>(c, plan, c.out(0)); });
}

}  // namespace

extern constinit const HostOp host_einsum{kTypes, 0, infer, compute};

}  // namespace dbk
