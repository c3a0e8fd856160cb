#include "plugin/graph/tables.h"

#include <algorithm>
#include <set>

#include "plugin/graph/control.h"
#include "plugin/graph/schema.h"
#include "plugin/graph/scope.h"
#include "plugin/graph/symbol_extents.h"
#include "plugin/graph/table_reader.h"

namespace dbk {

namespace {

class Reader {
 public:
  Reader(const dbk_graph& g, bool internal_ops) : tables_(g), internal_ops_(internal_ops) {}

  Graph read() {
    if (tables_.blocks.size() == 0) fail(DBK_INVALID_ARGUMENT, "the graph has no block");
    each(tables_.symbols.size(), "symbol", [&](uint32_t i) { read_symbol(i); });
    graph_.values.resize(tables_.values.size());
    each(tables_.values.size(), "value", [&](uint32_t i) { read_value(i); }, /*value=*/true);
    graph_.blocks.resize(tables_.blocks.size());
    owner_.assign(tables_.nodes.size(), DBK_NONE);
    graph_.callers.resize(tables_.nodes.size());
    each(tables_.blocks.size(), "block", [&](uint32_t i) { read_block(i); });
    throw_collected();
    check_scopes(graph_, causes_);
    check_names();
    check_aliases();
    throw_collected();
    return std::move(graph_);
  }

 private:
  // Runs f for every element and collects what it throws, with the element named in front.
  template <class F>
  void each(uint32_t count, const char* what, F&& f, bool value = false) {
    for (uint32_t i = 0; i < count; ++i) {
      try {
        f(i);
      } catch (Error& e) {
        for (Cause& c : e.causes()) {
          c.message = std::format("{} {}: {}", what, i, c.message);
          if (value) c.value = i;
          causes_.push_back(std::move(c));
        }
      }
    }
  }

  void throw_collected() {
    if (!causes_.empty()) throw Error(std::move(causes_));
  }

  void read_symbol(uint32_t i) {
    const dbk_symbol s = tables_.symbols[i];
    Symbol symbol{tables_.string(s.name, "name"), s.min, s.max > 0 ? s.max : -1, std::max<int64_t>(s.multiple_of, 1)};
    if (symbol.name.empty()) fail(DBK_INVALID_ARGUMENT, "a symbol needs a name");
    if (s.min < 0 || s.multiple_of < 0 || (s.max > 0 && s.max < s.min))
      fail(DBK_INVALID_ARGUMENT, "'{}' has min {}, max {}, multiple_of {}", symbol.name, s.min, s.max, s.multiple_of);
    if (!least_extent(symbol, 0))
      fail(DBK_INVALID_ARGUMENT, "'{}' has no extent: no multiple of {} is within min {} and max {}", symbol.name, symbol.multiple_of, s.min, s.max);
    for (const Symbol& other : graph_.symbols)
      if (other.name == symbol.name) fail(DBK_INVALID_ARGUMENT, "the name '{}' is taken by another symbol", symbol.name);
    graph_.symbols.push_back(std::move(symbol));
  }

  void read_value(uint32_t i) {
    const dbk_value v = tables_.values[i];
    Value& value = graph_.values[i];
    value.name = tables_.string(v.name, "name");
    value.kind = v.kind;
    value.origin = v.origin;
    value.alias = v.alias;
    value.dtype = v.dtype;
    value.known_rank = !(v.flags & DBK_VALUE_UNKNOWN_RANK);
    value.dims = tables_.ints.list(v.dims, "dims");
    if (v.kind > DBK_KIND_OPTIONAL_SEQUENCE) fail(DBK_INVALID_ARGUMENT, "unknown kind {}", v.kind);
    if (v.origin > DBK_ORIGIN_CONST) fail(DBK_INVALID_ARGUMENT, "unknown origin {}", v.origin);
    if (v.flags & ~DBK_VALUE_UNKNOWN_RANK) fail(DBK_INVALID_ARGUMENT, "unknown flags {:#x}", v.flags);
    if (v.dtype != DBK_DTYPE_NONE && !set_of(v.dtype)) fail(DBK_INVALID_ARGUMENT, "unknown dtype {:#x}", v.dtype);
    if (v.alias != DBK_NONE && v.alias >= tables_.values.size())
      fail(DBK_INVALID_ARGUMENT, "alias {} is outside table values of {}", v.alias, tables_.values.size());
    check_dims(value);
    if (v.blob == DBK_NONE && (v.blob_off || v.blob_len)) fail(DBK_INVALID_ARGUMENT, "'{}' has a range of no blob", value.name);
    if (v.origin == DBK_ORIGIN_COMPUTED) {
      if (v.blob != DBK_NONE) fail(DBK_INVALID_ARGUMENT, "'{}' has data but is neither parameter nor constant", value.name);
    } else {
      read_data(v, value, i);
    }
  }

