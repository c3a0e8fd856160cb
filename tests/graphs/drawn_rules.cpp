// One rule per kind of node.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/graphs/drawn_graph.h"

namespace graphs {

const std::vector<DrawnGraph::Rule> DrawnGraph::kRules{
    &DrawnGraph::unary, &DrawnGraph::unary, &DrawnGraph::unary, &DrawnGraph::arithmetic, &DrawnGraph::arithmetic, &DrawnGraph::arithmetic,
    &DrawnGraph::arithmetic, &DrawnGraph::neutral, &DrawnGraph::quotient, &DrawnGraph::clip, &DrawnGraph::compare, &DrawnGraph::logic,
    &DrawnGraph::where, &DrawnGraph::cast_up_or_down, &DrawnGraph::product, &DrawnGraph::product, &DrawnGraph::product_of_values, &DrawnGraph::gemm,
    &DrawnGraph::convolution, &DrawnGraph::large_convolution, &DrawnGraph::batch_norm, &DrawnGraph::layer_norm, &DrawnGraph::written_norm, &DrawnGraph::soft_max, &DrawnGraph::reduce,
    &DrawnGraph::transpose, &DrawnGraph::reshape, &DrawnGraph::squeeze, &DrawnGraph::concat, &DrawnGraph::split, &DrawnGraph::slice, &DrawnGraph::gather,
    &DrawnGraph::expand, &DrawnGraph::gelu, &DrawnGraph::silu, &DrawnGraph::attention, &DrawnGraph::rotary, &DrawnGraph::einsum, &DrawnGraph::twin};

// ---- element-wise ----

bool DrawnGraph::unary() {
  struct Function {
    const char* op;
    double slope, cap, offset;
  };
  constexpr Function kFunctions[] = {{"Sigmoid", 0.25, 1, 0.5}, {"Tanh", 1, 1, 0}, {"Erf", 1.13, 1, 0}, {"Gelu", 1.13, 0, 0}, {"Softplus", 1, 0, 0.7},
                                     {"Elu", 1, 0, 0}, {"HardSigmoid", 0.2, 1, 0.5}, {"HardSwish", 1.5, 0, 0}, {"Selu", 1.76, 0, 0}, {"Softsign", 1, 1, 0},
                                     {"Sin", 1, 1, 0}, {"LeakyRelu", 1, 0, 0}};
  constexpr const char* kExact[] = {"Neg", "Abs", "Relu", "Identity"};
  const DrawnValue* x = find([](const DrawnValue& v) { return v.dtype != DBK_BOOL; });
  if (!x) return false;
  const DrawnValue from = *x;
  if (!from.floating() || chance(3)) return keep(moved(kExact[draw(4)], {from}, from.dims)), true;
  const Function& f = kFunctions[draw(std::size(kFunctions))];
  return keep(sloped(f.op, from, f.slope, f.cap, f.offset)), true;
}

bool DrawnGraph::arithmetic() {
  constexpr const char* kOps[] = {"Add", "Add", "Sub", "Mul", "Max", "Min"};
  const DrawnValue* x = find([](const DrawnValue& v) { return v.dtype != DBK_BOOL; });
  if (!x) return false;
  const DrawnValue a = *x, b = partner(a);
  const char* op = kOps[draw(6)];
  return keep(chance(2) ? binary(op, a, b) : binary(op, b, a)), true;
}

// What changes nothing, or nearly nothing.
bool DrawnGraph::neutral() {
  const DrawnValue* x = find_float();
  if (!x) return false;
  const DrawnValue a = *x;
  switch (draw(5)) {
    case 0: keep(binary("Mul", a, number(1, a.dtype))); break;
    case 1: keep(binary("Add", a, number(0, a.dtype))); break;
    case 2: keep(binary("Sub", a, number(0, a.dtype))); break;
    case 3: keep(binary("Mul", a, a)); break;
    default: keep(cast(a, a.dtype));
  }
  return true;
}

bool DrawnGraph::quotient() {
  const DrawnValue* x = find_float();
  if (!x) return false;
  const DrawnValue a = *x, b = partner(a), least = binary("Add", inner(moved("Abs", {b}, b.dims)), number(1, a.dtype));
  return keep(quotient_of(a, inner(least), 1)), true;
}

bool DrawnGraph::clip() {
  const DrawnValue* x = find([](const DrawnValue& v) { return v.floating() || v.dtype == DBK_I32; });
  if (!x) return false;
  const DrawnValue a = *x, low = number(-2, a.dtype), high = number(1, a.dtype);
  const DrawnValue y = node("Clip", {a, low, high}, {}, a.dims, a.dtype);
  return keep(bounded(y, 2, a.error, 0, a.whole)), true;
}

bool DrawnGraph::compare() {
  constexpr const char* kOps[] = {"Greater", "Less", "Equal", "GreaterOrEqual"};
  const auto known = [](const DrawnValue& v) { return v.exact() && v.dtype != DBK_BOOL; };
  const DrawnValue* x = find(known);
  if (!x) return false;
  const DrawnValue a = *x;
  const auto fits = [&](const DrawnValue& v) { return known(v) && v.dtype == a.dtype && may_meet(a, v); };
  const DrawnValue* other = find(fits);
  const DrawnValue b = other ? *other : number(0, a.dtype);
  return keep(bounded(node(kOps[draw(4)], {a, b}, {}, *broadcast(a.dims, b.dims), DBK_BOOL), 1, 0, 0, true)), true;
}

bool DrawnGraph::logic() {
  constexpr const char* kOps[] = {"And", "Or", "Xor"};
  const DrawnValue* x = find([](const DrawnValue& v) { return v.dtype == DBK_BOOL; });
  if (!x) return false;
  const DrawnValue a = *x;
  const DrawnValue* other = find([&](const DrawnValue& v) { return v.dtype == DBK_BOOL && may_meet(a, v); });
  if (!other || chance(3)) return keep(moved("Not", {a}, a.dims)), true;
  const DrawnValue b = *other;
  return keep(bounded(node(kOps[draw(3)], {a, b}, {}, *broadcast(a.dims, b.dims), DBK_BOOL), 1, 0, 0, true)), true;
}

bool DrawnGraph::where() {
  const DrawnValue* condition = find([](const DrawnValue& v) { return v.dtype == DBK_BOOL; });
  if (!condition) return false;
  const DrawnValue c = *condition;
  const DrawnValue* x = find([&](const DrawnValue& v) { return v.dtype != DBK_BOOL && may_meet(c, v); });
  if (!x) return false;
  const DrawnValue a = *x, b = partner(a);
  const auto dims = broadcast(*broadcast(c.dims, a.dims), b.dims);
  if (!dims || most_elements(*dims) > kMostElements) return false;
  return keep(bounded(node("Where", {c, a, b}, {}, *dims, a.dtype), std::max(a.bound, b.bound), std::max(a.error, b.error), 0, a.whole && b.whole)), true;
}

bool DrawnGraph::cast_up_or_down() {
  constexpr uint32_t kTypes[] = {DBK_F32, DBK_F32, DBK_F16, DBK_F16, DBK_BF16, DBK_F64, DBK_I32, DBK_I64};
  const DrawnValue* x = find([](const DrawnValue&) { return true; });
  if (!x) return false;
  const DrawnValue a = *x;
  const uint32_t to = kTypes[draw(std::size(kTypes))];
  if (!epsilon_of(to) && !(a.exact() && a.whole)) return false;
  return keep(cast(a, to)), true;
}

// ---- products ----

void DrawnGraph::behind_product(DrawnValue x) {
  for (uint64_t steps = draw(4); steps > 0; --steps) {
    if (chance(10)) keep(x);
    if (!usable(x)) break;
    const std::vector<int64_t> columns{x.dims.back() == kOpen ? 1 : x.dims.back()};
    switch (draw(6)) {
      case 0: x = binary("Add", x, weight(columns, 1, x.dtype)); break;
      case 1: x = moved("Relu", {x}, x.dims); break;
      case 2: x = sloped("Gelu", x, 1.13, 0); break;
      case 3: x = binary("Mul", x, number(0.5, x.dtype)); break;
      case 4: x = widened_or_narrowed(x); break;
      default: x = binary("Add", partner(x), x);
    }
  }
  keep(x);
}

bool DrawnGraph::product() {
  const DrawnValue* x = find([](const DrawnValue& v) { return v.floating() && v.rank() >= 2 && v.dims.back() != kOpen; });
  if (!x) return false;
  const DrawnValue a = *x;
  const int64_t columns = chance(5) ? 1 : extent();
  return behind_product(matmul(a, weight({a.dims.back(), columns}, 0.5, a.dtype))), true;
}

bool DrawnGraph::product_of_values() {
  const DrawnValue* x = find_float(2);
  if (!x) return false;
  const DrawnValue a = *x;
  const auto fits = [&](const DrawnValue& v) {
    if (v.dtype != a.dtype || v.rank() < 2 || v.dims[v.rank() - 2] != a.dims.back()) return false;
    const auto batch = broadcast(Dim(a.dims.begin(), a.dims.end() - 2), Dim(v.dims.begin(), v.dims.end() - 2));
    return batch && most_elements(*batch) * a.most(a.rank() - 2) * v.most(v.rank() - 1) < kMostElements;
  };
  if (const DrawnValue* y = find(fits); y && chance(2)) {
    const DrawnValue b = *y;
    return behind_product(matmul(a, b)), true;
  }
  std::vector<int64_t> swap(a.rank());
  std::iota(swap.begin(), swap.end(), 0);
  std::swap(swap[a.rank() - 1], swap[a.rank() - 2]);
  const DrawnValue turned = inner(transposed(a, swap));
  return behind_product(chance(2) ? matmul(a, turned) : matmul(turned, a)), true;
}

bool DrawnGraph::gemm() {
  const DrawnValue* x = find([](const DrawnValue& v) { return v.floating() && v.rank() == 2; });
  if (!x) return false;
  DrawnValue a = *x;
  bool trans_a = chance(3);
  const bool trans_b = chance(2);
  if (a.dims[trans_a ? 0 : 1] == kOpen) trans_a = !trans_a;
  if (chance(4)) a = inner(transposed(a, {1, 0})), trans_a = !trans_a;
  const int64_t rows = a.dims[trans_a ? 1 : 0], inner_extent = a.dims[trans_a ? 0 : 1], columns = extent();
  if (inner_extent == kOpen) return false;
  const DrawnValue b = weight(trans_b ? Dim{columns, inner_extent} : Dim{inner_extent, columns}, 0.5, a.dtype);
  List inputs{a, b};
  const std::vector<Dim> biases{{columns}, {1, columns}, {1}, {}};
  const double alpha = chance(2) ? 1 : 0.5, beta = chance(2) ? 1 : 2;
  if (!chance(3)) inputs.push_back(weight(biases[draw(4)], 1, a.dtype));
  DrawnValue y = node("Gemm", inputs, {{"alpha", alpha}, {"beta", beta}, {"transA", trans_a ? 1 : 0}, {"transB", trans_b ? 1 : 0}}, {rows, columns}, a.dtype);
  y = product_of(y, a, b, inner_extent);
  const double bias = inputs.size() > 2 ? beta * inputs[2].bound : 0, carried = y.error + (inputs.size() > 2 ? beta * inputs[2].error : 0);
  y = bounded(y, y.bound + bias, carried, 4);
  if (chance(4)) y = batch_normalized(inner(y));
  return behind_product(y), true;
}

bool DrawnGraph::convolution() {
  const DrawnValue* x = find([](const DrawnValue& v) { return v.floating() && (v.rank() == 3 || v.rank() == 4) && v.dims[1] > 0; });
  if (!x) return false;
  const DrawnValue a = *x;
  for (size_t i = 2; i < a.rank(); ++i)
    if (a.dims[i] < 1) return false;
  return convolve(a, 1 + static_cast<int64_t>(draw(4))), true;
}

// As much work as kernels for large ones want, with rows of whole vectors and others.
bool DrawnGraph::large_convolution() {
  const auto between = [&](int64_t least, int64_t most) { return least + static_cast<int64_t>(draw(static_cast<uint64_t>(most - least + 1))); };
  const DrawnValue a = input({1, between(6, 8), between(13, 16), chance(2) ? 16 : between(14, 20)}, false);
  return convolve(a, between(9, 14)), true;
}

void DrawnGraph::convolve(const DrawnValue& a, int64_t group_channels) {
  const int64_t groups = a.dims[1] % 2 == 0 && chance(3) ? 2 : 1, channels = groups * group_channels;
  Dim kernel{channels, a.dims[1] / groups}, result{a.dims[0], channels};
  std::vector<int64_t> pads, tail;
  int64_t terms = a.dims[1] / groups;
  for (size_t i = 2; i < a.rank(); ++i) {
    const int64_t size = 1 + static_cast<int64_t>(draw(static_cast<uint64_t>(std::min<int64_t>(a.dims[i], 3)))), pad = size > 1 && chance(2) ? 1 : 0;
    kernel.push_back(size), pads.push_back(pad), terms *= size;
    result.push_back(a.dims[i] + 2 * pad - size + 1);
  }
  pads.insert(pads.end(), pads.begin(), pads.end());
  const DrawnValue w = weight(kernel, 0.5, a.dtype);
  List inputs{a, w};
  if (chance(2)) inputs.push_back(weight({channels}, 1, a.dtype));
  DrawnValue y = product_of(node("Conv", inputs, {{"pads", pads}, {"group", groups}}, result, a.dtype), a, w, terms);
  if (inputs.size() > 2) y = bounded(y, y.bound + inputs[2].bound, y.error + inputs[2].error, 2);
  if (chance(2)) y = batch_normalized(inner(y));
  if (chance(3)) {
    Dim along(a.rank() - 1, 1);
    along[0] = channels;
    y = binary(chance(2) ? "Add" : "Mul", y, weight(along, 1, a.dtype));
  }
  if (chance(4)) y = binary("Mul", y, number(0.5, y.dtype));
  if (chance(3) && usable(y)) y = binary("Add", y, partner(y));
  if (chance(2)) y = moved("Relu", {y}, y.dims);
  if (chance(4) && usable(y)) y = widened_or_narrowed(y);
  keep(y);
}

// ---- normalisations and reductions ----

// scale / sqrt(variance + epsilon) is at most 1.5 / sqrt(0.5).
DrawnValue DrawnGraph::batch_normalized(const DrawnValue& x) {
  const int64_t channels = x.dims[1];
  const DrawnValue scale = weight({channels}, 1.5, x.dtype, 0.5), bias = weight({channels}, 1, x.dtype), mean = weight({channels}, 1, x.dtype),
                   variance = weight({channels}, 2, x.dtype, 0.5);
  const DrawnValue y = node("BatchNormalization", {x, scale, bias, mean, variance}, {}, x.dims, x.dtype);
  const double factor = 1.5 / std::sqrt(0.5), bound = factor * (x.bound + 1) + 1;
  return bounded(y, bound, factor * x.error + bound * (scale.error + variance.error) + factor * mean.error + bias.error, 12);
}

bool DrawnGraph::batch_norm() {
  const DrawnValue* x = find([](const DrawnValue& v) { return v.floating() && v.rank() >= 2 && v.dims[1] != kOpen && v.dims[1] > 0; });
  if (!x) return false;
  const DrawnValue a = *x;
  return keep(batch_normalized(a)), true;
}

// (x - mean) / deviation: the deviation is at least sqrt(epsilon); numbers that move by e move it by at most 2 e.
DrawnValue DrawnGraph::normalized(DrawnValue y, const DrawnValue& x, double epsilon, int64_t terms) {
  const double root = std::sqrt(static_cast<double>(std::max<int64_t>(terms, 1))), bound = std::min(root, 2 * x.bound / std::sqrt(epsilon));
  const double eps = epsilon_of(y.dtype), inside = x.error + (4 * eps + static_cast<double>(terms) * 0x1p-23) * 2 * x.bound;
  const double squares = (4 * eps + static_cast<double>(terms) * 0x1p-23) * bound;
  return bounded(y, bound, 2 / std::sqrt(epsilon) * (1 + root) * inside + squares, 12);
}

bool DrawnGraph::layer_norm() {
  const DrawnValue* x = find([](const DrawnValue& v) { return v.floating() && v.rank() >= 1 && v.dims.back() > 0; });
  if (!x) return false;
  DrawnValue a = *x;
  if (chance(2)) a = binary("Add", a, partner(a));
  if (a.dims.back() < 1 || !usable(a)) return keep(a), true;
  if (chance(3)) keep(a);
  const bool centred = chance(2);
  const DrawnValue scale = weight({a.dims.back()}, 1, a.dtype), bias = weight({a.dims.back()}, 1, a.dtype);
  List inputs{a, scale};
  if (centred) inputs.push_back(bias);
  DrawnValue y = node(centred ? "LayerNormalization" : "RMSNormalization", inputs, {{"axis", -1}, {"epsilon", 0.25}}, a.dims, a.dtype);
  y = normalized(y, a, 0.25, a.dims.back());
  return keep(bounded(y, y.bound + 1, y.error + y.bound * scale.error + bias.error, 4)), true;
}

bool DrawnGraph::soft_max() {
  const DrawnValue* x = find_float(1);
  if (!x) return false;
  const DrawnValue a = *x;
  return keep(softmax(a, static_cast<int64_t>(chance(2) ? a.rank() - 1 : draw(a.rank())))), true;
}

bool DrawnGraph::reduce() {
  constexpr const char* kOps[] = {"ReduceMean", "ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceL2"};
  const DrawnValue* x = find_float(1);
  if (!x) return false;
  const DrawnValue a = *x;
  std::vector<int64_t> axes;
  for (size_t i = 0; i < a.rank(); ++i)
    if (chance(2)) axes.push_back(static_cast<int64_t>(i));
  if (axes.empty()) axes.push_back(static_cast<int64_t>(a.rank()) - 1);
  return keep(reduced(kOps[draw(6)], a, axes, chance(2))), true;
}

// ---- the same numbers elsewhere ----

bool DrawnGraph::transpose() {
  const DrawnValue* x = find([](const DrawnValue& v) { return v.rank() >= 2; });
  if (!x) return false;
  const DrawnValue a = *x;
  std::vector<int64_t> perm(a.rank());
  std::iota(perm.begin(), perm.end(), 0);
  std::shuffle(perm.begin(), perm.end(), random_);
  return keep(transposed(a, perm)), true;
}

// Axes that runs choose stay in front; the others are joined, or one of them is cut in two.
bool DrawnGraph::reshape() {
  const DrawnValue* x = find([](const DrawnValue& v) { return v.rank() >= 1 && std::count(v.dims.begin() + 1, v.dims.end(), kOpen) == 0; });
  if (!x) return false;
  const DrawnValue a = *x;
  Dim dims = a.dims;
  const size_t first = a.dims[0] == kOpen ? 1 : 0;
  if (chance(2) && dims.back() > 0 && dims.back() % 2 == 0) {
    dims.back() /= 2;
    dims.push_back(2);
  } else {
    int64_t rest = 1;
    for (size_t i = first; i < dims.size(); ++i) rest *= dims[i];
    dims.resize(first);
    dims.push_back(rest);
  }
  std::vector<int64_t> wanted = dims;
  if (first) wanted[0] = 0;
  const bool zeros = std::count(dims.begin() + static_cast<ptrdiff_t>(first), dims.end(), 0) > 0;
  if (zeros && first) return false;
  if (!zeros && chance(3)) {
    wanted.back() = -1;
    if (first) may_be_empty_ = false;  // nothing tells how often 0 is in 0
  }
  return keep(moved("Reshape", {a, integers(wanted)}, dims, {{"allowzero", zeros ? 1 : 0}})), true;
}

bool DrawnGraph::squeeze() {
  const DrawnValue* x = find([](const DrawnValue& v) { return v.rank() < 5; });
  if (!x) return false;
  const DrawnValue a = *x;
  Dim dims = a.dims;
  const auto one = std::ranges::find(dims, 1);
  if (one == dims.end() || chance(2)) {
    const auto axis = static_cast<ptrdiff_t>(draw(a.rank() + 1));
    dims.insert(dims.begin() + axis, 1);
    return keep(moved("Unsqueeze", {a, integers({axis})}, dims)), true;
  }
  const int64_t axis = one - dims.begin();
  dims.erase(one);
  return keep(moved("Squeeze", {a, integers({axis})}, dims)), true;
}

bool DrawnGraph::concat() {
  const DrawnValue* x = find([](const DrawnValue& v) { return v.rank() >= 1; });
  if (!x) return false;
  const DrawnValue a = *x;
  const size_t axis = draw(a.rank());
  if (a.dims[axis] == kOpen) return false;
  const auto fits = [&](const DrawnValue& v) {
    if (v.dtype != a.dtype || v.rank() != a.rank() || v.dims[axis] == kOpen) return false;
    for (size_t i = 0; i < a.rank(); ++i)
      if (i != axis && v.dims[i] != a.dims[i]) return false;
    return most_elements(a.dims) + most_elements(v.dims) < kMostElements;
  };
  const DrawnValue* y = find(fits);
  if (!y) return false;
  const DrawnValue b = *y;
  Dim dims = a.dims;
  dims[axis] += b.dims[axis];
  const DrawnValue joined = node("Concat", {a, b}, {{"axis", static_cast<int64_t>(axis)}}, dims, a.dtype);
  return keep(bounded(joined, std::max(a.bound, b.bound), std::max(a.error, b.error), 0, a.whole && b.whole)), true;
}

bool DrawnGraph::split() {
  const DrawnValue* x = find([](const DrawnValue& v) { return v.rank() >= 1 && v.dims.back() > 1; });
  if (!x) return false;
  const DrawnValue a = *x;
  Dim left = a.dims, right = a.dims;
  left.back() = 1 + static_cast<int64_t>(draw(static_cast<uint64_t>(a.dims.back() - 1)));
  right.back() -= left.back();
  for (DrawnValue part : nodes("Split", {a, integers({left.back(), right.back()})}, {{"axis", -1}}, {left, right}, a.dtype)) {
    part.bound = a.bound, part.error = a.error, part.whole = a.whole;
    keep(part);
  }
  return true;
}

bool DrawnGraph::slice() {
  const DrawnValue* x = find([](const DrawnValue& v) { return v.rank() >= 1; });
  if (!x) return false;
  const DrawnValue a = *x;
  const size_t axis = draw(a.rank());
  if (a.dims[axis] < 1) return false;
  const auto extent = static_cast<uint64_t>(a.dims[axis]);
  const auto first = static_cast<int64_t>(draw(extent)), step = static_cast<int64_t>(1 + draw(2)), end = static_cast<int64_t>(draw(extent + 1));
  Dim dims = a.dims;
  dims[axis] = std::max<int64_t>(0, (end - first + step - 1) / step);
  return keep(moved("Slice", {a, integers({first}), integers({end}), integers({static_cast<int64_t>(axis)}), integers({step})}, dims)), true;
}

bool DrawnGraph::gather() {
  const DrawnValue* x = find([](const DrawnValue& v) { return v.rank() >= 1; });
  if (!x) return false;
  const DrawnValue a = *x;
  const size_t axis = draw(a.rank());
  if (a.dims[axis] < 1) return false;
  std::vector<int64_t> indices(1 + draw(4));
  for (int64_t& i : indices) i = static_cast<int64_t>(draw(static_cast<uint64_t>(a.dims[axis])));
  Dim dims = a.dims;
  dims[axis] = static_cast<int64_t>(indices.size());
  return keep(moved("Gather", {a, integers(indices)}, dims, {{"axis", static_cast<int64_t>(axis)}})), true;
}

bool DrawnGraph::expand() {
  const DrawnValue* x = find([](const DrawnValue& v) { return v.rank() < 4 && most_elements(v.dims) < 500; });
  if (!x) return false;
  const DrawnValue a = *x;
  std::vector<int64_t> wanted(a.rank() + draw(2), 1);
  if (wanted.empty()) return false;
  wanted.front() = wanted.size() > a.rank() || a.dims[0] == 1 ? 3 : 1;
  Dim dims = *broadcast(a.dims, wanted);
  return keep(moved("Expand", {a, integers(wanted)}, dims)), true;
}

// A node that is there already, once more.
bool DrawnGraph::twin() {
  if (emitted_.empty()) return false;
  const Emitted again = emitted_[emitted_.size() - 1 - draw(std::min<size_t>(emitted_.size(), 6))];
  if (!usable(again.result)) return false;
  DrawnValue y = node(again.op.c_str(), again.inputs, again.attrs, again.result.dims, again.result.dtype);
  y.bound = again.result.bound, y.error = again.result.error, y.whole = again.result.whole, y.wild = again.result.wild;
  emitted_.back().result = y;
  return keep(y), true;
}

}  // namespace graphs
