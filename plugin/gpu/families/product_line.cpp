// `line`: CPU adapters without bounds checks. A weight is stored in blocks of columns, which `line` alone reads; any other B that is
// stored as columns is turned into such blocks first.
#include <algorithm>

#include "plugin/gpu/families/column_panels.h"
#include "plugin/gpu/families/line_text.h"
#include "plugin/gpu/families/line_turn.h"

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

// Sums on their way are in memory of their own: C is several tensors, or its elements hold less than sums.
bool sums_apart(const Product& p) { return p.parts.count > 0 || p.stored() == DBK_F16; }

// What it asks of B, and of extents that never change where that is a weight.
std::string refuse_shapes(const Product& p) {
  for (const Panel& panel : p.panels)
    if (panel.count % 4 != 0 || panel.count < kLineColumns)
      return std::format("a panel of {} columns of the weight is under {} or no multiple of 4", panel.count, kLineColumns);
  if (p.k == 0 || p.k % 4 != 0) return std::format("k = {} is no multiple of 4", p.k);
  if (p.k > kMostDepth && p.n <= kFewColumns) return std::format("k = {} takes hundreds of dispatches, and {} columns are little work for each", p.k, p.n);
  if (p.n % 4 != 0 || p.n < kLineColumns) return std::format("n = {} is under {} or no multiple of 4", p.n, kLineColumns);
  if (p.has_d && (p.d_column != 1 || p.d_row % 4 != 0)) return "C does not lie in vectors of four";
  return {};
}

// Of the widest panel.
uint64_t most_turned_bytes(const Product& p) {
  uint64_t most = p.panels.empty() ? turned_bytes(p, {0, p.n}) : 0;
  for (const Panel& panel : p.panels) most = std::max(most, turned_bytes(p, panel));
  return most;
}

std::string refuse_extents(const Product& p, const Capabilities& caps) {
  const auto too_large = [&](std::string_view what, uint64_t bytes) { return std::format("{} {} bytes, a binding holds {}", what, bytes, caps.max_binding); };
  if (p.trans_a && p.m % 4 != 0) return std::format("A is transposed and has {} rows, no multiple of 4", p.m);
  if (sums_apart(p) && !in_blocks(p) && p.sum_bytes() > caps.max_binding)  // C as one holds them between dispatches
    return too_large("sums on their way take", p.sum_bytes());
  const uint64_t turned = turns_b(p) ? most_turned_bytes(p) : 0;
  if (turned > caps.max_binding) return too_large("B in blocks takes", turned);
  return refuse_shapes(p);
}

std::string refuse(const Product& p, const Capabilities& caps) {
  if (std::string reason = refuse_sums(p); !reason.empty()) return reason;
  if (!line_possible(caps, std::min(bits_of(p.dtype), bits_of(p.stored())) / 8)) return "wants a CPU adapter with vectors of 8 and without bounds checks";
  const ProductForm form = p.form();
  if (sums_apart(p) && form.reads() + 1 + form.results > caps.max_storage_bindings) return "with sums on their way there is more to bind than a kernel does";
  for (size_t i = 0; i < p.parts.count; ++i)
    if (p.parts.width[i] % 4 != 0) return std::format("a result of {} columns does not lie in vectors of four", p.parts.width[i]);
  return p.b_fixed ? refuse_shapes(p) : "";
}

// A variant: rows of its tiles and, where it takes all of k in one dispatch, the most steps of a part of it.
struct Size {
  uint32_t rows;
  uint32_t whole;  // or 0
};
constexpr uint32_t kRows[] = {4, 8, 2, 1};  // the usual one first

// Long parts leave their sums less often; but what does not fit into the decoded instructions that a CPU keeps runs at half the speed. 4 rows of
// 192 steps, 4,200 instructions, do on Zen 4 (1024 x 768 x 1024: 13.4 ms, of 128 steps 15.3 ms), on others 128 may be all that does.
constexpr uint32_t kLongPart = 192, kShortPart = 128;
constexpr uint32_t kRowsOfBoth = 4;  // more take short parts, fewer long ones

