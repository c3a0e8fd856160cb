// DynamicQuantizeLSTM: LSTM with weights of codes [direction, input, 4 hidden]. What meets them, the whole sequence and
// before each step the state of all sequences, is rounded to the codes of u8 that DynamicQuantizeLinear would give it.
// Weights become numbers first, in LSTM's order: products of small integers times two scales are then those of codes,
// but for the rounding of f32.
#include "host_fallback/dynamic_quantize.h"
#include "host_fallback/lstm_steps.h"

namespace dbk {

namespace {

constexpr size_t kQuantization = 8;  // W_scale, W_zero_point, R_scale, R_zero_point; before them LSTM's inputs

struct Weights {
  int64_t directions, depth, width;
  int64_t count() const { return directions * depth * width; }
};
Weights weights_of(const Shape& shape, const char* what) {
  if (shape.rank() != 3) fail(DBK_INVALID_ARGUMENT, "{} of shape {} has not three axes", what, to_string(shape));
  return {shape[0], shape[1], shape[2]};
}

Shape in_order_of_lstm(const Shape& shape) { return {shape[0], shape[2], shape[1]}; }

void require_numbers(const Infer& infer, size_t i, const Weights& w, const char* what) {
  if (infer.shape(i) != Shape{w.directions} && infer.shape(i) != Shape{w.directions, w.width})
    fail(DBK_INVALID_ARGUMENT, "{} of shape {} for {} directions of {} rows", what, to_string(infer.shape(i)),
         w.directions, w.width);
}

void infer(Infer& infer) {
  const Weights w = weights_of(infer.shape(kWeights), "W"), r = weights_of(infer.shape(kStateWeights), "R");
  require_numbers(infer, kQuantization, w, "W_scale");
  require_numbers(infer, kQuantization + 1, w, "W_zero_point");
  require_numbers(infer, kQuantization + 2, r, "R_scale");
  require_numbers(infer, kQuantization + 3, r, "R_zero_point");
  std::array<TensorType, kQuantization> types;
  std::array<InferInput, kQuantization> inputs;
  std::array<TensorType, 3> outputs;
  for (size_t i = 0; i < kQuantization; ++i) {
    if (!infer.has(i)) continue;
    types[i] =
        i == kWeights || i == kStateWeights ? TensorType{DBK_F32, in_order_of_lstm(infer.shape(i))} : infer.in(i);
    inputs[i].type = &types[i];
  }
  Infer lstm(infer.node(), inputs, std::span(outputs).first(infer.output_count()));
  infer_recurrent(lstm, kLstmGates, std::size(kLstmActivations), 2);
  for (size_t i = 0; i < infer.output_count(); ++i) infer.out(i, outputs[i].dtype, outputs[i].shape);
}

// LSTM's inputs with numbers in place of codes, which lie in the work memory behind LSTM's own.
struct RealInputs {
  std::array<Tensor, kQuantization> tensors;
  float *sequence, *weights, *state_weights, *state;
  int64_t lstm_bytes, bytes;

  explicit RealInputs(const Compute& c) {
    for (size_t i = 0; i < kQuantization; ++i)
      if (c.has(i)) tensors[i] = c.in(i);
    for (size_t i : {static_cast<size_t>(kWeights), static_cast<size_t>(kStateWeights)})
      tensors[i] = {{DBK_F32, in_order_of_lstm(c.in(i).shape())}, nullptr};
    lstm_bytes = recurrent_work_bytes(Compute(c.node(), tensors, {}), kLstmGates);
    const Shape& x = c.in(kSequence).shape();
    const int64_t sizes[] = {c.in(kSequence).count(), c.in(kWeights).count(), c.in(kStateWeights).count(),
                             x[1] * c.in(kStateWeights).shape()[1]};
    float** parts[] = {&sequence, &weights, &state_weights, &state};
    bytes = lstm_bytes;
    for (size_t i = 0; i < 4; ++i) {
      *parts[i] = c.work() ? reinterpret_cast<float*>(c.work() + bytes) : nullptr;
      bytes += sizes[i] * static_cast<int64_t>(sizeof(float));
    }
    tensors[kSequence].data = sequence;
    tensors[kWeights].data = weights;
    tensors[kStateWeights].data = state_weights;
  }
};

int64_t work_bytes(const Compute& c) { return RealInputs(c).bytes; }

void transpose_to_numbers(const Tensor& codes, const Tensor& scales, const Tensor& zeros, float* out) {
  const Weights w = weights_of(codes.shape(), "weights");
  const int64_t step = scales.shape().rank() == 2 ? w.width : 1, zero_step = zeros.shape().rank() == 2 ? w.width : 1;
  for (int64_t d = 0; d < w.directions; ++d)
    for (int64_t j = 0; j < w.width; ++j) {
      float scale, zero;
      read_block(scales, d * step + (step > 1 ? j : 0), 1, &scale);
      read_block(zeros, d * zero_step + (zero_step > 1 ? j : 0), 1, &zero);
      for (int64_t k = 0; k < w.depth; ++k) {
        float& number = out[(d * w.width + j) * w.depth + k];
        read_block(codes, (d * w.depth + k) * w.width + j, 1, &number);
        number = (number - zero) * scale;
      }
    }
}

void round_to_codes(const float* in, int64_t count, float* out) {
  const DynamicScale s = dynamic_scale(in, count);
  for (int64_t i = 0; i < count; ++i) out[i] = (quantized(in[i] / s.scale, s.zero, 0.0f, 255.0f) - s.zero) * s.scale;
}

void compute(Compute& c) {
  const RealInputs real(c);
  round_to_codes(c.in(kSequence).as<float>(), c.in(kSequence).count(), real.sequence);
  transpose_to_numbers(c.in(kWeights), c.in(kQuantization), c.in(kQuantization + 1), real.weights);
  transpose_to_numbers(c.in(kStateWeights), c.in(kQuantization + 2), c.in(kQuantization + 3), real.state_weights);
  std::array<Tensor, 3> outputs;
  for (size_t i = 0; i < c.output_count(); ++i) outputs[i] = c.out(i);
  Compute lstm(c.node(), real.tensors, std::span(outputs).first(c.output_count()), c.work());
  run_lstm<float>(lstm, [&real](const Direction<float>& run) {
    round_to_codes(run.h, run.r.batch * run.r.hidden, real.state);
    multiply_state(run, real.state);
  });
}

}  // namespace

extern constinit const HostOp host_dynamic_quantize_lstm{
    .dtypes = F32, .shape_inputs = 0, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk
