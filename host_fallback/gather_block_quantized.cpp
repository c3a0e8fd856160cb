// GatherBlockQuantized: Gather from a tensor of codes, and the numbers that those stand for. Codes of 4 bits may come
// two to a byte of u8 along the last axis. Scales have the rank of the data, with an extent for each block along
// quantize_axis, and 1 or the data's extent elsewhere.
#include "host_fallback/number_block.h"
#include "host_fallback/op.h"
#include "host_fallback/packed.h"
#include "host_fallback/parallel.h"
#include "host_fallback/staging.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

constexpr DTypeSet kTypes = I4 | U4 | U8 | (SMALL_FLOATS & ~F8_E8M0FNU);
enum Input : size_t { kData, kIndices, kScales, kZeros };

struct Problem {
  Shape data;  // of codes
  uint32_t gather_axis, quantize_axis;
  int64_t block;
  uint32_t bits;  // of codes in u8, else 0
  float zero;     // where there are no zero points
};

// In elements of the data; two or four codes of a byte count as such.
Problem problem_of(const Attributes& attrs, const TensorType& data) {
  Problem p{data.shape, 0, 0, attrs.integer("block_size"), 0, 0};
  const uint32_t rank = data.shape.rank();
  p.gather_axis = normalize_axis(attrs.integer("gather_axis"), rank, "gather_axis");
  p.quantize_axis = normalize_axis(attrs.integer("quantize_axis"), rank, "quantize_axis");
  if (p.block < 1) fail(DBK_INVALID_ARGUMENT, "block_size is {}", p.block);
  if (data.dtype != DBK_U8) return p;
  p.bits = static_cast<uint32_t>(attrs.integer("bits"));
  if (p.bits != 2 && p.bits != 4 && p.bits != 8)
    fail(DBK_INVALID_ARGUMENT, "bits is {}, not 2, 4 or 8", attrs.integer("bits"));
  if (p.gather_axis == rank - 1 && p.bits < 8)
    fail(DBK_INVALID_ARGUMENT, "gather_axis is the last axis, whose codes are packed in bytes");
  p.data[rank - 1] *= 8 / p.bits;
  p.zero = static_cast<float>(1u << (p.bits - 1));
  return p;
}

// One for each block along quantize_axis, one or all elsewhere.
void require_blocks(const Problem& p, const Shape& shape, int64_t packed, const char* what) {
  bool fits = shape.rank() == p.data.rank();
  for (uint32_t d = 0; fits && d < shape.rank(); ++d) {
    const int64_t wanted = d == p.quantize_axis ? (p.data[d] + p.block - 1) / p.block : p.data[d];
    const int64_t stored = d + 1 == shape.rank() ? (wanted + packed - 1) / packed : wanted;
    fits = shape[d] == stored || (d != p.quantize_axis && shape[d] == 1);
  }
  if (!fits)
    fail(DBK_INVALID_ARGUMENT, "block_size is {} along axis {}: {} of shape {} do not fit data of shape {}", p.block, p.quantize_axis, what,
         to_string(shape), to_string(p.data));
}

void infer(Infer& infer) {
  const Problem p = problem_of(infer.attrs(), infer.in(kData));
  const bool real = contains(SMALL_FLOATS, infer.in(kData).dtype);
  if (real && infer.has(kZeros))
    fail(DBK_INVALID_ARGUMENT, "zero_points for data of {}", to_string(infer.in(kData).dtype));
  require_blocks(p, infer.shape(kScales), 1, "scales");
  if (infer.has(kZeros)) require_blocks(p, infer.shape(kZeros), p.bits ? 8 / p.bits : 1, "zero_points");
  Shape out;
  for (uint32_t d = 0; d < p.data.rank(); ++d) {
    if (d != p.gather_axis)
      out.push_back(p.data[d]);
    else
      for (int64_t extent : infer.shape(kIndices)) out.push_back(extent);
  }
  infer.out(0, infer.in(kScales).dtype, out);
}

