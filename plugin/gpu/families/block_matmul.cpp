// MatMulNBits: kernels/matmul_nbits.wgsl; weights stay packed. Codes of a column lie side by side, so that panels are runs of their bytes.
#include "host_fallback/matmul_nbits.h"
#include "plugin/gpu/families/column_panels.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/pack.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t m, n, k, blocks, block, row_tiles, zero_bytes;
  float default_zero;
  uint32_t first, y_row, pad[2];
};
static_assert(sizeof(Params) == 48);

enum Input : uint32_t { kA, kB, kScales, kZeros, kGroups, kBias };
constexpr int64_t kFewRows = 1, kRows = 4;
enum : uint32_t { kOneRow, kFourRows };  // programs

// Rows of the codes, [n, blocks, bytes] or another shape, that make a column; 0 where a row has several.
int64_t rows_of_column(const TensorType& codes, const BlockWeights& w) { return codes.count() / codes.shape[codes.shape.rank() - 1] / w.n; }

// Empty where a binding does not hold the codes and they cannot be cut.
std::vector<Panel> panels_of_codes(const TypedNode& node, const Capabilities& caps) {
  const TensorType& codes = node.inputs[kB];
  if (refuse_size(codes, caps).empty()) return {whole(codes)};
  if (kB >= node.is_weight.size() || !node.is_weight[kB]) return {};
  const BlockWeights w = block_weights_of(*node.attrs);
  const int64_t rows = rows_of_column(codes, w), bytes = codes.shape[codes.shape.rank() - 1];
  if (rows * w.n * bytes != codes.count()) return {};
  return cut_columns(w.n * rows, rows, static_cast<int64_t>(caps.max_binding) / bytes, {.first = 0, .count = 0, .of_rows = true});
}

std::vector<Panel> panels(const TypedNode& node, const Capabilities& caps, uint32_t input) {
  std::vector<Panel> cut = input == kB ? panels_of_codes(node, caps) : std::vector<Panel>{};
  return cut.empty() ? std::vector<Panel>{whole(node.inputs[input])} : cut;
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, kA); !reason.empty()) return reason;
  if (node.has(kZeros) && node.inputs[kZeros].dtype != DBK_U8 && node.inputs[kZeros].dtype != node.inputs[kA].dtype)
    return std::format("no kernel reads zero points of {}", to_string(node.inputs[kZeros].dtype));
  if (std::string reason = refuse_operands(node, caps, /*except=*/kB); !reason.empty()) return reason;
  return panels_of_codes(node, caps).empty() ? refuse_size(node.inputs[kB], caps) : "";
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
  for (uint32_t index = 0; const Panel& panel : panels_of_codes(node, caps)) {
    const int64_t unit = panel.of_rows ? rows_of_column(node.inputs[kB], w) : 1;
    const int64_t columns = panel.of_rows ? panel.count / unit : w.n;
    const Params params{to_u32(m),     to_u32(columns),        to_u32(w.k),        to_u32(w.blocks()),           to_u32(w.block),
                        to_u32(tiles), to_u32(w.zero_bytes()), w.default_zero(), to_u32(panel.first / unit), to_u32(w.n), {}};
    const Argument codes{Argument::Kind::Input, kB, index++};
    out.push_back({rows == kRows ? kFourRows : kOneRow,
                   {input(kA), codes, input(kScales), node.has(kZeros) ? input(kZeros) : codes, input(node.has(kBias) ? kBias : kScales), output(0)},
                   grid_of(ceil_div(static_cast<uint64_t>(tiles * columns), kGroupSize), caps),
                   to_params(params)});
  }
}

Choice choice(const TypedNode& node, const Capabilities& caps) {
  if (node.outputs[0].count() == 0) return {"none", "", "the result is empty", {}};
  const int64_t m = rows_of(node), rows = rows_at_a_time(m);
  const char* why = rows == kRows ? "weights stay packed: what is unpacked serves several rows" : "weights stay packed, and of few rows each is computed for itself";
  return {"blocks", std::format("{}x1", rows), why + told_of_panels(panels_of_codes(node, caps)), {}, std::format("{}x1", rows)};
}

}  // namespace

constinit const Family kBlockMatmul{"block_matmul", refuse, programs, launch, panels, choice};

}  // namespace dbk::gpu
