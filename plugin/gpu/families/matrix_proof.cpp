#include "plugin/gpu/families/matrix_proof.h"

#include <algorithm>
#include <cmath>

#include "plugin/gpu/families/coop_operand.h"
#include "plugin/gpu/families/coop_text.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kMatrices = 3;  // along k

uint32_t in_words(const MatrixConfig& c, uint32_t elements) { return of_bytes(form_of(c)) ? elements / 4 : elements; }

std::string proof_text(const MatrixConfig& c, uint32_t lanes) {
  ProgramText head(lanes);
  head.enable("subgroups").enable("chromium_experimental_subgroup_matrix").turn_off("chromium.subgroup_matrix_uniformity");
  head.alias("part", word_of(form_of(c))).alias("sum", c.result);
  return head.str() + std::format(R"(
struct Params {{
  row: u32,   // words of a row of A, or of a column of B
  step: u32,  // words of a matrix along k
  pad: vec2<u32>,
}}
@group(0) @binding(0) var<storage, read> a: array<part>;
@group(0) @binding(1) var<storage, read> b: array<part>;
@group(0) @binding(2) var<storage, read_write> c: array<sum>;
@group(0) @binding(3) var<uniform> p: Params;

var<workgroup> staged: array<sum, {4}>;

@compute @workgroup_size(group_size)
fn main(@builtin(local_invocation_index) local: u32, @builtin(subgroup_id) team: u32) {{
  var sums: subgroup_matrix_result<{3}, {1}, {0}>;
  for (var k = 0u; k < p.row; k += p.step) {{
    let rows = subgroupMatrixLoad<subgroup_matrix_left<{5}, {2}, {0}>, row_major>(&a, k, p.row);
    let columns = subgroupMatrixLoad<subgroup_matrix_right<{5}, {1}, {2}>, col_major>(&b, k, p.row);
    sums = subgroupMatrixMultiplyAccumulate(rows, columns, sums);
  }}
  if (team == 0u) {{ subgroupMatrixStore<row_major>(&staged, 0u, sums, {1}u); }}
  workgroupBarrier();
  for (var e = local; e < {4}u; e += group_size) {{ c[e] = staged[e]; }}
}}
)",
                                  c.m, c.n, c.k, c.result, c.m * c.n, c.component);
}

enum class Side : uint32_t { A = 1, B = 2 };

// Elements are whole numbers of at most `most`, times a power of two.
struct Numbers {
  int32_t most, exponent;
};

// What kernels ask of matrices, and more than fewer bits or a smaller range hold. f16 with sums in f32: products of nearly 2^30, as operands of `coop`
// have, and sums of some 21 bits. f32: elements of 13 bits. Bytes: sums beyond 16 bits. Sums in f16 stay whole numbers of f16.
Numbers numbers_of(const MatrixConfig& c, Side side) {
  switch (form_of(c)) {
    case OperandForm::F16: return side == Side::A ? Numbers{2047, 4} : Numbers{7, 12};
    case OperandForm::F32: return side == Side::A ? Numbers{8191, 0} : Numbers{7, 0};
    case OperandForm::I8: return {127, 0};
    case OperandForm::U8: return {255, 0};
    default: return {3, 0};
  }
}

// Element q of row i of A, or of column i of B, without a pattern and without its power of two.
int32_t number(const MatrixConfig& c, Side side, uint32_t i, uint32_t q) {
  const uint32_t mixed = (97 * i + 193 * q + static_cast<uint32_t>(side)) * 2654435761u;
  const auto value = static_cast<int32_t>(mixed >> 16);
  const int32_t most = numbers_of(c, side).most;
  return c.component == "u8" ? value % (most + 1) : value % (2 * most + 1) - most;
}

template <class T>
void append_as(double number, std::vector<std::byte>& bytes) {
  const auto value = static_cast<T>(number);
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

void append(std::string_view type, double number, std::vector<std::byte>& bytes) {
  if (type == "f16") append_as<_Float16>(number, bytes);
  else if (type == "f32") append_as<float>(number, bytes);
  else if (type == "i8") append_as<int8_t>(number, bytes);
  else if (type == "u8") append_as<uint8_t>(number, bytes);
  else append_as<int32_t>(number, bytes);
}

std::vector<std::byte> operand(const MatrixConfig& c, Side side, uint32_t vectors) {
  std::vector<std::byte> bytes;
  for (uint32_t i = 0; i < vectors; ++i)
    for (uint32_t q = 0; q < kMatrices * c.k; ++q) append(c.component, std::ldexp(number(c, side, i, q), numbers_of(c, side).exponent), bytes);
  return bytes;
}

std::vector<std::byte> products(const MatrixConfig& c) {
  const int32_t exponent = numbers_of(c, Side::A).exponent + numbers_of(c, Side::B).exponent;
  std::vector<std::byte> bytes;
  for (uint32_t i = 0; i < c.m; ++i)
    for (uint32_t j = 0; j < c.n; ++j) {
      int32_t sum = 0;
      for (uint32_t q = 0; q < kMatrices * c.k; ++q) sum += number(c, Side::A, i, q) * number(c, Side::B, j, q);
      append(c.result, std::ldexp(sum, exponent), bytes);
    }
  return bytes;
}

}  // namespace

std::optional<MatrixProof> matrix_proof(const MatrixConfig& config, const Capabilities& caps) {
  if (form_of(config) == OperandForm::None) return std::nullopt;
  const std::array<uint32_t, 4> params{in_words(config, kMatrices * config.k), in_words(config, config.k)};
  const std::string label = std::format("matrix_proof/{}to{}/{}x{}x{}/{}", config.component, config.result, config.m, config.n, config.k, caps.subgroup_max);
  return MatrixProof{config, {label, written_by<proof_text>(config, caps.subgroup_max), 2, 1, /*on_matrices=*/true}, operand(config, Side::A, config.m), operand(config, Side::B, config.n),
                     products(config), to_params(params)};
}

std::string MatrixProof::refuse(std::span<const std::byte> got) const {
  const auto [wrong, expected] = std::ranges::mismatch(got, c);
  if (wrong == got.end() && expected == c.end()) return {};
  const size_t element = static_cast<size_t>(wrong - got.begin()) / (c.size() / (config.m * config.n));
  return std::format("element [{}, {}] of a product is wrong", element / config.n, element % config.n);
}

}  // namespace dbk::gpu
