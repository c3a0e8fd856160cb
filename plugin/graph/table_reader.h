// Bounds-checked access to the caller's graph tables. Elements are copied out with the in-struct rules of the ABI, so a caller
// built against a newer or older header of the same major version is read correctly.
#pragma once

#include <string>
#include <vector>

#include "plugin/struct_copy.h"

namespace dbk {

// One table. `what` names it in messages.
template <class T>
class Table {
 public:
  Table(const dbk_pool& pool, const char* what) : pool_(pool), what_(what) {
    if (pool.count && !pool.ptr) fail(DBK_INVALID_ARGUMENT, "graph table {}: {} elements but a NULL pointer", what, pool.count);
    if (pool.count) check_size<T>(pool.stride, what);
  }

  uint32_t size() const { return pool_.count; }

  T operator[](uint32_t i) const {
    if (i >= pool_.count) fail(DBK_INVALID_ARGUMENT, "index {} is outside table {} of {}", i, what_, pool_.count);
    return copy_element<T>(pool_.ptr, pool_.stride, i, what_);
  }

  // Throws where the range leaves the table; `field` names the slice.
  void check(dbk_slice s, const char* field) const {
    if (s.off > pool_.count || s.len > pool_.count - s.off)
      fail(DBK_INVALID_ARGUMENT, "{} [{}, +{}) is outside table {} of {}", field, s.off, s.len, what_, pool_.count);
  }

  template <class Out = T>
  std::vector<Out> list(dbk_slice s, const char* field) const {
    check(s, field);
    std::vector<Out> out;
    out.reserve(s.len);
    for (uint32_t i = 0; i < s.len; ++i) out.push_back(static_cast<Out>((*this)[s.off + i]));
    return out;
  }

 private:
  dbk_pool pool_;
  const char* what_;
};

// All tables of one graph.
struct Tables {
  Table<dbk_value> values;
  Table<dbk_node> nodes;
  Table<dbk_attr> attrs;
  Table<dbk_symbol> symbols;
  Table<dbk_block> blocks;
  Table<dbk_blob> blobs;
  Table<int64_t> ints;
  Table<double> floats;
  Table<uint32_t> refs;
  Table<dbk_slice> slices;
  Table<char> text;

  explicit Tables(const dbk_graph& g)
      : values(g.values, "values"), nodes(g.nodes, "nodes"), attrs(g.attrs, "attrs"), symbols(g.symbols, "symbols"),
        blocks(g.blocks, "blocks"), blobs(g.blobs, "blobs"), ints(g.ints, "ints"), floats(g.floats, "floats"),
        refs(g.refs, "refs"), slices(g.slices, "slices"), text(g.text, "text") {}

  std::string string(dbk_slice s, const char* field) const {
    const std::vector<char> chars = text.list(s, field);
    return {chars.begin(), chars.end()};
  }
};

}  // namespace dbk
