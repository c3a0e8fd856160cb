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

class Reader {
 public:
  explicit Reader(std::span<const uint32_t> ranks) : ranks_(ranks) {}

  EinsumTerms run(std::string_view equation) {
    const size_t arrow = equation.find("->");
    read_operands(equation.substr(0, arrow));
    if (arrow == std::string_view::npos)
      add_usual_output();
    else
      read_output(equation.substr(arrow + 2));
    return terms_;
  }

 private:
  static uint32_t letter_of(char c) {
    if (c >= 'a' && c <= 'z') return static_cast<uint32_t>(c - 'a') + 26;
    if (c >= 'A' && c <= 'Z') return static_cast<uint32_t>(c - 'A');
    fail(DBK_INVALID_ARGUMENT, "equation has '{}', which is no index", c);
  }

  void read_operands(std::string_view text) {
    size_t operand = 0;
    for (;; ++operand) {
      const size_t comma = text.find(',');
      if (operand >= ranks_.size()) fail(DBK_INVALID_ARGUMENT, "equation has more terms than the {} inputs", ranks_.size());
      read_term(text.substr(0, comma), ranks_[operand], terms_.operands[operand]);
      if (comma == std::string_view::npos) break;
      text.remove_prefix(comma + 1);
    }
    if (operand + 1 != ranks_.size()) fail(DBK_INVALID_ARGUMENT, "equation has {} terms for {} inputs", operand + 1, ranks_.size());
  }

  static uint32_t count_letters(std::string_view term) {
    uint32_t count = 0;
    for (char c : term) count += c != ' ' && c != '.';
    return count;
  }

  void read_term(std::string_view text, uint32_t rank, EinsumTerm& term) {
    const uint32_t letters = count_letters(text);
    const auto fail_term = [&] { fail(DBK_INVALID_ARGUMENT, "equation has the term '{}', which does not fit an operand of {} axes", text, rank); };
    bool dots = false;
    const auto use = [&](uint32_t index) {
      if (term.rank >= rank) fail_term();
      ++uses_[index];
      term.axes[term.rank++] = static_cast<EinsumIndex>(index);
    };
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == ' ') continue;
      if (text[i] != '.') {
        use(letter_of(text[i]));
        continue;
      }
      if (text.substr(i, 3) != "..." || dots || letters > rank) fail_term();
      dots = true;
      for (uint32_t hidden = rank - letters; hidden-- > 0;) use(kEinsumLetters + hidden);
      hidden_ = std::max(hidden_, rank - letters);
      i += 2;
    }
    if (term.rank != rank) fail_term();
  }

  // Without an arrow: "..." first, then in alphabetical order the indices that occur once.
  void add_usual_output() {
    add_hidden();
    for (uint32_t index = 0; index < kEinsumLetters; ++index)
      if (uses_[index] == 1) add_to_output(index);
  }

  void read_output(std::string_view text) {
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == ' ') continue;
      if (text[i] != '.') {
        add_to_output(letter_of(text[i]));
        continue;
      }
      if (text.substr(i, 3) != "...") fail(DBK_INVALID_ARGUMENT, "the output '{}' has a dot that is not one of three", text);
      add_hidden();
      i += 2;
    }
  }

  void add_hidden() {
    for (uint32_t d = hidden_; d-- > 0;) add_to_output(kEinsumLetters + d);
  }

  void add_to_output(uint32_t index) {
    if (uses_[index] == 0) fail(DBK_INVALID_ARGUMENT, "the output has an index that no operand has");
    if (in_output_[index]) fail(DBK_INVALID_ARGUMENT, "the output has an index twice");
    if (terms_.output.rank == DBK_MAX_RANK) fail(DBK_UNIMPLEMENTED, "the output has more than {} axes", DBK_MAX_RANK);
    in_output_[index] = true;
    terms_.output.axes[terms_.output.rank++] = static_cast<EinsumIndex>(index);
  }

  std::span<const uint32_t> ranks_;
  EinsumTerms terms_;
  uint32_t uses_[kEinsumIndices] = {}, hidden_ = 0;
  bool in_output_[kEinsumIndices] = {};
};

}  // namespace

EinsumTerms read_einsum(std::string_view equation, std::span<const uint32_t> ranks) {
  return Reader(ranks).run(equation);
}

EinsumPlan plan_einsum(std::string_view equation, std::span<const Shape* const> operands) {
  uint32_t ranks[kMaxEinsumOperands] = {};
  for (size_t k = 0; k < operands.size(); ++k) ranks[k] = operands[k]->rank();
  const EinsumTerms terms = read_einsum(equation, {ranks, operands.size()});

  int64_t extents[kEinsumIndices], strides[kMaxEinsumOperands][kEinsumIndices] = {};
  std::fill_n(extents, kEinsumIndices, int64_t{-1});
  for (size_t k = 0; k < operands.size(); ++k) {
    const Shape &shape = *operands[k], dense = dense_strides(shape);
    for (uint32_t d = 0; d < shape.rank(); ++d) {
      const EinsumIndex index = terms.operands[k].axes[d];
      int64_t& known = extents[index];
      if (known < 0 || known == 1) known = shape[d];
      if (shape[d] != known && shape[d] != 1) fail(DBK_INVALID_ARGUMENT, "an index has extents {} and {}", known, shape[d]);
      if (shape[d] != 1) strides[k][index] += dense[d];
    }
  }

  EinsumPlan plan;
  const auto add = [&](EinsumIndex index, Shape& to, Shape* to_strides) {
    to.push_back(extents[index]);
    for (size_t k = 0; k < operands.size(); ++k) to_strides[k].push_back(strides[k][index]);
    extents[index] = -1;  // is done
  };
  for (EinsumIndex index : terms.output.indices()) add(index, plan.out, plan.out_strides);
  for (uint32_t index = 0; index < kEinsumIndices; ++index)
    if (extents[index] >= 0) add(static_cast<EinsumIndex>(index), plan.summed, plan.summed_strides);
  return plan;
}

namespace {

void infer(Infer& infer) {
  const Shape* shapes[kMaxEinsumOperands] = {};
  const size_t count = infer.input_count();
  if (count > kMaxEinsumOperands) fail(DBK_UNIMPLEMENTED, "Einsum of more than {} inputs is not implemented", kMaxEinsumOperands);
  for (size_t k = 0; k < count; ++k) shapes[k] = &infer.shape(k);
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
