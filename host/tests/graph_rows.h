// The tables of a dbk_graph, read back by hand as a plugin would.
#pragma once

#include <unity.h>

#include <string>
#include <vector>

#include "daybreak_graph.hpp"

class GraphRows {
 public:
  explicit GraphRows(daybreak::GraphBuilder& builder) : graph_(*builder.graph()) {}

  template <class T>
  static const T& row(const dbk_pool& pool, uint32_t index) {
    TEST_ASSERT_LESS_THAN_UINT32(pool.count, index);
    TEST_ASSERT_EQUAL_UINT32(sizeof(T), pool.stride);
    return static_cast<const T*>(pool.ptr)[index];
  }

  const dbk_graph& graph() const { return graph_; }
  const dbk_block& block(uint32_t index) const { return row<dbk_block>(graph_.blocks, index); }
  const dbk_value& value(uint32_t id) const { return row<dbk_value>(graph_.values, id); }
  const dbk_node& node(uint32_t index, uint32_t in_block = 0) const {
    TEST_ASSERT_LESS_THAN_UINT32(block(in_block).nodes.len, index);
    return row<dbk_node>(graph_.nodes, block(in_block).nodes.off + index);
  }
  uint32_t node_count(uint32_t in_block = 0) const { return block(in_block).nodes.len; }

  std::string text(dbk_slice range) const {
    return std::string(static_cast<const char*>(graph_.text.ptr) + range.off, range.len);
  }
  std::string op(uint32_t index, uint32_t in_block = 0) const { return text(node(index, in_block).op); }
  std::vector<uint32_t> refs(dbk_slice range) const { return list<uint32_t>(graph_.refs, range); }
  std::vector<int64_t> ints(dbk_slice range) const { return list<int64_t>(graph_.ints, range); }
  std::vector<double> floats(dbk_slice range) const { return list<double>(graph_.floats, range); }
  std::vector<int64_t> dims(uint32_t id) const { return ints(value(id).dims); }
  std::string name(uint32_t id) const { return text(value(id).name); }

  uint32_t input(uint32_t node_index, uint32_t position, uint32_t in_block = 0) const {
    const std::vector<uint32_t> ids = refs(node(node_index, in_block).inputs);
    TEST_ASSERT_LESS_THAN_UINT32(ids.size(), position);
    return ids[position];
  }
  const dbk_attr& attr(const dbk_node& node, const std::string& wanted) const {
    for (uint32_t i = 0; i < node.attrs.len; ++i) {
      const auto& item = row<dbk_attr>(graph_.attrs, node.attrs.off + i);
      if (text(item.name) == wanted) return item;
    }
    TEST_FAIL_MESSAGE(("no attribute " + wanted).c_str());
    return row<dbk_attr>(graph_.attrs, 0);
  }
  const std::byte* data(uint32_t id) const {
    return static_cast<const std::byte*>(row<dbk_blob>(graph_.blobs, value(id).blob).ptr) + value(id).blob_off;
  }
  uint32_t ownership(uint32_t id) const { return row<dbk_blob>(graph_.blobs, value(id).blob).ownership; }
  // The value of that name; parameters and constants included.
  uint32_t find(const std::string& wanted) const {
    for (uint32_t id = 0; id < graph_.values.count; ++id) {
      if (name(id) == wanted) return id;
    }
    TEST_FAIL_MESSAGE(("no value " + wanted).c_str());
    return 0;
  }

 private:
  template <class T>
  std::vector<T> list(const dbk_pool& pool, dbk_slice range) const {
    const auto* first = static_cast<const T*>(pool.ptr) + range.off;
    return {first, first + range.len};
  }

  const dbk_graph& graph_;
};
