// daybreak_tables.hpp - the pools behind GraphBuilder: text, numbers, references, attributes, values, blobs, blocks.
// Only appends and looks up; what a call means is decided in daybreak_graph.hpp. Offsets are 32 bit by the ABI, so
// every append is checked against that.
#ifndef DAYBREAK_TABLES_HPP
#define DAYBREAK_TABLES_HPP

#include <deque>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "daybreak_attr.hpp"

namespace daybreak::detail {

struct BlockParts {
  dbk_slice name{};
  std::vector<dbk_node> nodes;  // gathered per block: the ABI wants each block's nodes in one range
  std::vector<uint32_t> inputs, outputs;
};

class GraphTables {
 public:
  GraphTables() = default;
  GraphTables(GraphTables&&) = default;
  GraphTables& operator=(GraphTables&&) = default;

  std::vector<BlockParts> blocks{1};

  dbk_slice add_text(std::string_view text) { return append(text_, text.data(), text.size()); }

  dbk_slice add_refs(std::span<const uint32_t> ids) { return append(refs_, ids.data(), ids.size()); }

  template <class Id>
  dbk_slice add_ids(std::span<const Id> list) {
    std::vector<uint32_t> ids;
    for (const Id& item : list) ids.push_back(id_of(item));
    return add_refs(ids);
  }

  uint32_t add_symbol(const dbk_symbol& symbol) { return append(symbols_, &symbol, 1).off; }

  Value add_value(std::string_view name, uint32_t type, const Shape& shape, uint32_t kind, uint32_t origin) {
    dbk_value value{};
    value.name = add_text(name);
    value.origin = origin;
    value.alias = value.blob = DBK_NONE;
    set_type(value, type, shape, kind);
    return {append(values_, &value, 1).off};
  }

  void set_type(dbk_value& value, uint32_t type, const Shape& shape, uint32_t kind) {
    value.dims = append(ints_, shape.dims().data(), shape.dims().size());
    value.dtype = type;
    value.kind = kind;
    value.flags = shape.ranked() ? 0 : DBK_VALUE_UNKNOWN_RANK;
  }

  dbk_value& at(Value value) {
    if (value.id < values_.size()) return values_[value.id];
    throw Error(DBK_INVALID_ARGUMENT, "the value is absent or of another graph");
  }
  std::string_view text(dbk_slice range) const {
    return std::string_view(text_.data(), text_.size()).substr(range.off, range.len);
  }

  // Data of a parameter or constant; the memory stays where it is.
  void attach(Value value, std::span<const std::byte> bytes, uint32_t ownership) {
    static constexpr std::byte nothing{};  // a tensor without elements has a place as well
    const dbk_blob blob{bytes.empty() ? &nothing : bytes.data(), bytes.size(), ownership, 0};
    at(value).blob = append(blobs_, &blob, 1).off;
    at(value).blob_len = bytes.size();
  }
  std::span<const std::byte> keep(std::span<const std::byte> bytes) {
    return kept_.emplace_back(bytes.begin(), bytes.end());
  }
  std::string_view keep(std::string_view text) { return kept_text_.emplace_back(text); }

  dbk_slice add_attrs(std::span<const Attr> attrs) {
    std::vector<dbk_attr> rows;
    for (const Attr& attr : attrs) rows.push_back(row(attr));
    return append(attrs_, rows.data(), rows.size());
  }

  const dbk_graph* graph() {
    nodes_.clear();
    block_rows_.clear();
    all_refs_ = refs_;
    for (const BlockParts& block : blocks) {
      const dbk_slice nodes = append(nodes_, block.nodes.data(), block.nodes.size());
      const dbk_slice inputs = append(all_refs_, block.inputs.data(), block.inputs.size());
      const dbk_slice outputs = append(all_refs_, block.outputs.data(), block.outputs.size());
      block_rows_.push_back({block.name, nodes, inputs, outputs, 0, 0});
    }
    graph_ = sized<dbk_graph>();
    graph_.values = pool(values_);
    graph_.nodes = pool(nodes_);
    graph_.attrs = pool(attrs_);
    graph_.symbols = pool(symbols_);
    graph_.blocks = pool(block_rows_);
    graph_.blobs = pool(blobs_);
    graph_.ints = pool(ints_);
    graph_.floats = pool(floats_);
    graph_.refs = pool(all_refs_);
    graph_.slices = pool(slices_);
    graph_.text = pool(text_);
    return &graph_;
  }

