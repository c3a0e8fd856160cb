// Attention as exporters write it out becomes one node that reads packed projections; not where its parts are not known
// to fit, and with the same results.
#include <cmath>
#include <format>
#include <map>

#include "tests/graphs/fused_test.h"

namespace {

using namespace graphs;
using daybreak::Op;

constexpr int64_t kHeads = 3, kSize = 8, kColumns = kHeads * kSize;

// Projections as three products, or as one: cut into columns by Split or by Slices, or into five axes (batch, positions, three, heads, size),
// out of which come Gathers, behind a Transpose or not, or Split and Squeeze.
enum class Source { Three, Split, Slices, FiveGathered, FiveStraight, FiveSplit };
enum class Mask { None, Added, Chosen, Hidden, HiddenByNot, Gathered };  // Hidden: as masked_fill writes it

struct Form {
  bool biased = true;
  bool computed_shapes = true;  // by Shape, Gather and Concat
  bool split_scale = false;     // a root of the scale on queries and keys
  bool three_axes = false;      // keys are transposed by way of three axes
  bool guarded = false;         // NaN become 0 behind Softmax
  Mask mask = Mask::Added;
  float masked_score = -INFINITY;  // of masks that choose
  Dims mask_dims{};   // default: [batch, 1, 1, positions]
  int64_t axis = -1;  // of Softmax
  bool probabilities_out = false;
  bool own_inputs = false;  // queries, keys and values come from different inputs
  std::vector<int64_t> back{0, 2, 1, 3};
  int64_t turned = 0;        // that many positions of queries and keys are turned by their place; 0: none
  bool keys_out = false;     // turned keys are an output, as a cache is
  bool projection_out = false;  // that of the keys is an output
  bool projection_read = false; // by another node, too
  bool deep_keys = false;       // their weights are a batch of one matrix
  std::string unbiased{};       // the projections among "qkv" without a bias
  Source source = Source::Three;
  bool packed_out = false;      // the one product is an output
};

// Numbers of a parameter: they stay until the graph is compiled, and longer.
const Floats& weight(size_t count, uint32_t seed) {
  static std::map<uint32_t, Floats> all;
  return all.try_emplace(seed, fractions(count, seed)).first->second;
}

class Writer {
 public:
  Writer(GraphBuilder& g, const Form& form) : g_(g), form_(form) {}

  void write(const daybreak::Shape& shape, const daybreak::Shape& mask_shape) {
    const Value x = g_.input("x", DBK_F32, shape);
    if (form_.source != Source::Three) return write_packed(x, mask_shape);
    const Value y = form_.own_inputs ? g_.node("Neg", {x}) : x, z = form_.own_inputs ? g_.node("Abs", {x}) : x;
    const Value q = heads(projection(x, "q", 1), {0, 2, 1, 3}), v = heads(projection(z, "v", 3), {0, 2, 1, 3});
    Value k = projection(y, "k", 2);
    if (form_.projection_out) g_.output(k, "projected");
    if (form_.projection_read) g_.output(g_.node("Abs", {k}), "read");
    if (form_.turned) return write_turned(q, heads(k, {0, 2, 1, 3}), v, mask_shape);
    k = form_.three_axes ? swapped(heads(k, {0, 2, 1, 3})) : heads(k, {0, 2, 3, 1});
    write_behind(q, k, v, mask_shape);
  }

 private:
  void write_packed(Value x, const daybreak::Shape& mask_shape) {
    const Floats &w = weight(3 * kColumns * kColumns, 6), &b = weight(3 * kColumns, 7);
    Value y = g_.node("MatMul", {x, g_.param("qkv", std::span(w), {kColumns, 3 * kColumns})});
    if (form_.biased) y = g_.node("Add", {y, g_.param("qkv.bias", std::span(b), {3 * kColumns})});
    if (form_.packed_out) g_.output(y, "packed");
    std::vector<Value> parts;
    if (form_.source == Source::Split) parts = split(y, kColumns, 2);
    for (int64_t i = 0; i < 3 && form_.source == Source::Slices; ++i)
      parts.push_back(g_.node("Slice", {y, g_.constant<int64_t>({i * kColumns}), g_.constant<int64_t>({(i + 1) * kColumns}), g_.constant<int64_t>({2})}));
    if (parts.empty()) return write_five(y, mask_shape);
    write_behind(heads(parts[0], {0, 2, 1, 3}), heads(parts[1], {0, 2, 3, 1}), heads(parts[2], {0, 2, 1, 3}), mask_shape);
  }