// Code i of a tensor that may hold several in a byte.
float number_at(const Tensor& tensor, uint32_t bits, int64_t i) {
  if (bits == 2 || bits == 4) return static_cast<float>(packed_code(tensor.as<uint8_t>(), bits, i));
  float number;
  read_block(tensor, i, 1, &number);
  return number;
}

// Strides of scales or zero points over the coordinates of the data, quantize_axis counted in blocks.
Shape block_strides(const Problem& p, Shape shape, int64_t packed) {
  const uint32_t last = shape.rank() - 1;
  if (packed > 1)
    shape[last] = last == p.quantize_axis                     ? (p.data[last] + p.block - 1) / p.block
                  : shape[last] == 1 && p.data[last] > packed ? 1
                                                              : p.data[last];
  const int64_t row =
      packed > 1 ? (shape[last] + packed - 1) / packed * packed : shape[last];  // rows of packed codes fill whole bytes
  Shape padded = shape;
  padded[last] = row;
  Shape strides = dense_strides(padded);
  for (uint32_t d = 0; d < shape.rank(); ++d)
    if (shape[d] == 1) strides[d] = 0;
  return strides;
}

class Numbers {
 public:
  Numbers(const Compute& c, const Problem& p)
      : c_(c), p_(p), data_(dense_strides(p.data)), scales_(block_strides(p, c.in(kScales).shape(), 1)) {
    if (c.has(kZeros)) zeros_ = block_strides(p, c.in(kZeros).shape(), p.bits ? 8 / p.bits : 1);
  }
  float at(const int64_t* place) const {
    int64_t code = 0, scale = 0, zero = 0;
    for (uint32_t d = 0; d < p_.data.rank(); ++d) {
      const int64_t block = d == p_.quantize_axis ? place[d] / p_.block : place[d];
      code += place[d] * data_[d];
      scale += block * scales_[d];
      if (zeros_.rank() > 0) zero += block * zeros_[d];
    }
    const float offset = zeros_.rank() > 0 ? number_at(c_.in(kZeros), p_.bits, zero) : p_.zero;
    return (number_at(c_.in(kData), p_.bits, code) - offset) * number_at(c_.in(kScales), 0, scale);
  }

 private:
  const Compute& c_;
  const Problem& p_;
  Shape data_, scales_, zeros_;
};

void check_indices(const Tensor& indices, int64_t extent) {
  for (int64_t i = 0, n = indices.count(); i < n; ++i)
    if (const int64_t index = integer_at(indices, i); index < -extent || index >= extent)
      fail(DBK_OUT_OF_RANGE, "indices has {} at position {}, which is outside [{}, {})", index, i, -extent, extent);
}

void compute(Compute& c) {
  const Problem p = problem_of(c.attrs(), c.in(kData).type);
  const int64_t extent = p.data[p.gather_axis];
  check_indices(c.in(kIndices), extent);
  const Numbers numbers(c, p);
  const int64_t indices = c.in(kIndices).count();
  Shape walked = p.data;  // of the result, the indices as one axis
  walked[p.gather_axis] = indices;
  parallel_ranges((c.out(0).count() + kStage - 1) / kStage, grain_of(16 * kStage), [&](int64_t begin, int64_t end) {
    float block[kStage];
    for (int64_t first = begin * kStage, last = std::min(end * kStage, c.out(0).count()); first < last;
         first += kStage) {
      const int64_t n = std::min(kStage, last - first);
      for (int64_t i = 0; i < n; ++i) {
        int64_t place[DBK_MAX_RANK], rest = first + i;
        for (uint32_t d = walked.rank(); d-- > 0; rest /= walked[d]) place[d] = rest % walked[d];
        const int64_t index = integer_at(c.in(kIndices), place[p.gather_axis]);
        place[p.gather_axis] = index < 0 ? index + extent : index;
        block[i] = numbers.at(place);
      }
      write_block(c.out(0), first, n, block);
    }
  });
}

}  // namespace

extern constinit const HostOp host_gather_block_quantized{kTypes, 0, infer, compute};

}  // namespace dbk