  void check_dims(const Value& value) const {
    if (!value.known_rank && !value.dims.empty()) fail(DBK_INVALID_ARGUMENT, "'{}' has dims but an unknown rank", value.name);
    if (value.dims.size() > DBK_MAX_RANK) fail(DBK_UNIMPLEMENTED, "rank {} is over {}", value.dims.size(), DBK_MAX_RANK);
    for (int64_t d : value.dims)
      if (is_symbol(d) && symbol_of(d) >= tables_.symbols.size())
        fail(DBK_INVALID_ARGUMENT, "'{}' has a dim of symbol {}, but the graph has {} symbols", value.name, symbol_of(d), tables_.symbols.size());
  }

  void read_data(const dbk_value& v, Value& value, uint32_t id) {
    const char* what = v.origin == DBK_ORIGIN_PARAM ? "parameter" : "constant";
    if (v.dtype == DBK_DTYPE_NONE) fail(DBK_INVALID_ARGUMENT, "{} '{}' needs a dtype", what, value.name);
    if (!value.known_rank) fail(DBK_INVALID_ARGUMENT, "{} '{}' needs a shape", what, value.name);
    for (int64_t d : value.dims)
      if (d < 0) fail(DBK_INVALID_ARGUMENT, "{} '{}' needs fixed extents", what, value.name);
    const TensorType type{value.dtype, Shape(value.dims)};
    const uint64_t bytes = static_cast<uint64_t>(type.bytes());
    if (v.origin == DBK_ORIGIN_PARAM) graph_.params.push_back(id);
    if (v.blob == DBK_NONE) {
      if (v.origin == DBK_ORIGIN_CONST) fail(DBK_INVALID_ARGUMENT, "constant '{}' has no data", value.name);
      return;
    }
    const dbk_blob blob = tables_.blobs[v.blob];
    if (blob.reserved) fail(DBK_INVALID_ARGUMENT, "blob {}: reserved must be 0", v.blob);
    if (blob.ownership != DBK_COPY && blob.ownership != DBK_UNTIL_DESTROY)
      fail(DBK_INVALID_ARGUMENT, "blob {} has ownership {}", v.blob, blob.ownership);
    if (v.blob_off > blob.len || v.blob_len > blob.len - v.blob_off)
      fail(DBK_INVALID_ARGUMENT, "bytes [{}, +{}) are outside blob {} of {}", v.blob_off, v.blob_len, v.blob, blob.len);
    if (v.blob_len != bytes)
      fail(DBK_INVALID_ARGUMENT, "{} '{}' of {} {} takes {} bytes, the blob gives {}", what, value.name, to_string(type.dtype),
           to_string(type.shape), bytes, v.blob_len);
    if (bytes && !blob.ptr) fail(DBK_INVALID_ARGUMENT, "blob {} has a NULL pointer", v.blob);
    store_data(value, type, blob, v.blob_off);
  }

  static void store_data(Value& value, const TensorType& type, const dbk_blob& blob, uint64_t offset) {
    const std::byte* src = static_cast<const std::byte*>(blob.ptr) + offset;
    const uint64_t bytes = static_cast<uint64_t>(type.bytes());
    if (value.origin == DBK_ORIGIN_CONST) {
      value.constant = std::make_shared<HostTensor>(HostTensor{type, std::vector<std::byte>(src, src + bytes)});
    } else if (blob.ownership == DBK_UNTIL_DESTROY) {
      value.data = {src, bytes, nullptr, offset, blob.len - offset - bytes};
    } else {
      const std::shared_ptr<std::byte[]> owned = allocate_bytes(bytes, "parameter '" + value.name + "'");
      std::copy_n(src, bytes, owned.get());
      value.data = {owned.get(), bytes, owned};
    }
  }