  void write_five(Value y, const daybreak::Shape& mask_shape) {
    const bool straight = form_.source == Source::FiveStraight;
    Value five = view(y, {3, kHeads, kSize});
    if (!straight) five = g_.node("Transpose", {five}, {{"perm", {2, 0, 3, 1, 4}}});
    std::vector<Value> parts;
    if (form_.source == Source::FiveSplit)
      for (Value part : split(five, 1, 0)) parts.push_back(g_.node("Squeeze", {part, g_.constant<int64_t>({0})}));
    for (int64_t i = 0; i < 3 && form_.source != Source::FiveSplit; ++i) {
      const Value part = g_.node("Gather", {five, g_.scalar<int64_t>(i == 2 ? -1 : i)}, {{"axis", straight ? 2 : 0}});
      parts.push_back(straight ? g_.node("Transpose", {part}, {{"perm", {0, 2, 1, 3}}}) : part);
    }
    write_behind(parts[0], g_.node("Transpose", {parts[1]}, {{"perm", {0, 1, 3, 2}}}), parts[2], mask_shape);
  }

  std::vector<Value> split(Value x, int64_t extent, int64_t axis) {
    const Value inputs[] = {x, g_.constant<int64_t>({extent, extent, extent})};
    const daybreak::Attr attrs[] = {{"axis", axis}};
    return g_.nodes("Split", inputs, attrs, {true, true, true});
  }

  void write_turned(Value q, Value k, Value v, const daybreak::Shape& mask_shape) {
    const Value cos = angles("cos", std::cos), sin = angles("sin", std::sin);
    k = turned(k, cos, sin);
    if (form_.keys_out) g_.output(k, "keys");
    write_behind(turned(q, cos, sin), g_.node("Transpose", {k}, {{"perm", {0, 1, 3, 2}}}), v, mask_shape);
  }

  Value angles(const std::string& name, float (*function)(float)) {
    Floats table;
    for (int64_t i = 0; i < form_.turned * kSize; ++i) table.push_back(function(static_cast<float>(i / kSize) / static_cast<float>(1 + i % (kSize / 2))));
    return g_.constant(std::span<const float>(table), {form_.turned, kSize}, name);
  }

  Value turned(Value x, Value cos, Value sin) {
    const auto half = [&](int64_t first, int64_t last) {
      return g_.node("Slice", {x, g_.constant<int64_t>({first}), g_.constant<int64_t>({last}), g_.constant<int64_t>({3})});
    };
    const Value turn = g_.node("Concat", {g_.node("Neg", {half(kSize / 2, kSize)}), half(0, kSize / 2)}, {{"axis", -1}});
    return g_.node("Add", {g_.node("Mul", {x, cos}), g_.node("Mul", {turn, sin})});
  }

  void write_behind(Value q, Value k, Value v, const daybreak::Shape& mask_shape) {
    const Value probabilities = softmax(masked(scores(q, k), mask_shape));
    const Value context = g_.node("Transpose", {g_.node("MatMul", {probabilities, v})}, {{"perm", form_.back}});
    g_.output(view(context, {kColumns}), "y");
  }

  Value projection(Value x, const std::string& name, uint32_t seed) {
    const Floats &w = weight(kColumns * kColumns, seed), &b = weight(kColumns, seed + 10);
    const Dims dims = form_.deep_keys && name == "k" ? Dims{1, kColumns, kColumns} : Dims{kColumns, kColumns};
    const Value product = g_.node("MatMul", {x, g_.param(name, std::span(w), dims)});
    return form_.biased && form_.unbiased.find(name) == std::string::npos ? g_.node("Add", {g_.param(name + ".bias", std::span(b), {kColumns}), product}) : product;
  }

