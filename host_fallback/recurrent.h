// What LSTM, GRU and RNN share: extents and layouts, activation functions, the products with input and state. The inputs
// of the whole sequence are multiplied with their weights at once, into work memory; the state is multiplied step by step,
// a row of weights at a time, so that weights are read where they lie.
#pragma once

#include <array>
#include <string_view>

#include "host_fallback/op.h"
#include "host_fallback/lanes.h"
#include "host_fallback/matrix_product.h"

namespace dbk {

// Inputs 0 to 5 of all three ops; LSTM has two more.
enum RecurrentInput : size_t { kSequence, kWeights, kStateWeights, kBiases, kLengths, kFirstState, kFirstCell, kPeepholes };

struct Recurrence {
  int64_t steps, batch, input, hidden, directions, gates;
  bool backward;     // the only direction
  bool batch_first;  // layout 1

  int64_t width() const { return gates * hidden; }
  // Row of the sequence; and element of the result Y and of the states where `hidden` numbers lie.
  int64_t row(int64_t t, int64_t b) const { return batch_first ? b * steps + t : t * batch + b; }
  int64_t result(int64_t t, int64_t d, int64_t b) const {
    return (batch_first ? (b * steps + t) * directions + d : (t * directions + d) * batch + b) * hidden;
  }
  int64_t state(int64_t d, int64_t b) const { return (batch_first ? b * directions + d : d * batch + b) * hidden; }
};

// Throws INVALID_ARGUMENT where attributes and shapes do not fit.
Recurrence recurrence_of(const Attributes& attrs, const Shape& sequence, const Shape& state_weights, int64_t gates);
// Shape rule for `gates` gates, `functions` activations per direction and `states` states (2 for LSTM).
void infer_recurrent(Infer& infer, int64_t gates, size_t functions, size_t states);

// Numbers of work memory, for one direction at a time.
struct RecurrentWork {
  int64_t projected, recurrent, state;  // counts of each part; there are two states and room for a third
  explicit RecurrentWork(const Recurrence& r)
      : projected(r.steps * r.batch * r.width()), recurrent(r.batch * r.width()), state(r.batch * r.hidden) {}
  int64_t count() const { return projected + recurrent + 3 * state; }
};
int64_t recurrent_work_bytes(const Compute& c, int64_t gates);

// One activation function with its constants.
struct Activation {
  enum class Kind : uint8_t {
    Relu, Tanh, Sigmoid, Affine, LeakyRelu, ThresholdedRelu, ScaledTanh, HardSigmoid, Elu, Softsign, Softplus
  };
  Kind kind = Kind::Tanh;
  double alpha = 0, beta = 0;
  double clip = 0;  // 0: none; of what goes in

  template <class A>
  void apply(A* values, int64_t n) const;
};
extern template void Activation::apply(float*, int64_t) const;
extern template void Activation::apply(double*, int64_t) const;

// The functions of direction d, `defaults` where the node names none.
using Activations = std::array<Activation, 3>;
Activations activations_of(const Attributes& attrs, std::span<const std::string_view> defaults, int64_t direction);

// Steps of sequence b: its length where lengths are given. Throws OUT_OF_RANGE for one that does not fit.
int64_t steps_of(const Compute& c, const Recurrence& r, int64_t b);

// out[m][j] = weights[j] . rows[m] for rows of `depth` numbers, without copying either.
template <class T, class U, class A>
void multiply_rows_by_rows(const T* weights, int64_t count, const U* rows, int64_t m, int64_t depth, A* out, int64_t step) {
  parallel_ranges(count, grain_of(depth * m), [=](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j)
      for (int64_t i = 0; i < m; ++i) {
        const T* w = weights + j * depth;
        const U* x = rows + i * depth;
        out[i * step + j] =
            lane_sum<A>(depth, [=](int64_t k) { return static_cast<A>(w[k]) * static_cast<A>(x[k]); });
      }
  });
}

// The sequence times the weights of direction d: [rows of the sequence][width].
template <class T, class A>
void project(const Recurrence& r, const T* sequence, const T* weights, A* out) {
  const int64_t rows = r.steps * r.batch, width = r.width();
  if (rows < kFewRows) return multiply_rows_by_rows(weights, width, sequence, rows, r.input, out, width);
  const MatrixProduct<T> p{rows, width, r.input, sequence, weights, r.input, 1, 1, r.input};
  const Tiling<T> tiling(p);
  parallel_ranges(tiling.count, tiling.grain(p), [=](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task)
      tiling.run(p, task, [=](int64_t i, int64_t j, A sum) { out[i * width + j] = sum; });
  });
}

