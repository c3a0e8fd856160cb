// MatMulNBits: kernels/matmul_nbits.wgsl; weights stay packed.
#include "host_fallback/matmul_nbits.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t m, n, k, blocks, block, row_tiles, zero_bytes;
  float default_zero;
};
static_assert(sizeof(Params) == 32);

enum Input : uint32_t { kA, kB, kScales, kZeros, kGroups, kBias };
constexpr int64_t kFewRows = 1, kRows = 4;
enum : uint32_t { kOneRow, kFourRows };  // programs

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, kA); !reason.empty()) return reason;
  if (node.has(kZeros) && node.inputs[kZeros].dtype != DBK_U8 && node.inputs[kZeros].dtype != node.inputs[kA].dtype)
    return std::format("no kernel reads zero points of {}", to_string(node.inputs[kZeros].dtype));
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const BlockWeights w = block_weights_of(*node.attrs);
  const DType dtype = node.inputs[kA].dtype;
  const bool packed = node.has(kZeros) && node.inputs[kZeros].dtype == DBK_U8;
  const std::string zeros = !node.has(kZeros) ? "default" : packed ? "packed" : "real";
  for (int64_t rows : {kFewRows, kRows}) {
    ProgramText text;
    text.constant("rows", to_u32(rows)).constant("code_bits", to_u32(w.bits)).alias("elem", to_string(dtype));
    text.alias("zero_elem", zeros == "real" ? to_string(dtype) : "u32")
        .text(node.has(kBias) ? "const has_bias = true;\n" : "const has_bias = false;\n");
    text.file("matmul_nbits").file("matmul_nbits_zero_" + zeros);
    out.push_back({std::format("matmul_nbits/{}/{}bits/{}rows/{}{}", to_string(dtype), w.bits, rows, zeros,
                               node.has(kBias) ? "/bias" : ""),
                   text, 5, 1});
  }
}

int64_t rows_of(const TypedNode& node) { return node.inputs[kA].count() / block_weights_of(*node.attrs).k; }
int64_t rows_at_a_time(int64_t rows) { return rows < kRows ? kFewRows : kRows; }

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (node.outputs[0].count() == 0) return;
  const BlockWeights w = block_weights_of(*node.attrs);
  const int64_t m = rows_of(node), rows = rows_at_a_time(m);
  const auto tiles = static_cast<int64_t>(ceil_div(m, rows));
  const Params params{to_u32(m),
                      to_u32(w.n),
                      to_u32(w.k),
                      to_u32(w.blocks()),
                      to_u32(w.block),
                      to_u32(tiles),
                      to_u32(w.zero_bytes()),
                      w.default_zero()};
  out.push_back({rows == kRows ? kFourRows : kOneRow,
                 {input(kA), input(kB), input(kScales), node.has(kZeros) ? input(kZeros) : input(kB),
                  input(node.has(kBias) ? kBias : kScales), output(0)},
                 grid_of(ceil_div(static_cast<uint64_t>(tiles * w.n), kGroupSize), caps),
                 to_params(params)});
}

Choice choice(const TypedNode& node, const Capabilities&) {
  if (node.outputs[0].count() == 0) return {"none", "", "the result is empty", {}};
  const int64_t m = rows_of(node), rows = rows_at_a_time(m);
  const char* why = rows == kRows ? "weights stay packed: what is unpacked serves several rows" : "weights stay packed, and of few rows each is computed for itself";
  return {"blocks", std::format("{}x1", rows), why, {}, std::format("{}x1", rows)};
}

}  // namespace

constinit const Family kBlockMatmul{"block_matmul", refuse, programs, launch, nullptr, choice};

}  // namespace dbk::gpu