  Value extent(Value x, int64_t axis) {
    return g_.node("Unsqueeze",
                   {g_.node("Gather", {g_.node("Shape", {x}), g_.scalar<int64_t>(axis)}), g_.constant<int64_t>({0})});
  }

  // x.view(batch, positions, ...)
  Value view(Value x, std::initializer_list<int64_t> rest) {
    const Value tail = g_.constant(rest);
    const Value head = g_.constant<int64_t>({0, 0});
    const Value all = form_.computed_shapes ? g_.node("Concat", {extent(x, 0), extent(x, 1), tail}, {{"axis", 0}})
                                            : g_.node("Concat", {head, tail}, {{"axis", 0}});
    return g_.node("Reshape", {x, all});
  }

  Value heads(Value x, std::vector<int64_t> perm) {
    return g_.node("Transpose", {view(x, {kHeads, kSize})}, {{"perm", perm}});
  }

  Value swapped(Value k) {
    const Value shape = g_.node("Shape", {k});
    const auto part = [&](int64_t first, int64_t last) {
      return g_.node("Slice", {shape, g_.constant<int64_t>({first}), g_.constant<int64_t>({last})});
    };
    const Value folded =
        g_.node("Reshape", {k, g_.node("Concat", {g_.constant<int64_t>({-1}), part(2, 3), part(3, 4)}, {{"axis", 0}})});
    const Value turned = g_.node("Transpose", {folded}, {{"perm", {0, 2, 1}}});
    return g_.node("Reshape", {turned, g_.node("Concat", {part(0, 2), part(3, 4), part(2, 3)}, {{"axis", 0}})});
  }

  Value scores(Value q, Value k) {
    if (!form_.split_scale) return g_.node("Div", {g_.node("MatMul", {q, k}), g_.scalar(std::sqrt(float{kSize}))});
    const Value root = g_.scalar(1 / std::sqrt(std::sqrt(float{kSize})));
    return g_.node("MatMul", {g_.node("Mul", {q, root}), g_.node("Mul", {k, root})});
  }

  Value masked(Value scores, const daybreak::Shape& shape) {
    if (form_.mask == Mask::None) return scores;
    const Value mask = g_.input("mask", DBK_F32, shape);
    if (form_.mask == Mask::Gathered) {
      const Value kept = gathered(g_.node("Cast", {mask}, {{"to", 9}}));
      return g_.node("Add", {scores, g_.node("Where", {kept, g_.scalar(0.0f), g_.scalar(-3.4028235e38f)})});
    }
    if (form_.mask == Mask::Added) return g_.node("Add", {scores, mask});
    const Value number = g_.scalar(form_.masked_score);
    if (form_.mask == Mask::Hidden) return g_.node("Where", {g_.node("Equal", {mask, g_.scalar(0.0f)}), number, scores});
    const Value kept = g_.node("Cast", {mask}, {{"to", 9}});
    if (form_.mask == Mask::HiddenByNot) return g_.node("Where", {g_.node(Op("Not").named("not"), {kept}), number, scores});
    return g_.node("Where", {kept, scores, number});
  }

  // mask[batch, positions] as [batch, 1, 1, positions], looked up element by element, as exporters of function transforms do.
  Value gathered(Value mask) {
    const auto count = [&](int64_t axis) {
      return g_.node("Squeeze", {g_.node("Shape", {mask}, {{"start", axis}, {"end", axis + 1}})});
    };
    const auto numbers = [&](int64_t axis) { return g_.node("Range", {g_.scalar<int64_t>(0), count(axis), g_.scalar<int64_t>(1)}); };
    const Value rows = g_.node("Unsqueeze", {numbers(0), g_.constant<int64_t>({1, 2, 3})});
    const Value columns = g_.node("Unsqueeze", {numbers(1), g_.constant<int64_t>({0, 1, 2})});
    const Value shape = g_.node("Shape", {g_.node("Max", {rows, columns})});
    const auto index = [&](Value v) { return g_.node("Unsqueeze", {g_.node("Expand", {v, shape}), g_.constant<int64_t>({-1})}); };
    return g_.node("GatherND", {mask, g_.node("Concat", {index(rows), index(columns)}, {{"axis", -1}})});
  }

