// MatMulNBits: A times the transpose of a matrix of codes in blocks, each with its scale and zero point. Codes become
// numbers where a tile is packed, so weights are read as they are stored.
#include "host_fallback/matmul_nbits.h"

#include "host_fallback/matrix_product.h"
#include "host_fallback/number_block.h"
#include "host_fallback/op.h"
#include "host_fallback/packed.h"

namespace dbk {

BlockWeights block_weights_of(const Attributes& attrs) {
  const BlockWeights w{attrs.integer("N"), attrs.integer("K"), attrs.integer("block_size"), attrs.integer("bits")};
  if (w.bits != 2 && w.bits != 4 && w.bits != 8) fail(DBK_UNIMPLEMENTED, "bits is {}, not 2, 4 or 8", w.bits);
  if (w.block < 16 || (w.block & (w.block - 1)) != 0)
    fail(DBK_INVALID_ARGUMENT, "block_size is {}, not a power of two from 16 on", w.block);
  if (w.n < 1 || w.k < 1 || w.n > INT32_MAX || w.k > INT32_MAX) fail(DBK_INVALID_ARGUMENT, "N is {} and K is {}", w.n, w.k);
  if (attrs.integer_or("weight_prepacked", 0) != 0)
    fail(DBK_UNIMPLEMENTED, "weight_prepacked is {}: weights in an order of other kernels",
         attrs.integer("weight_prepacked"));
  return w;
}

namespace {

enum Input : size_t { kA, kB, kScales, kZeros, kGroups, kBias };

void require_count(const Infer& infer, const BlockWeights& w, size_t i, int64_t count, const char* what) {
  if (infer.in(i).count() != count)
    fail(DBK_INVALID_ARGUMENT, "{} of shape {} has {} elements, not {}, N being {} and K {}", what, to_string(infer.shape(i)),
         infer.in(i).count(), count, w.n, w.k);
}

void infer(Infer& infer) {
  const BlockWeights w = block_weights_of(infer.attrs());
  Shape out = infer.shape(kA);
  if (out.rank() == 0 || out[out.rank() - 1] != w.k)
    fail(DBK_INVALID_ARGUMENT, "A of shape {} for K {}", to_string(out), w.k);
  if (infer.has(kGroups)) fail(DBK_UNIMPLEMENTED, "g_idx is not implemented");
  require_count(infer, w, kB, w.n * w.blocks() * w.blob_bytes(), "B");
  require_count(infer, w, kScales, w.n * w.blocks(), "scales");
  if (infer.has(kZeros))
    require_count(infer, w, kZeros, w.n * (infer.in(kZeros).dtype == DBK_U8 ? w.zero_bytes() : w.blocks()), "zero_points");
  if (infer.has(kBias)) require_count(infer, w, kBias, w.n, "bias");
  out[out.rank() - 1] = w.n;
  infer.out(0, infer.in(kA).dtype, out);
}

template <class T>
class BlockPacker {
 public:
  using R = Acc<T>;
  BlockPacker(const BlockWeights& w, const Compute& c)
      : w_(w),
        codes_(c.in(kB).as<uint8_t>()),
        scales_(c.in(kScales).as<T>()),
        zeros_(c.has(kZeros) ? &c.in(kZeros) : nullptr) {}

  void operator()(int64_t k0, int64_t depth, int64_t column, int64_t width, R (*panel)[kTileColumns<R>]) const {
    for (int64_t j = 0; j < width; ++j)
      for (int64_t k = 0; k < depth;) {
        const int64_t block = (k0 + k) / w_.block, end = std::min(depth, (block + 1) * w_.block - k0);
        const int64_t at = (column + j) * w_.blocks() + block;
        const R scale = static_cast<R>(scales_[at]), zero = zero_of(column + j, block);
        const uint8_t* blob = codes_ + at * w_.blob_bytes();
        for (; k < end; ++k) panel[k][j] = (static_cast<R>(code(blob, k0 + k - block * w_.block)) - zero) * scale;
      }
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t j = width; j < kTileColumns<R>; ++j) panel[k][j] = R(0);
  }

 private:
  uint32_t code(const uint8_t* data, int64_t i) const {
    return w_.bits == 8 ? data[i] : packed_code(data, static_cast<uint32_t>(w_.bits), i);
  }
  R zero_of(int64_t column, int64_t block) const {
    if (!zeros_) return static_cast<R>(w_.default_zero());
    if (zeros_->type.dtype == DBK_U8)
      return static_cast<R>(code(zeros_->as<uint8_t>() + column * w_.zero_bytes(), block));
    R zero;
    read_block(*zeros_, column * w_.blocks() + block, 1, &zero);
    return zero;
  }

  const BlockWeights w_;
  const uint8_t* codes_;
  const T* scales_;
  const Tensor* zeros_;
};

template <class T>
void multiply(Compute& c, const BlockWeights& w) {
  using R = Acc<T>;
  const int64_t m = c.in(kA).count() / w.k, across = (w.n + kTileColumns<R> - 1) / kTileColumns<R>,
                down = (m + kTileRows - 1) / kTileRows;
  const MatrixProduct<T> p{m, w.n, w.k, c.in(kA).as<T>(), nullptr, w.k, 1, 0, 0};
  const BlockPacker<T> pack(w, c);
  const T* bias = c.has(kBias) ? c.in(kBias).as<T>() : nullptr;
  T* out = c.out(0).as<T>();
  parallel_ranges(down * across, grain_of(std::min(m, kTileRows) * kTileColumns<R> * w.k),
                  [&pack, p, bias, out, across](int64_t begin, int64_t end) {
                    for (int64_t task = begin; task < end; ++task)
                      multiply_tile(p, task / across * kTileRows, task % across * kTileColumns<R>, pack,
                                    [=](int64_t i, int64_t j, R sum) {
                                      out[i * p.n + j] = static_cast<T>(bias ? sum + static_cast<R>(bias[j]) : sum);
                                    });
                  });
}

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  const BlockWeights w = block_weights_of(c.attrs());
  with_type<FLOATS>(c.in(kA).type.dtype, [&]<class T>() { multiply<T>(c, w); });
}

}  // namespace

extern constinit const HostOp host_matmul_nbits{FLOATS, 0, infer, compute};

}  // namespace dbk