// out[m][j] += bias[j] for `rows` rows.
template <class T, class A>
void add_bias(const T* bias, int64_t count, A* out, int64_t rows, int64_t step) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < count; ++j) out[i * step + j] += static_cast<A>(bias[j]);
}

// One direction while it runs.
template <class T>
struct Direction {
  using A = Acc<T>;
  const Recurrence& r;
  int64_t d;
  bool backward;
  const T *state_weights, *biases;  // biases: those of the input, then those of the state; null where absent
  A *projected, *recurrent;
  A *h, *c, *spare;  // [batch][hidden]
};

template <class T>
Direction<T> direction_of(Compute& c, const Recurrence& r, int64_t d) {
  using A = Acc<T>;
  const RecurrentWork sizes(r);
  A* work = reinterpret_cast<A*>(c.work());
  A* states = work + sizes.projected + sizes.recurrent;
  return {r,
          d,
          r.backward || d == 1,
          c.in(kStateWeights).as<T>() + d * r.width() * r.hidden,
          c.has(kBiases) ? c.in(kBiases).as<T>() + d * 2 * r.width() : nullptr,
          work,
          work + sizes.projected,
          states,
          states + sizes.state,
          states + 2 * sizes.state};
}

// The state that a direction begins with, zeros where none is given, and what it ends with, where it is wanted.
template <class T>
void read_state(const Compute& c, const Direction<T>& run, size_t s, Acc<T>* state) {
  const Recurrence& r = run.r;
  const T* given = c.has(kFirstState + s) ? c.in(kFirstState + s).as<T>() : nullptr;
  for (int64_t b = 0; b < r.batch; ++b)
    for (int64_t i = 0; i < r.hidden; ++i)
      state[b * r.hidden + i] = given ? static_cast<Acc<T>>(given[r.state(run.d, b) + i]) : Acc<T>(0);
}

template <class T>
void write_state(Compute& c, const Direction<T>& run, size_t s, const Acc<T>* state) {
  const Recurrence& r = run.r;
  if (!c.wants(1 + s)) return;
  for (int64_t b = 0; b < r.batch; ++b)
    for (int64_t i = 0; i < r.hidden; ++i) c.out(1 + s).as<T>()[r.state(run.d, b) + i] = static_cast<T>(state[b * r.hidden + i]);
}

// Runs all directions. `begin(direction)` may change what was projected, `step(direction, gates, b)` makes the next state h
// of sequence b from the gates' inputs, `before(direction)` prepares `recurrent`, once per step for the whole batch.
template <class T, class Begin, class Before, class Step>
void run_recurrent(Compute& c, const Recurrence& r, size_t states, Begin begin, Before before, Step step) {
  T* y = c.wants(0) ? c.out(0).as<T>() : nullptr;
  if (y) std::fill_n(y, c.out(0).count(), T());  // what follows the end of a sequence stays 0
  for (int64_t d = 0; d < r.directions; ++d) {
    Direction<T> run = direction_of<T>(c, r, d);
    Acc<T>* state[] = {run.h, run.c};
    for (size_t s = 0; s < states; ++s) read_state(c, run, s, state[s]);
    project(r, c.in(kSequence).as<T>(), c.in(kWeights).as<T>() + d * r.width() * r.input, run.projected);
    if (run.biases) add_bias(run.biases, r.width(), run.projected, r.steps * r.batch, r.width());
    begin(run);
    for (int64_t t = 0; t < r.steps; ++t) {
      before(run);
      for (int64_t b = 0; b < r.batch; ++b) {
        const int64_t length = steps_of(c, r, b);
        if (t >= length) continue;
        const int64_t time = run.backward ? length - 1 - t : t;
        step(run, run.projected + r.row(time, b) * r.width(), b);
        if (!y) continue;
        for (int64_t i = 0; i < r.hidden; ++i) y[r.result(time, d, b) + i] = static_cast<T>(run.h[b * r.hidden + i]);
      }
    }
    for (size_t s = 0; s < states; ++s) write_state(c, run, s, state[s]);
  }
}

}  // namespace dbk