  void read_block(uint32_t i) {
    const dbk_block b = tables_.blocks[i];
    Block& block = graph_.blocks[i];
    block.name = tables_.string(b.name, "name");
    if (b.reserved || b.flags) fail(DBK_INVALID_ARGUMENT, "flags and reserved must be 0");
    block.inputs = value_list(b.inputs, "inputs", /*optional=*/false);
    block.outputs = value_list(b.outputs, "outputs", /*optional=*/false);
    for (ValueId v : block.inputs)
      if (graph_.values[v].dtype == DBK_DTYPE_NONE && i == 0)
        causes_.push_back({DBK_INVALID_ARGUMENT, std::format("input {} needs a dtype", describe(graph_, v)), DBK_NONE, v});
    tables_.nodes.check(b.nodes, "nodes");
    for (uint32_t n = b.nodes.off; n < b.nodes.off + b.nodes.len; ++n) {
      if (owner_[n] != DBK_NONE) fail(DBK_INVALID_ARGUMENT, "node {} belongs to block {} already", n, owner_[n]);
      owner_[n] = i;
      collect_node(block, n);
    }
  }

  void collect_node(Block& block, uint32_t n) {
    Node node;
    node.table_index = n;
    try {
      read_node(node, n);
      graph_.callers[n] = {node.domain, node.op_name, node.name, node.opset};
      block.nodes.push_back(std::move(node));
    } catch (Error& e) {
      for (Cause& c : e.causes()) {
        c.message = std::format("{}: {}", describe(node), c.message);
        c.node = n;
        causes_.push_back(std::move(c));
      }
    }
  }

  void read_node(Node& node, uint32_t n) {
    const dbk_node raw = tables_.nodes[n];
    node.domain = tables_.string(raw.domain, "domain");
    if (node.domain == "ai.onnx") node.domain.clear();
    node.op_name = tables_.string(raw.op, "op");
    node.name = tables_.string(raw.name, "name");
    node.opset = raw.op_version;
    if (raw.flags) fail(DBK_INVALID_ARGUMENT, "flags must be 0");
    if (node.op_name.empty()) fail(DBK_INVALID_ARGUMENT, "a node needs an op");
    node.inputs = value_list(raw.inputs, "inputs", true);
    node.outputs = value_list(raw.outputs, "outputs", true);
    tables_.attrs.check(raw.attrs, "attrs");
    for (uint32_t a = raw.attrs.off; a < raw.attrs.off + raw.attrs.len; ++a) read_attribute(node.attrs, a);
    node.op = find_op(node.domain, node.op_name);
    if (!node.op) node.op = find_control(node.domain, node.op_name);
    node.schema = find_schema(node.domain, node.op_name, raw.op_version);
    if (node.schema && node.schema->internal && !internal_ops_) node.op = nullptr, node.schema = nullptr;
    if (!node.schema) {
      if (node.op) fail(DBK_INVALID_ARGUMENT, "op_version {} is older than the op", raw.op_version);
      return;  // unknown op: reported by check, refused by compile
    }
    if (raw.op_version > newest_opset(node.domain))
      fail(DBK_UNIMPLEMENTED, "op_version {} is newer than {}, the newest this plugin knows", raw.op_version, newest_opset(node.domain));
    if (node.domain.empty() && raw.op_version < kOldestOpset)
      fail(DBK_UNIMPLEMENTED, "op_version {} is older than {}, the oldest this plugin knows", raw.op_version, kOldestOpset);
    node.version = node.schema->since;
    check_arity(*node.schema, node.inputs, node.outputs);
    check_attributes_and_fill_defaults(*node.schema, node.attrs);
  }

  std::vector<ValueId> value_list(dbk_slice s, const char* field, bool optional) const {
    std::vector<ValueId> ids = tables_.refs.list(s, field);
    for (ValueId id : ids)
      if (id >= tables_.values.size() && !(optional && id == DBK_NONE))
        fail(DBK_INVALID_ARGUMENT, "{}: value {} is outside table values of {}", field, id, tables_.values.size());
    return ids;
  }

  void read_attribute(Attributes& attrs, uint32_t index) const {
    const dbk_attr raw = tables_.attrs[index];
    std::string name = tables_.string(raw.name, "attribute name");
    if (name.empty()) fail(DBK_INVALID_ARGUMENT, "attribute {} has no name", index);
    if (raw.flags) fail(DBK_INVALID_ARGUMENT, "attribute '{}': flags must be 0", name);
    if (attrs.has(name)) fail(DBK_INVALID_ARGUMENT, "attribute '{}' is given twice", name);
    const bool in_v = raw.type == DBK_ATTR_INT || raw.type == DBK_ATTR_FLOAT || raw.type == DBK_ATTR_TENSOR || raw.type == DBK_ATTR_BLOCK ||
                      raw.type == DBK_ATTR_TYPE;
    if (in_v ? raw.data.off || raw.data.len : raw.v.i != 0)
      fail(DBK_INVALID_ARGUMENT, "attribute '{}': {} must be 0 for type {}", name, in_v ? "data" : "v", raw.type);
    try {
      attrs.set(name, attribute_value(raw));
    } catch (Error& e) {
      e.causes().front().message = std::format("attribute '{}': {}", name, e.what());
      throw;
    }
  }

