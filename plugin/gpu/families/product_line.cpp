// `line`: CPU adapters without bounds checks, f32. A weight is stored in blocks of columns, which `line` alone reads.
#include <algorithm>

#include "plugin/gpu/families/line_text.h"
#include "plugin/gpu/families/product_kernel.h"

namespace dbk::gpu {

namespace {

// Each takes what it can of k; an exact one wants multiples of its rows by teams, and of 16 columns.
struct Step {
  uint32_t depth, teams;
  bool exact;
};
constexpr Step kSteps[] = {{64, 8, true}, {64, 16, false}, {16, 16, false}, {4, 16, false}};

// 6 x 16 x 65536 on llvmpipe: `lane` 1.3 ms, 1024 dispatches of `line` some 30 ms.
constexpr int64_t kMostDepth = 16384, kFewColumns = 64;

bool exact_fits(const Line& line, const Product& p, const Capabilities& caps) {
  const int64_t rows = int64_t{line.rows} * line.teams;
  return p.m % rows == 0 && p.n % kLineColumns == 0 && p.batch.extent.rank() == 1 && p.m / rows <= caps.max_groups &&
         p.n / kLineColumns <= caps.max_groups && p.batch.extent.count() <= caps.max_groups;
}

bool will_be_in_blocks(const Product& p) { return p.panels.empty() ? p.b_fixed && p.b_matrix && p.n % kLineColumns == 0 : in_blocks(p); }

// What it asks of B, and of extents that never change where that is a weight.
std::string refuse_shapes(const Product& p) {
  if (p.panels.size() > 1) return "the weight is cut into panels";
  if (p.k == 0 || p.k % 4 != 0) return std::format("k = {} is no multiple of 4", p.k);
  if (p.k > kMostDepth && p.n <= kFewColumns) return std::format("k = {} takes hundreds of dispatches, and {} columns are little work for each", p.k, p.n);
  if (p.n % 4 != 0 || p.n < kLineColumns) return std::format("n = {} is under {} or no multiple of 4", p.n, kLineColumns);
  if (p.has_d && (p.d_column != 1 || p.d_row % 4 != 0)) return "C does not lie in vectors of four";
  return {};
}

std::string refuse_extents(const Product& p, const Capabilities& caps) {
  if (p.parts.count > 0 && !in_blocks(p) && p.sum_bytes() > caps.max_binding)  // C as one holds them between dispatches
    return std::format("sums on their way take {} bytes, a binding holds {}", p.sum_bytes(), caps.max_binding);
  return refuse_shapes(p);
}

std::string refuse(const Product& p, const Capabilities& caps) {
  if (!line_possible(caps)) return "wants a CPU adapter with vectors of 8 and without bounds checks";
  if (p.dtype != DBK_F32) return std::format("has no program for {}", to_string(p.dtype));
  if (p.trans_a || p.alpha != 1) return p.trans_a ? "A is transposed" : "alpha is not 1";
  if (p.trans_b && !will_be_in_blocks(p)) return "B is transposed";
  for (size_t i = 0; i < p.parts.count; ++i)
    if (p.parts.width[i] % 4 != 0) return std::format("a result of {} columns does not lie in vectors of four", p.parts.width[i]);
  return p.b_fixed ? refuse_shapes(p) : "";
}

// A variant: rows of its tiles, and whether it takes all of k in one dispatch.
struct Size {
  uint32_t rows;
  bool whole;
};
constexpr uint32_t kRows[] = {4, 8, 2, 1};  // the usual one first

std::vector<Size> sizes_of(const Product& p, const Capabilities& caps) {
  std::vector<Size> sizes;
  for (const uint32_t rows : kRows)
    if (will_be_in_blocks(p) && whole_line(rows, p.k, caps).parts > 0) sizes.push_back({rows, true});
  const bool always_fits = p.parts.count == 0 || !in_blocks(p);  // nobody else could read B where sums beside C do not
  for (const uint32_t rows : kRows)
    if (always_fits) sizes.push_back({rows, false});
  return sizes;
}

std::vector<std::string> variants(const Product& p, const Capabilities& caps) {
  std::vector<std::string> names;
  for (const Size& size : sizes_of(p, caps)) names.push_back(std::format("{}x{}{}", size.rows, kLineColumns, size.whole ? "-whole" : ""));
  return names;
}

uint32_t preferred(const Product&, const Capabilities&) { return 0; }
std::vector<uint32_t> usual(const Product&, const Capabilities&) { return {0}; }

// Whether the last of several dispatches does more than add.
bool ends_apart(const Product& p) { return p.epilogue || p.parts.count > 0; }

// A program: the steps of k it takes, and whether it ends the sums, which the epilogue wants to know.
struct Part {
  Line line;
  bool last;
};

// One for every step and, where the last does more than add, one that ends the sums so. Of a product that never changes those that are launched.
std::vector<Part> parts_of(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Size size = sizes_of(p, caps)[variant];
  if (size.whole) return {{whole_line(size.rows, p.k, caps), true}};
  std::vector<Part> parts, last;
  int64_t rest = p.k;
  for (const Step& step : kSteps) {
    const Line line{size.rows, step.depth, step.teams, in_blocks(p), step.exact};
    const bool possible = !line.exact || exact_fits(line, p, caps);
    const int64_t times = possible ? rest / step.depth : 0;
    rest -= times * step.depth;
    const bool ends = ends_apart(p) && (!p.fixed || (times > 0 && rest == 0));
    if (!p.fixed || times > (ends ? 1 : 0)) parts.push_back({line, false});
    if (ends) last.push_back({line, true});
  }
  parts.insert(parts.end(), last.begin(), last.end());
  return parts;
}

uint32_t program_count(const Product& p, const Capabilities& caps, uint32_t variant) {
  return static_cast<uint32_t>(parts_of(p, caps, variant).size());
}

void programs(const Product& p, const Capabilities& caps, uint32_t variant, std::vector<Program>& out) {
  for (const auto& [line, last] : parts_of(p, caps, variant)) {
    const ProductForm form = last ? p.form() : ProductForm{p.dtype, false, p.has_d};
    out.push_back({line_label(line, form), line_text(line, form), form.reads() + (line_reads_sums(line, form) ? 1u : 0u), form.results});
  }
}

// What a dispatch for a part of k binds: sums go on in C, or beside it where the results are several.
std::vector<Argument> arguments_of_part(const Product& p, bool last) {
  std::vector<Argument> args = arguments_of(p, 0, last);
  if (p.parts.count == 0) return args;
  const Argument sums = scratch(0, p.sum_bytes());
  const auto results = args.end() - static_cast<ptrdiff_t>(p.parts.count);
  if (last) args.insert(results, sums);
  else args.erase(results, args.end()), args.push_back(sums);
  return args;
}

// One dispatch per step of k, each adding to what the ones before left; the last one applies the epilogue.
void launch_steps(const Product& p, const std::vector<Part>& parts, const Capabilities& caps, std::vector<Dispatch>& out) {
  int64_t k = 0;
  while (k < p.k) {
    const auto takes = [&](const Part& part) {
      const int64_t end = k + part.line.depth;
      return end <= p.k && part.last == (ends_apart(p) && end == p.k) && (!part.line.exact || exact_fits(part.line, p, caps));
    };
    const auto part = std::ranges::find_if(parts, takes);
    const Line& line = part->line;
    ProductParams params = params_of(p, p.panels[0], line.rows, kLineColumns);
    params.k_start = to_u32(k);
    std::array<uint32_t, 3> groups = grid_of(ceil_div(params.tiles, line.teams), caps);
    if (line.exact) groups = {params.row_tiles / line.teams, params.column_tiles, to_u32(p.batch.extent.count())};
    k += line.depth;
    out.push_back({static_cast<uint32_t>(part - parts.begin()), arguments_of_part(p, k == p.k), groups, to_params(params)});
  }
}

void launch(const Product& p, const Capabilities& caps, uint32_t variant, std::vector<Dispatch>& out) {
  const std::vector<Part> parts = parts_of(p, caps, variant);
  const Line& line = parts[0].line;
  if (line.parts == 0) return launch_steps(p, parts, caps, out);
  const ProductParams params = params_of(p, p.panels[0], line.rows, kLineColumns);
  out.push_back({0, arguments_of(p, 0, true), grid_of(ceil_div(params.tiles, line.teams / line.parts), caps), to_params(params)});
}

std::string tile(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Line line = parts_of(p, caps, variant)[0].line;
  const std::string size = std::format("{}x{}x{}", line.rows, kLineColumns, line.depth);
  return line.parts > 0 ? std::format("{}, {} parts of k", size, line.parts) : size;
}

// Nobody else reads what is stored here, so whatever the rows are, there must be a way: sums beside C may be too large for a binding.
std::vector<Panel> store(const Product& p, const Capabilities& caps, uint32_t variant) {
  if (!p.b_matrix || p.n % kLineColumns != 0 || (p.parts.count > 0 && !sizes_of(p, caps)[variant].whole)) return {};
  return {{0, p.n, kLineColumns, p.trans_b}};
}

}  // namespace

constinit const ProductKernel kLineKernel{"line", refuse, refuse_extents, variants, preferred, usual, program_count, programs, launch, tile, nullptr, store};

}  // namespace dbk::gpu