 private:
  static uint32_t id_of(uint32_t id) { return id; }
  static uint32_t id_of(Value value) { return value.id; }
  static uint32_t id_of(Block block) { return block.index; }

  template <class T>
  static dbk_slice append(std::vector<T>& pool, const T* items, std::size_t count) {
    constexpr std::size_t limit = std::numeric_limits<uint32_t>::max() - 1;
    if (count > limit - std::min(limit, pool.size())) throw Error(DBK_OUT_OF_RANGE, "a table of the graph is full");
    const dbk_slice range{static_cast<uint32_t>(pool.size()), static_cast<uint32_t>(count)};
    pool.insert(pool.end(), items, items + count);
    return range;
  }

  template <class T>
  static dbk_pool pool(const std::vector<T>& items) {
    return {items.data(), static_cast<uint32_t>(items.size()), sizeof(T)};
  }

  dbk_slice add_strings(const std::vector<std::string>& list) {
    std::vector<dbk_slice> ranges;
    for (const std::string& text : list) ranges.push_back(add_text(text));
    return append(slices_, ranges.data(), ranges.size());
  }

  dbk_attr row(const Attr& attr) {
    dbk_attr result{};
    result.name = add_text(attr.name());
    const auto fill = [&](const auto& data) {
      using T = std::decay_t<decltype(data)>;
      const auto number = [&](uint32_t type, int64_t value) { result.type = type, result.v.i = value; };
      const auto list = [&](uint32_t type, dbk_slice range) { result.type = type, result.data = range; };
      if constexpr (std::is_same_v<T, int64_t>)
        number(DBK_ATTR_INT, data);
      else if constexpr (std::is_same_v<T, double>)
        result.type = DBK_ATTR_FLOAT, result.v.f = data;
      else if constexpr (std::is_same_v<T, std::string>)
        list(DBK_ATTR_STRING, add_text(data));
      else if constexpr (std::is_same_v<T, std::vector<int64_t>>)
        list(DBK_ATTR_INTS, append(ints_, data.data(), data.size()));
      else if constexpr (std::is_same_v<T, std::vector<double>>)
        list(DBK_ATTR_FLOATS, append(floats_, data.data(), data.size()));
      else if constexpr (std::is_same_v<T, std::vector<std::string>>)
        list(DBK_ATTR_STRINGS, add_strings(data));
      else if constexpr (std::is_same_v<T, Value>)
        number(DBK_ATTR_TENSOR, data.id);
      else if constexpr (std::is_same_v<T, std::vector<Value>>)
        list(DBK_ATTR_TENSORS, add_ids(std::span(data)));
      else if constexpr (std::is_same_v<T, Block>)
        number(DBK_ATTR_BLOCK, data.index);
      else if constexpr (std::is_same_v<T, std::vector<Block>>)
        list(DBK_ATTR_BLOCKS, add_ids(std::span(data)));
      else
        number(DBK_ATTR_TYPE, data.value.id);
    };
    std::visit(fill, attr.data());
    return result;
  }

  std::vector<dbk_value> values_;
  std::vector<dbk_node> nodes_;
  std::vector<dbk_attr> attrs_;
  std::vector<dbk_symbol> symbols_;
  std::vector<dbk_block> block_rows_;
  std::vector<dbk_blob> blobs_;
  std::vector<int64_t> ints_;
  std::vector<double> floats_;
  std::vector<uint32_t> refs_, all_refs_;  // of nodes and attributes; with those of blocks behind them
  std::vector<dbk_slice> slices_;
  std::vector<char> text_;
  std::deque<std::vector<std::byte>> kept_;
  std::deque<std::string> kept_text_;
  dbk_graph graph_{};
};

}  // namespace daybreak::detail

#endif