  Value softmax(Value scores) {
    Value p = g_.node("Softmax", {scores}, {{"axis", form_.axis}});
    if (form_.probabilities_out) g_.output(p, "p");
    if (form_.guarded) p = g_.node("Where", {g_.node("IsNaN", {p}), g_.scalar(0.0f), p});
    return p;
  }

  GraphBuilder& g_;
  const Form& form_;
};

// 0 where a position counts; at least one of each row does, but none of `empty` rows.
Floats mask_of(const Form& form, size_t count, int64_t row) {
  Floats mask(count);
  for (size_t i = 0; i < count; ++i) {
    const bool counts = i % 3 != 1 || static_cast<int64_t>(i) % row == 0;
    mask[i] = form.mask != Mask::Added ? (counts ? 1.0f : 0.0f) : counts ? 0.0f : -3.0e38f;
  }
  return mask;
}

Comparison compare_form(const Form& form, int64_t batch = 2, int64_t length = 13, bool open = false, const daybreak::Options& options = {}) {
  const bool flat = form.mask == Mask::Gathered;
  const Dims x{batch, length, kColumns}, usual = flat ? Dims{batch, length} : Dims{batch, 1, 1, length},
             mask = form.mask_dims.size() ? form.mask_dims : usual;
  std::vector<Dims> dims{x};
  std::vector<Floats> data{fractions(static_cast<size_t>(x.product()), 40)};
  if (form.mask != Mask::None) {
    dims.push_back(mask);
    data.push_back(mask_of(form, static_cast<size_t>(mask.product()), length));
  }
  return compare(
      [&](GraphBuilder& g) {
        if (!open) return Writer(g, form).write(daybreak::Shape(x), daybreak::Shape(mask));
        const auto b = g.symbol("batch"), s = g.symbol("length", 0, 64);
        flat ? Writer(g, form).write({b, s, kColumns}, {b, s}) : Writer(g, form).write({b, s, kColumns}, {b, 1, 1, s});
      },
      dims, data, options);
}

void require_attention(const Comparison& result, size_t count, const char* what) {
  require_fused(result, "Attention", count, what);
  if (count) require_equal(result.count("Softmax"), size_t{0}, "Softmax nodes that are left");
}

size_t products(const Comparison& result) { return result.count("MatMul") + result.count("FusedMatMul"); }

void test_forms_of_exporters() {
  const std::pair<const char*, Form> forms[] = {
      {"shapes by nodes", {}},
      {"constant shapes", {.computed_shapes = false}},
      {"no bias", {.biased = false}},
      {"no mask", {.mask = Mask::None}},
      {"roots of the scale, keys by way of three axes, guarded",
       {.split_scale = true, .three_axes = true, .guarded = true}},
      {"a condition as mask", {.mask = Mask::Chosen}},
      {"a condition that hides", {.mask = Mask::Hidden}},
      {"a condition that hides behind least scores", {.guarded = true, .mask = Mask::Hidden, .masked_score = -3.4028235e38f}},
      {"the opposite of a condition hides", {.mask = Mask::HiddenByNot}},
  };
  for (const auto& [name, form] : forms) {
    const auto result = compare_form(form);
    require_attention(result, 1, name);
    require_equal(products(result), size_t{1}, "products that are left: the packed one");
  }
}

void test_open_extents() {
  for (const auto& [batch, length] : {std::pair{2, 13}, {1, 1}, {3, 64}}) {
    const auto result = compare_form({}, batch, length, true);
    require_attention(result, 1, "open extents");
    require_equal(products(result), size_t{1}, "products that are left");
  }
}

// The form of recent exporters, whose shapes are computed and may, for all that the graph says, be 0.
void test_open_extents_by_way_of_three_axes() {
  for (const auto& [batch, length] : {std::pair{2, 13}, {1, 1}, {3, 64}}) {
    const auto result = compare_form({.split_scale = true, .three_axes = true, .guarded = true, .mask = Mask::Gathered}, batch, length, true);
    require_attention(result, 1, "open extents, keys by way of three axes, a mask that is looked up");
    require_equal(products(result), size_t{1}, "products that are left");
  }
}

// One product for all three, however it is taken apart: attention reads its columns.
void test_packed_products() {
  for (const Source source : {Source::Split, Source::Slices, Source::FiveGathered, Source::FiveStraight, Source::FiveSplit})
    for (const bool open : {false, true}) {
      const auto result = compare_form({.source = source}, 2, 13, open);
      const std::string name = std::format("source {}", static_cast<int>(source));
      require_attention(result, 1, name.c_str());
      require_equal(products(result), size_t{1}, name.c_str());
      for (const char* op : {"Split", "Slice", "Gather", "Transpose"}) require_equal(result.count(op), size_t{0}, op);
      require_equal(result.placement.at("projections").at(0).at("form").get<std::string>(), std::string("packed"), name.c_str());
      const auto split = compare_form({.source = source}, 2, 13, open, daybreak::Options().set("qkv", "split"));
      require_equal(split.count("FusedSplitMatMul"), size_t{1}, name.c_str());
    }
  require_attention(compare_form({.source = Source::Split, .packed_out = true}), 1, "the product is an output");
}

// Queries of one sequence, keys and values of others.
void test_separate_inputs_are_not_packed() {
  const auto result = compare_form({.own_inputs = true});
  require_attention(result, 1, "three inputs");
  require_equal(products(result), size_t{3}, "products");
}

// Somebody sees the keys before they are cut into heads, or the three have no common form.
void test_projections_that_stay() {
  const auto left = [](const char* what, const Form& form, size_t count) {
    const auto result = compare_form(form);
    require_attention(result, 1, what);
    require(products(result) == count, "{}: {} products, not {}", what, products(result), count);
  };
  left("the keys are an output", {.projection_out = true}, 3);
  left("somebody else reads the keys", {.projection_read = true}, 3);
  left("weights that are a batch of one matrix", {.deep_keys = true}, 1);
  left("a bias of queries and values alone", {.unbiased = "k"}, 1);  // that of the keys is 0
}

// Queries and keys that are turned by their positions are turned in one step, where they lie; keys that are an output as well are brought into an
// axis of their own for it.
void test_rotary_inside() {
  for (const bool keys_out : {false, true}) {
    const auto result = compare_form({.turned = 13, .keys_out = keys_out});
    require_attention(result, 1, "turned queries and keys");
    require_fused(result, "RotaryHeads", 1, "turned queries and keys");
    require_equal(products(result), size_t{3}, "products that are left");
    require_equal(result.count("Transpose"), size_t{keys_out ? 1u : 0u}, "transposes that are left");
  }
  require_attention(compare_form({.probabilities_out = true, .turned = 13}), 0, "probabilities are an output");
  require_attention(compare_form({.back = {0, 1, 2, 3}, .turned = kHeads}, 2, kHeads), 0, "heads that stay where they are");
}

// Operands that are no projections: [batch, heads, positions, size] from outside.
void test_heads_from_outside() {
  const auto written = [](int64_t v_heads, int64_t batch_k) {
    const Dims q{2, kHeads, 5, kSize}, k{batch_k, kHeads, 7, kSize}, v{batch_k, v_heads, 7, 4};
    return compare(
        [&](GraphBuilder& g) {
          const Value a = g.input("q", DBK_F32, daybreak::Shape(q)), b = g.input("k", DBK_F32, daybreak::Shape(k)), c = g.input("v", DBK_F32, daybreak::Shape(v));
          const Value p = g.node("Softmax", {g.node("MatMul", {a, g.node("Transpose", {b}, {{"perm", {0, 1, 3, 2}}})})}, {{"axis", -1}});
          const Value y = g.node("Transpose", {g.node("MatMul", {p, c})}, {{"perm", {0, 2, 1, 3}}});
          g.output(g.node("Reshape", {y, g.constant<int64_t>({0, 0, -1})}), "y");
        },
        {q, k, v});
  };
  require_attention(written(kHeads, 2), 1, "heads from outside");
  require_attention(written(1, 2), 0, "values of one head for all");
  require_attention(written(kHeads, 1), 0, "keys of one batch for all");
}

void test_not_attention() {
  require_attention(compare_form({.axis = 2}), 0, "Softmax over another axis");
  require_attention(compare_form({.probabilities_out = true}), 0, "probabilities are an output");
  require_attention(compare_form({.back = {0, 1, 2, 3}}, 2, kHeads), 0, "heads that stay where they are");
  require_attention(compare_form({.mask_dims = {4, 1, 1, 13}}, 1), 0, "a mask with more batches than the scores");
  require_attention(compare_form({.mask_dims = {2, 1, 13, 1}}, 2), 1, "a mask per query");
}

// Conditions that hide scores, in front of what is no attention: nothing is added for it.
void test_hiding_conditions_that_stay() {
  for (const Mask mask : {Mask::Hidden, Mask::HiddenByNot, Mask::Chosen}) {
    const std::pair<const char*, Comparison> results[] = {
        {"Softmax over another axis", compare_form({.mask = mask, .axis = 2})},
        {"probabilities are an output", compare_form({.mask = mask, .probabilities_out = true})},
        {"a condition with more batches than the scores", compare_form({.mask = mask, .mask_dims = {4, 1, 1, 13}}, 1)},
        {"hidden scores that win", compare_form({.guarded = true, .mask = mask, .masked_score = INFINITY})},
    };
    for (const auto& [what, result] : results) {
      require_attention(result, 0, what);
      require(mask == Mask::HiddenByNot || result.count("Not") == 0, "{}: a Not is there", what);
    }
  }
}

// All keys of a row masked: zeros where the exporter guards, what Softmax gives where not.
void test_rows_without_keys() {
  for (const auto& [guarded, mask_form] : {std::pair{false, Mask::Chosen}, {true, Mask::Chosen}, {false, Mask::Hidden}, {true, Mask::HiddenByNot}}) {
    const Form form{.guarded = guarded, .mask = mask_form};
    const Dims x{2, 5, kColumns}, mask{2, 1, 1, 5};
    const auto result =
        compare([&](GraphBuilder& g) { Writer(g, form).write(daybreak::Shape(x), daybreak::Shape(mask)); }, {x, mask},
                {fractions(2 * 5 * kColumns, 41), Floats{1, 0, 1, 1, 0, 0, 0, 0, 0, 0}});
    require_attention(result, 1, "rows without keys");
    const float last = result.actual[0].back();
    require(guarded ? last == 0 : std::isnan(last), "a row without keys gives {}", last);
  }
}

// Queries and keys that are no numbers, or infinite, where a mask hides their scores: the others give what they give without fusion. A
// row without keys is what its masked scores make it.
void test_hidden_scores() {
  const float nan = NAN, lowest = -3.4028235e38f;
  const Dims q{1, 2, 4, kSize}, k{1, 2, 5, kSize}, mask{4, 5};
  const Floats kept{1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};  // never key 2; the third row nothing
  for (const auto& [masked, hides] : {std::pair{-INFINITY, false}, {lowest, true}, {-1e4f, false}, {0.5f, true}, {-INFINITY, true}})
    for (const float odd : {nan, INFINITY, -INFINITY}) {
      Floats keys = fractions(2 * 5 * kSize, 51);
      for (int64_t head : {0, 1}) keys[static_cast<size_t>((head * 5 + 2) * kSize + 1)] = odd;
      const auto result = compare(
          [&](GraphBuilder& g) {
            const Value a = g.input("q", DBK_F32, daybreak::Shape(q)), b = g.input("k", DBK_F32, daybreak::Shape(k)), c = g.input("v", DBK_F32, daybreak::Shape(k));
            const Value condition = g.node("Cast", {g.input("mask", DBK_F32, daybreak::Shape(mask))}, {{"to", 9}});
            const Value scores = g.node("MatMul", {a, g.node("Transpose", {b}, {{"perm", {0, 1, 3, 2}}})});
            const Value hidden = hides ? g.node("Where", {g.node("Not", {condition}), g.scalar(masked), scores}) : g.node("Where", {condition, scores, g.scalar(masked)});
            const Value p = g.node("Softmax", {hidden}, {{"axis", -1}});
            g.output(g.node("Reshape", {g.node("Transpose", {g.node("MatMul", {p, c})}, {{"perm", {0, 2, 1, 3}}}), g.constant<int64_t>({0, 0, -1})}), "y");
          },
          {q, k, k, mask}, {fractions(2 * 4 * kSize, 50), keys, fractions(2 * 5 * kSize, 52), kept});
      require_attention(result, 1, "scores that a condition chooses");
      for (size_t i = 0; i < result.actual[0].size(); ++i) {
        const bool none = i / (2 * kSize) == 2 && std::isinf(masked);
        require(std::isnan(result.actual[0][i]) == none, "a masked score of {} beside {} gives {} at {}", masked, odd, result.actual[0][i], i);
      }
    }
}

// Batches of mask and scores have two symbols: one might be 1, so nothing is known of their broadcast.
void test_extents_that_only_happen_to_be_equal() {
  const auto result = compare(
      [&](GraphBuilder& g) {
        const auto b = g.symbol("batch", 1, 4), other = g.symbol("other", 1, 4);
        Writer(g, Form{}).write({b, 5, kColumns}, {other, 1, 1, 5});
      },
      {{2, 5, kColumns}, {2, 1, 1, 5}}, {fractions(2 * 5 * kColumns, 42), Floats(10)});
  require_attention(result, 0, "two symbols");
}

// com.microsoft's attention with the bias of its projections: they take it, and a GPU has a kernel for the rest.
void test_bias_goes_to_projections() {
  const Dims rows{2, 5, kColumns};
  const auto build = [&](GraphBuilder& g) {
    const Value q = g.input("q", DBK_F32, rows), k = g.input("k", DBK_F32, rows), v = g.input("v", DBK_F32, rows);
    const Value bias = g.param("bias", std::span(weight(3 * kColumns, 40)), {3 * kColumns});
    g.output(g.node(Op("MultiHeadAttention").in("com.microsoft"), {q, k, v, bias}, {{"num_heads", kHeads}}), "y");
  };
  const Comparison result = compare(build, {rows, rows, rows});
  require_fused(result, "MultiHeadAttention", 1, "the bias");
  for (const auto& node : result.placement.at("nodes")) require(node.at("where") != "host", "{} is on the host", node.dump());
}

// Which part of the bias belongs to which projection is not known where their columns are not.
void test_bias_of_open_columns_stays() {
  const Dims rows{2, 5, kColumns};
  const auto build = [&](GraphBuilder& g) {
    const auto columns = g.symbol("columns", 0, kColumns);
    const auto operand = [&](const char* name) { return g.input(name, DBK_F32, {2, 5, columns}); };
    const Value q = operand("q"), k = operand("k"), v = operand("v"), bias = g.param("bias", std::span(weight(3 * kColumns, 40)), {3 * kColumns});
    g.output(g.node(Op("MultiHeadAttention").in("com.microsoft"), {q, k, v, bias}, {{"num_heads", kHeads}}), "y");
  };
  const Comparison result = compare(build, {rows, rows, rows});
  require_fused(result, "MultiHeadAttention", 1, "open columns");
  require(result.missed().find("columns") != std::string::npos, "near misses are '{}'", result.missed());
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "attention_test.cpp",
                   {GRAPH_TEST(test_forms_of_exporters), GRAPH_TEST(test_open_extents),
                    GRAPH_TEST(test_open_extents_by_way_of_three_axes),
                    GRAPH_TEST(test_packed_products), GRAPH_TEST(test_separate_inputs_are_not_packed), GRAPH_TEST(test_projections_that_stay), GRAPH_TEST(test_rotary_inside), GRAPH_TEST(test_heads_from_outside), GRAPH_TEST(test_not_attention), GRAPH_TEST(test_hiding_conditions_that_stay),
                    GRAPH_TEST(test_rows_without_keys), GRAPH_TEST(test_hidden_scores), GRAPH_TEST(test_extents_that_only_happen_to_be_equal), GRAPH_TEST(test_bias_goes_to_projections), GRAPH_TEST(test_bias_of_open_columns_stays)});
}
