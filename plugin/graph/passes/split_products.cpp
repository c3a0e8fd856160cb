// A product whose columns somebody takes apart, by Split or by Slices that cover them, writes the parts itself: SplitMatMul, or
// FusedSplitMatMul with what was fused behind the product. Parts may have any readers, the product as a whole none.
#include <algorithm>

#include "host_fallback/column_parts.h"
#include "plugin/graph/passes/column_window.h"
#include "plugin/graph/passes/element_region.h"
#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

// What takes columns out of a product, from left to right; fewer than two where nobody takes it apart.
std::vector<ColumnWindow> windows_of(const Rewriter& r, ValueId product) {
  std::vector<ColumnWindow> windows;
  for (const Node* reader : r.readers(product)) {
    if (reader->inputs[0] != product) continue;
    for (ValueId part : reader->outputs)
      if (const auto window = part == DBK_NONE ? std::nullopt : read_window(r, part)) windows.push_back(*window);
  }
  std::ranges::stable_sort(windows, {}, &ColumnWindow::first);
  return windows;
}

bool covers(const std::vector<ColumnWindow>& windows, int64_t total) {
  int64_t end = 0;
  for (const ColumnWindow& window : windows) {
    if (window.first != end) return false;
    end += window.width;
  }
  return end == total;
}

// Empty, or why a product does not write these parts.
std::string misfit(const Rewriter& r, const Node& product, const std::vector<ColumnWindow>& windows) {
  const auto total = columns_of(r, product.outputs[0]);
  if (!total || !covers(windows, *total)) return "the parts do not cover the columns of the product, each once";
  if (windows.size() > ColumnParts::kMost) return std::format("{} parts, and kernels write up to {}", windows.size(), ColumnParts::kMost);
  for (size_t i = 2; i < product.inputs.size(); ++i) {
    const TensorType& type = r.type(product.inputs[i]);
    const bool columns = type.count() == *total && type.shape[type.shape.rank() - 1] == *total;
    if (!r.is_weight(product.inputs[i]) || (type.count() != 1 && !columns)) return "what is added to the product is not one number for each column";
  }
  if (product.inputs.size() + windows.size() > ElementRegion::kMaxOperands + 1) return "more operands and parts than kernels bind";
  return "";
}

// Whether the parts are written by the product: a choice that may have been made before.
bool wanted(Rewriter& r, const Node& product, const std::vector<ColumnWindow>& windows) {
  if (const ProjectionChoice* choice = r.choice_of(windows[0].part)) return choice->advice.form == ProjectionForm::Split;
  const TensorType &x = r.type(product.inputs[0]), &w = r.type(product.inputs[1]);
  ProjectionChoice choice{.nodes = {product.table_index}, .layer = {.dtype = x.dtype, .k = w.shape[w.shape.rank() - 2], .joined = true}};
  choice.layer.rows = choice.layer.k > 0 ? x.count() / choice.layer.k : 0;
  choice.layer.biased = product.inputs.size() > 2;
  std::vector<const Node*> nodes{&product};
  for (const ColumnWindow& window : windows) {
    choice.layer.widths.push_back(window.width);
    choice.results.push_back(window.part);
    if (std::ranges::find(nodes, window.node) == nodes.end()) nodes.push_back(window.node);
  }
  return r.choose(std::move(choice), std::move(nodes)) == ProjectionForm::Split;
}

void split(Rewriter& r, const Node& product) {
  const ValueId whole = product.outputs[0];
  if (!r.typed(whole) || !r.typed(product.inputs[1]) || r.rank(product.inputs[1]) < 2 || !contains(F32 | F16, r.type(whole).dtype)) return;
  const std::vector<ColumnWindow> windows = windows_of(r, whole);
  if (windows.size() < 2) return;
  if (std::string why = misfit(r, product, windows); !why.empty()) return r.miss(product, std::move(why));
  if (!wanted(r, product, windows)) return;
  std::vector<int64_t> widths;
  std::vector<ValueId> parts;
  std::vector<const Node*> absorbed{&product};
  for (const ColumnWindow& window : windows) {
    widths.push_back(window.width);
    parts.push_back(window.part);
    if (std::ranges::find(absorbed, window.node) == absorbed.end()) absorbed.push_back(window.node);
  }
  std::ranges::sort(absorbed, [&](const Node* a, const Node* b) { return r.before(*a, *b); });
  Attributes attrs = product.attrs;
  attrs.set("widths", widths);
  const bool fused = product.attrs.has("expression");
  Node made = fused ? make_fused("fused_split_matmul", product.inputs, std::move(parts), std::move(attrs))
                    : Rewriter::make("SplitMatMul", product.inputs, std::move(parts), std::move(attrs), "ai.daybreak");
  if (fused) made.version = product.version;
  r.replace(std::move(absorbed), std::move(made));
}

}  // namespace

void split_products(Rewriter& r) {
  for (size_t i = 0, count = r.count(); i < count; ++i)
    if (const Node* node = r.at(i); node && node->op && (node->op->id == "matmul" || node->op->id == "fused_matmul")) split(r, *node);
}

}  // namespace dbk