  AttributeValue attribute_value(const dbk_attr& raw) const {
    switch (raw.type) {
      case DBK_ATTR_INT: return raw.v.i;
      case DBK_ATTR_FLOAT: return raw.v.f;
      case DBK_ATTR_STRING: return tables_.string(raw.data, "text");
      case DBK_ATTR_INTS: return tables_.ints.list(raw.data, "ints");
      case DBK_ATTR_FLOATS: return tables_.floats.list(raw.data, "floats");
      case DBK_ATTR_STRINGS: {
        std::vector<std::string> out;
        for (dbk_slice s : tables_.slices.list(raw.data, "slices")) out.push_back(tables_.string(s, "text"));
        return out;
      }
      case DBK_ATTR_TENSOR: return constant(raw.v.i);
      case DBK_ATTR_BLOCK: return body(raw.v.i);
      case DBK_ATTR_BLOCKS: {
        std::vector<BlockRef> out;
        for (uint32_t b : tables_.refs.list(raw.data, "refs")) out.push_back(body(b));
        return out;
      }
      case DBK_ATTR_TENSORS:
      case DBK_ATTR_TYPE: fail(DBK_UNIMPLEMENTED, "attributes of type {} are not supported", raw.type);
      default: fail(DBK_INVALID_ARGUMENT, "unknown attribute type {}", raw.type);
    }
  }

  std::shared_ptr<const HostTensor> constant(int64_t id) const {
    if (id < 0 || id >= static_cast<int64_t>(graph_.values.size()))
      fail(DBK_INVALID_ARGUMENT, "value {} is outside table values of {}", id, graph_.values.size());
    const auto& tensor = graph_.values[static_cast<size_t>(id)].constant;
    if (!tensor) fail(DBK_INVALID_ARGUMENT, "value {} is not a constant", id);
    return tensor;
  }

  BlockRef body(int64_t index) const {
    if (index < 1 || index >= static_cast<int64_t>(tables_.blocks.size()))
      fail(DBK_INVALID_ARGUMENT, "block {} is outside [1, {})", index, tables_.blocks.size());
    return {static_cast<uint32_t>(index)};
  }

  // Inputs, outputs and parameters are found by name, so each list needs names and distinct ones.
  void check_names() {
    check_list("input", graph_.main().inputs);
    check_list("output", graph_.main().outputs);
    check_list("parameter", graph_.params);
  }

  // Only an output of the main graph has an alias: an input of it that could be the same memory.
  void check_aliases() {
    const auto listed = [](const std::vector<ValueId>& list, ValueId v) { return std::ranges::find(list, v) != list.end(); };
    for (ValueId v = 0; v < graph_.values.size(); ++v) {
      const Value& output = graph_.values[v];
      if (output.alias == DBK_NONE) continue;
      const Value& input = graph_.values[output.alias];
      const bool places = listed(graph_.main().outputs, v) && listed(graph_.main().inputs, output.alias);
      const bool types = (output.dtype == DBK_DTYPE_NONE || output.dtype == input.dtype) && output.kind == input.kind &&
                         (!output.known_rank || !input.known_rank || output.dims.size() == input.dims.size());
      if (!places || !types)
        causes_.push_back({DBK_INVALID_ARGUMENT,
                           std::format("alias of {}: {} is not an input of the main graph that this output could share memory with",
                                       describe(graph_, v), describe(graph_, output.alias)), DBK_NONE, v});
    }
  }

  void check_list(const char* what, const std::vector<ValueId>& ids) {
    std::set<std::string> seen;
    std::set<ValueId> listed;
    for (ValueId v : ids) {
      const std::string& name = graph_.values[v].name;
      if (name.empty()) causes_.push_back({DBK_INVALID_ARGUMENT, std::format("{} value {} needs a name", what, v), DBK_NONE, v});
      else if (listed.insert(v).second && !seen.insert(name).second)
        causes_.push_back({DBK_INVALID_ARGUMENT, std::format("two {}s are called '{}'", what, name), DBK_NONE, v});
    }
  }

  Tables tables_;
  bool internal_ops_;
  Graph graph_;
  std::vector<Cause> causes_;
  std::vector<uint32_t> owner_;  // block of each node
};

}  // namespace

Graph read_tables(const dbk_graph& tables, bool internal_ops) { return Reader(tables, internal_ops).read(); }

}  // namespace dbk
