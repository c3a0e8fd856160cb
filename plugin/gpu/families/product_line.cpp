// `line`: CPU adapters without bounds checks, f32. A weight is stored in blocks of columns, which `line` alone reads.
#include "plugin/gpu/families/line_text.h"
#include "plugin/gpu/families/product_kernel.h"

namespace dbk::gpu {

namespace {

// Rows, depth, teams, blocks, exact. Each takes what it can of k; an exact one wants multiples of 32 rows and 16
// columns.
constexpr Line kLines[] = {
    {4, 64, 8, false, true}, {4, 64, 16, false, false}, {4, 16, 16, false, false}, {4, 4, 16, false, false}};

bool exact_fits(const Line& line, const Product& p, const Capabilities& caps) {
  const int64_t rows = int64_t{line.rows} * line.teams;
  return p.m % rows == 0 && p.n % kLineColumns == 0 && p.batch.extent.rank() == 1 && p.m / rows <= caps.max_groups &&
         p.n / kLineColumns <= caps.max_groups && p.batch.extent.count() <= caps.max_groups;
}

// What it asks of extents; how B is stored comes on top.
std::string refuse_shapes(const Product& p) {
  if (p.k == 0 || p.k % 4 != 0) return std::format("k = {} is no multiple of 4", p.k);
  if (p.n % 4 != 0 || p.n < kLineColumns) return std::format("n = {} is under {} or no multiple of 4", p.n, kLineColumns);
  if (p.has_d && (p.d_column != 1 || p.d_row % 4 != 0)) return "C does not lie in vectors of four";
  return {};
}

std::string refuse_extents(const Product& p, const Capabilities&) {
  return p.panels.size() > 1 ? "the weight is cut into panels" : refuse_shapes(p);
}

std::string refuse(const Product& p, const Capabilities& caps) {
  if (!line_possible(caps)) return "wants a CPU adapter with vectors of 8 and without bounds checks";
  if (p.dtype != DBK_F32) return std::format("has no program for {}", to_string(p.dtype));
  if (p.trans_a || p.alpha != 1) return p.trans_a ? "A is transposed" : "alpha is not 1";
  const bool blocks = p.panels.empty() ? p.b_fixed && p.b_matrix && p.n % kLineColumns == 0 : in_blocks(p);
  if (p.trans_b && !blocks) return "B is transposed";
  return p.b_fixed ? refuse_extents(p, caps) : "";
}

// One that takes all of k at once, or one for each depth.
std::vector<Line> lines_of(const Product& p, const Capabilities& caps) {
  if (const Line whole = p.b_fixed && in_blocks(p) ? whole_line(p.k, caps) : Line{}; whole.parts > 0) return {whole};
  std::vector<Line> lines(std::begin(kLines), std::end(kLines));
  for (Line& line : lines) line.blocks = in_blocks(p);
  return lines;
}

bool is_whole(const std::vector<Line>& lines) { return lines[0].parts > 0; }

// Those with the epilogue come after those without; one that takes all of k is the last dispatch anyway.
uint32_t program_count(const Product& p, const Capabilities& caps) {
  const std::vector<Line> lines = lines_of(p, caps);
  return static_cast<uint32_t>(lines.size()) * (p.epilogue && !is_whole(lines) ? 2 : 1);
}

void programs(const Product& p, const Capabilities& caps, std::vector<Program>& out) {
  const std::vector<Line> lines = lines_of(p, caps);
  if (!is_whole(lines))
    for (const Line& line : lines) out.push_back({line_label(line, p.has_d), line_text(line, p.has_d), p.has_d ? 3u : 2u, 1});
  if (p.epilogue || is_whole(lines))
    for (const Line& line : lines)
      out.push_back({line_label(line, p.has_d, p.epilogue), line_text(line, p.has_d, p.epilogue), p.form().reads(), 1});
}

// One dispatch per part of k, each adding to what the ones before left in C; the last one applies the epilogue.
void launch_parts(const Product& p, const std::vector<Line>& lines, const Capabilities& caps, std::vector<Dispatch>& out) {
  int64_t k = 0;
  for (uint32_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    if (line.exact && !exact_fits(line, p, caps)) continue;
    ProductParams params = params_of(p, p.panels[0], line.rows, kLineColumns);
    std::array<uint32_t, 3> groups = grid_of(ceil_div(params.tiles, line.teams), caps);
    if (line.exact) groups = {params.row_tiles / line.teams, params.column_tiles, to_u32(p.batch.extent.count())};
    for (; k + line.depth <= p.k; k += line.depth) {
      params.k_start = to_u32(k);
      const bool last = k + line.depth == p.k;
      const uint32_t program = i + (p.epilogue && last ? static_cast<uint32_t>(lines.size()) : 0);
      out.push_back({program, arguments_of(p, 0, last), groups, to_params(params)});
    }
  }
}

void launch(const Product& p, const Capabilities& caps, std::vector<Dispatch>& out) {
  const std::vector<Line> lines = lines_of(p, caps);
  if (!is_whole(lines)) return launch_parts(p, lines, caps, out);
  const ProductParams params = params_of(p, p.panels[0], lines[0].rows, kLineColumns);
  const uint32_t tiles = lines[0].teams / lines[0].parts;  // of a workgroup
  out.push_back({0, arguments_of(p, 0, true), grid_of(ceil_div(params.tiles, tiles), caps), to_params(params)});
}

std::string tile(const Product& p, const Capabilities& caps) {
  const std::vector<Line> lines = lines_of(p, caps);
  return is_whole(lines) ? std::format("{}x{}x{}, {} parts of k", lines[0].rows, kLineColumns, lines[0].depth, lines[0].parts)
                         : std::format("{}x{}x{}", lines[0].rows, kLineColumns, lines[0].depth);
}

std::vector<Panel> store(const Product& p, const Capabilities&) {
  if (!p.b_matrix || p.n % kLineColumns != 0) return {};
  return {{0, p.n, kLineColumns, p.trans_b}};
}

}  // namespace

constinit const ProductKernel kLineKernel{"line", refuse, refuse_extents, program_count, programs, launch, tile, store};

}  // namespace dbk::gpu
