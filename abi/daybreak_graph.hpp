// daybreak_graph.hpp - GraphBuilder: the tables of a dbk_graph, filled by calls that read like the graph.
// The builder owns every table and every constant; memory of parameters given with the graph is referred to, not
// copied. Values are plain ids over all blocks, so a body uses outer values directly. The plugin judges the graph; the
// builder refuses only what it could not write down.
#ifndef DAYBREAK_GRAPH_HPP
#define DAYBREAK_GRAPH_HPP

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "daybreak_tables.hpp"

namespace daybreak {

class GraphBuilder {
 public:
  using Inputs = std::initializer_list<Value>;
  using Attrs = std::initializer_list<Attr>;

  explicit GraphBuilder(uint32_t opset = 20) { opsets_.emplace("", opset); }

  // The version of a domain for nodes that do not name their own.
  GraphBuilder& opset(std::string_view domain, uint32_t version) {
    opsets_.insert_or_assign(domain_key(domain), version);
    return *this;
  }

  // ---- symbols and values ----

  // max < 0: no upper bound.
  Symbol symbol(std::string_view name, int64_t min = 0, int64_t max = -1, int64_t multiple_of = 1) {
    return {tables_.add_symbol({tables_.add_text(name), min, max, multiple_of})};
  }

  Value input(std::string_view name, uint32_t type, const Shape& shape, uint32_t kind = DBK_KIND_TENSOR) {
    const Value value = tables_.add_value(name, type, shape, kind, DBK_ORIGIN_COMPUTED);
    block().inputs.push_back(value.id);
    return value;
  }
  template <Element T>
  Value input(std::string_view name, const Shape& shape) {
    return input(name, dtype<T>, shape);
  }

  // A parameter whose data comes later, by set_param.
  Value param(std::string_view name, uint32_t type, const Dims& dims) {
    return tables_.add_value(name, type, dims, DBK_KIND_TENSOR, DBK_ORIGIN_PARAM);
  }
  template <Element T>
  Value param(std::string_view name, const Dims& dims) {
    return param(name, dtype<T>, dims);
  }
  // With data. ownership DBK_COPY: `bytes` lives until compile returns; DBK_UNTIL_DESTROY: as long as the executable.
  Value param(std::string_view name, uint32_t type, const Dims& dims, std::span<const std::byte> bytes,
              uint32_t ownership = DBK_COPY) {
    require_size(name, type, dims, bytes.size());
    const Value value = param(name, type, dims);
    tables_.attach(value, bytes, ownership);
    return value;
  }
  template <class T>
    requires Element<std::remove_const_t<T>>
  Value param(std::string_view name, std::span<T> data, const Dims& dims, uint32_t ownership = DBK_COPY) {
    return param(name, dtype<T>, dims, std::as_bytes(data), ownership);
  }

  // Constants are copied into the builder.
  Value constant(uint32_t type, const Dims& dims, std::span<const std::byte> bytes, std::string_view name = {}) {
    require_size(name, type, dims, bytes.size());
    const Value value = tables_.add_value(name, type, dims, DBK_KIND_TENSOR, DBK_ORIGIN_CONST);
    tables_.attach(value, tables_.keep(bytes), DBK_COPY);
    return value;
  }
  template <class T>
    requires Element<std::remove_const_t<T>>
  Value constant(std::span<T> data, const Dims& dims, std::string_view name = {}) {
    return constant(dtype<T>, dims, std::as_bytes(data), name);
  }
  // g.constant<int64_t>({2, -1}) has one axis unless extents follow.
  template <Element T>
  Value constant(std::initializer_list<T> data, const std::optional<Dims>& dims = {}, std::string_view name = {}) {
    const Dims flat{static_cast<int64_t>(data.size())};
    return constant(std::span<const T>(data.begin(), data.size()), dims.value_or(flat), name);
  }
  template <Element T>
  Value scalar(T value, std::string_view name = {}) {
    return constant(std::span<const T>(&value, 1), Dims{}, name);
  }
  Value strings(std::span<const std::string> data, const Dims& dims, std::string_view name = {}) {
    std::vector<dbk_str> elements;
    for (const std::string& text : data) elements.push_back(detail::str(tables_.keep(std::string_view(text))));
    return constant(DBK_STRING, dims, std::as_bytes(std::span<const dbk_str>(elements)), name);
  }