std::vector<uint32_t> whole_depths(uint32_t rows, const Product& p, const Capabilities& caps) {
  std::vector<uint32_t> depths;
  for (const uint32_t most : {kLongPart, kShortPart}) {
    if (most == kLongPart ? rows > kRowsOfBoth : rows < kRowsOfBoth) continue;
    const Line line = whole_line(rows, p.k, caps, most);
    if (line.parts > 0 && std::ranges::find(depths, line.depth) == depths.end()) depths.push_back(line.depth);
  }
  return depths;
}

std::vector<Size> sizes_of(const Product& p, const Capabilities& caps) {
  std::vector<Size> sizes;
  const auto fits = [&](uint32_t rows) { return !p.trans_a || rows % 4 == 0; };
  for (const uint32_t rows : kRows)
    if (fits(rows) && will_be_in_blocks(p))
      for (const uint32_t depth : whole_depths(rows, p, caps)) sizes.push_back({rows, depth});
  const bool always_fits = !sums_apart(p) || !in_blocks(p);  // nobody else could read B where sums beside C do not
  for (const uint32_t rows : kRows)
    if (fits(rows) && always_fits) sizes.push_back({rows, 0});
  return sizes;
}

std::vector<std::string> variants(const Product& p, const Capabilities& caps) {
  std::vector<std::string> names;
  for (const Size& size : sizes_of(p, caps)) {
    const std::string name = std::format("{}x{}{}", size.rows, kLineColumns, size.whole > 0 ? "-whole" : "");
    const bool second = size.whole > 0 && std::ranges::find(names, name) != names.end();
    names.push_back(second ? name + "-short" : name);
  }
  return names;
}

// For one row or two, where all of k is taken at once; 0 where there is none. llvmpipe, 2 cores, microseconds with 4 rows and with 2: one row of
// 1024 x 1024 260 and 165, two 258 and 171; of 2048 x 2048 656 and 488, 883 and 489. `lane` and `gemv` take twice to ten times as long.
uint32_t of_two_rows(const Product& p, const Capabilities& caps) {
  const std::vector<Size> sizes = sizes_of(p, caps);
  const auto found = std::ranges::find_if(sizes, [](const Size& size) { return size.rows == 2 && size.whole > 0; });
  return found == sizes.end() ? 0 : static_cast<uint32_t>(found - sizes.begin());
}

// Rows that change get it where it was measured alone: to compile it takes two thirds of the time that the usual one takes, in every executable
// with open rows, and most of those never have so few.
uint32_t preferred(const Product& p, const Capabilities& caps) { return p.fixed && p.m <= 2 ? of_two_rows(p, caps) : 0; }
std::vector<uint32_t> usual(const Product&, const Capabilities&) { return {0}; }

// Whether the last of several dispatches does more than add.
bool ends_apart(const Product& p) { return p.epilogue || p.alpha != 1 || sums_apart(p); }

// A program: the steps of k it takes, and whether it ends the sums, which the epilogue wants to know.
struct Part {
  Line line;
  bool last;
};