  // States the type of a node's output, which is otherwise inferred.
  void declare(Value value, uint32_t type, const Shape& shape, uint32_t kind = DBK_KIND_TENSOR) {
    tables_.set_type(tables_.at(value), type, shape, kind);
  }
  // Names a node's output, for messages and reports; outputs of the main graph get theirs by `output`.
  void name(Value value, std::string_view name) { tables_.at(value).name = tables_.add_text(name); }
  std::string_view name_of(Value value) { return tables_.text(tables_.at(value).name); }  // until the graph changes
  // A type as an attribute needs it.
  TypeOf type(uint32_t dtype, const Shape& shape, uint32_t kind = DBK_KIND_TENSOR) {
    return {tables_.add_value({}, dtype, shape, kind, DBK_ORIGIN_COMPUTED)};
  }

  // ---- nodes ----

  Value node(const Op& op, Inputs inputs, Attrs attrs = {}) { return node<1>(op, inputs, attrs)[0]; }

  // auto [values, indices] = g.node<2>("TopK", {x, k});
  template <std::size_t N>
  std::array<Value, N> node(const Op& op, Inputs inputs, Attrs attrs = {}) {
    const auto outputs =
        nodes(op, {inputs.begin(), inputs.size()}, {attrs.begin(), attrs.size()}, std::vector(N, true));
    std::array<Value, N> result;
    std::copy_n(outputs.begin(), N, result.begin());
    return result;
  }

  // The general form. One entry of `wanted` per output; false: nobody uses it and its Value is absent.
  std::vector<Value> nodes(const Op& op, std::span<const Value> inputs, std::span<const Attr> attrs,
                           const std::vector<bool>& wanted) {
    dbk_node node{};
    node.domain = tables_.add_text(op.domain);
    node.op = tables_.add_text(op.type);
    node.name = tables_.add_text(op.name);
    node.inputs = tables_.add_ids(inputs);
    std::vector<Value> results;
    for (const bool used : wanted) results.push_back(used ? computed() : absent);
    node.outputs = tables_.add_ids(std::span<const Value>(results));
    node.attrs = tables_.add_attrs(attrs);
    node.op_version = op.version ? op.version : version_of(op.domain);
    block().nodes.push_back(node);
    return results;
  }

  // Outputs of the main graph need a name; inputs and parameters keep theirs (let Identity make an output of one).
  void output(Value value, std::string_view name = {}) {
    dbk_value& row = tables_.at(value);
    const std::string_view old = tables_.text(row.name);
    if (!name.empty() && !old.empty() && old != name) {
      throw Error(DBK_INVALID_ARGUMENT,
                  "output '" + std::string(name) + "' is already called '" + std::string(old) + "'");
    }
    if (old.empty()) row.name = tables_.add_text(name);
    block().outputs.push_back(value.id);
  }
  // The output may share the memory of the input; binding both to one place is reserved, see daybreak.h.
  void alias(Value output, Value input) { tables_.at(output).alias = input.id; }

  // The body of If, Loop, Scan ...: input, node and output called inside `fill` belong to it.
  template <class Fill>
  Block body(std::string_view name, Fill&& fill) {
    const auto index = static_cast<uint32_t>(tables_.blocks.size());
    tables_.blocks.emplace_back().name = tables_.add_text(name);
    const Opened opened(open_, index);
    fill();
    return {index};
  }

  // The tables, owned by the builder and valid until it changes or goes.
  const dbk_graph* graph() { return tables_.graph(); }

 private:
  // Leaves the block also when `fill` throws.
  class Opened {
   public:
    Opened(std::vector<uint32_t>& open, uint32_t index) : open_(open) { open_.push_back(index); }
    ~Opened() { open_.pop_back(); }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

   private:
    std::vector<uint32_t>& open_;
  };

  static std::string domain_key(std::string_view domain) { return std::string(domain == "ai.onnx" ? "" : domain); }

  detail::BlockParts& block() { return tables_.blocks[open_.back()]; }
  Value computed() { return tables_.add_value({}, DBK_DTYPE_NONE, unknown_rank, DBK_KIND_TENSOR, DBK_ORIGIN_COMPUTED); }

  uint32_t version_of(std::string_view domain) const {
    const auto found = opsets_.find(domain_key(domain));
    return found == opsets_.end() ? 1 : found->second;
  }

  static void require_size(std::string_view name, uint32_t type, const Dims& dims, uint64_t bytes) {
    const uint64_t wanted = dense_bytes(type, dims);
    if (bytes == wanted) return;
    throw Error(DBK_INVALID_ARGUMENT, "'" + std::string(name) + "' of " + dtype_name(type) + to_string(dims) +
                                          " takes " + std::to_string(wanted) + " bytes, not " + std::to_string(bytes));
  }

  detail::GraphTables tables_;
  std::vector<uint32_t> open_{0};  // blocks being filled, innermost last
  std::map<std::string, uint32_t> opsets_;
};

}  // namespace daybreak

#endif