// One for every step and, where the last does more than add, one that ends the sums so. Of a product that never changes those that are launched.
std::vector<Part> parts_of(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Size size = sizes_of(p, caps)[variant];
  if (size.whole > 0) {
    Line line = whole_line(size.rows, p.k, caps, size.whole);
    line.columns_of_a = p.trans_a;
    return {{line, true}};
  }
  const Line::B b = in_blocks(p) ? Line::B::Blocks : turns_b(p) ? Line::B::Turned : Line::B::Rows;
  std::vector<Part> parts, last;
  int64_t rest = p.k;
  for (const Step& step : kSteps) {
    const Line line{size.rows, step.depth, step.teams, b, step.exact, 0, p.trans_a};
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
  return static_cast<uint32_t>(parts_of(p, caps, variant).size()) + (turns_b(p) ? 1 : 0);
}

// Of a program that does not end the sums: they begin with D, unless they are scaled in the end.
ProductForm form_of_sums(const Product& p) { return {.dtype = p.dtype, .has_d = p.has_d && p.alpha == 1, .partial = p.dtype == DBK_F16}; }

// The one that turns B is the last.
void programs(const Product& p, const Capabilities& caps, uint32_t variant, std::vector<Program>& out) {
  for (const auto& [line, last] : parts_of(p, caps, variant)) {
    const ProductForm form = last || !ends_apart(p) ? p.form() : form_of_sums(p);
    out.push_back({line_label(line, form), written_by<line_text>(line, form), form.reads() + (line_reads_sums(line, form) ? 1u : 0u), form.results});
  }
  if (turns_b(p)) out.push_back(turn_program(p));
}

// What a dispatch for a part of k binds: sums go on in C, or beside it.
std::vector<Argument> arguments_of_part(const Product& p, uint32_t panel, bool last) {
  std::vector<Argument> args = arguments_of(p, panel, last);
  if (turns_b(p)) args[1] = turned_b(p, p.panels[panel]);
  if (p.has_d && !last && !form_of_sums(p).has_d) args.erase(args.begin() + 2);
  if (!sums_apart(p)) return args;
  const Argument sums = scratch(kSumMemory, p.sum_bytes());
  const auto results = args.end() - static_cast<ptrdiff_t>(p.form().results);
  if (last) args.insert(results, sums);
  else args.erase(results, args.end()), args.push_back(sums);
  return args;
}

// One dispatch per step of k, each adding to what the ones before left; the last one applies the epilogue.
void launch_steps(const Product& p, uint32_t panel, const std::vector<Part>& parts, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Product read = turns_b(p) ? reading_turned(p, p.panels[panel]) : p;
  int64_t k = 0;
  while (k < p.k) {
    const auto takes = [&](const Part& part) {
      const int64_t end = k + part.line.depth;
      return end <= p.k && part.last == (ends_apart(p) && end == p.k) && (!part.line.exact || exact_fits(part.line, p, caps));
    };
    const auto part = std::ranges::find_if(parts, takes);
    const Line& line = part->line;
    ProductParams params = params_of(read, p.panels[panel], line.rows, kLineColumns);
    params.k_start = to_u32(k);
    std::array<uint32_t, 3> groups = grid_of(ceil_div(params.tiles, line.teams), caps);
    if (line.exact) groups = {params.row_tiles / line.teams, params.column_tiles, to_u32(p.batch.extent.count())};
    k += line.depth;
    out.push_back({static_cast<uint32_t>(part - parts.begin()), arguments_of_part(p, panel, k == p.k), groups, to_params(params)});
  }
}

void launch(const Product& p, const Capabilities& caps, uint32_t variant, std::vector<Dispatch>& out) {
  const std::vector<Part> parts = parts_of(p, caps, variant);
  const Line& line = parts[0].line;
  for (uint32_t panel = 0; panel < p.panels.size(); ++panel) {
    if (turns_b(p)) out.push_back(turn_dispatch(p, panel, static_cast<uint32_t>(parts.size()), caps));
    if (line.parts == 0) {
      launch_steps(p, panel, parts, caps, out);
      continue;
    }
    const ProductParams params = params_of(p, p.panels[panel], line.rows, kLineColumns);
    out.push_back({0, arguments_of(p, panel, true), grid_of(ceil_div(params.tiles, line.teams / line.parts), caps), to_params(params)});
  }
}

std::string tile(const Product& p, const Capabilities& caps, uint32_t variant) {
  const Line line = parts_of(p, caps, variant)[0].line;
  const std::string size = std::format("{}x{}x{}", line.rows, kLineColumns, line.depth);
  return line.parts > 1 ? std::format("{}, {} parts of k", size, line.parts) : size;
}

// Nobody else reads what is stored here, so whatever the rows are, there must be a way: sums beside C may be too large for a binding.
std::vector<Panel> store(const Product& p, const Capabilities& caps, uint32_t variant) {
  if (!may_be_in_blocks(p) || (sums_apart(p) && sizes_of(p, caps)[variant].whole == 0)) return {};
  const int64_t most = static_cast<int64_t>(caps.max_binding) / byte_size(p.dtype, std::max<int64_t>(p.k, 1));
  return cut_columns(p.n, kLineColumns, most, {.first = 0, .count = 0, .block = kLineColumns, .transposed = p.trans_b});
}

}  // namespace

constinit const ProductKernel kLineKernel{"line", refuse, refuse_extents, variants, preferred, usual, program_count, programs, launch, tile, nullptr, store};

}  // namespace dbk::gpu
