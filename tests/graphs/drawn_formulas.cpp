// Formulas as exporters write them out, now and then with a number, an axis or a reader that makes another formula of them.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/graphs/drawn_graph.h"

namespace graphs {

bool DrawnGraph::gelu() {
  const DrawnValue* found = find([](const DrawnValue& v) { return v.floating() && v.bound <= 8; });
  if (!found) return false;
  const DrawnValue x = *found;
  const auto half = [&] { return number(chance(6) ? 0.25 : 0.5, x.dtype); };
  const bool by_erf = chance(2);
  DrawnValue argument;
  if (by_erf) {
    argument = quotient_of(x, number(std::numbers::sqrt2, x.dtype), std::numbers::sqrt2);
  } else {
    const DrawnValue cube = inner(binary("Mul", inner(binary("Mul", x, x)), x));
    const DrawnValue bent = inner(binary("Add", x, inner(binary("Mul", cube, number(0.044715, x.dtype)))));
    argument = binary("Mul", number(std::sqrt(2 / std::numbers::pi), x.dtype), bent);
  }
  const DrawnValue bend = inner(sloped(by_erf ? "Erf" : "Tanh", inner(argument), 1.13, 1));
  const DrawnValue sum = inner(binary("Add", bend, number(1, x.dtype)));
  const DrawnValue y = chance(2) ? binary("Mul", inner(binary("Mul", x, sum)), half()) : binary("Mul", inner(binary("Mul", half(), x)), sum);
  return keep(y), true;
}

bool DrawnGraph::silu() {
  const DrawnValue* found = find_float();
  if (!found) return false;
  const DrawnValue x = *found, gate = inner(sloped("Sigmoid", x, 0.25, 1, 0.5));
  return keep(chance(2) ? binary("Mul", x, gate) : binary("Mul", gate, x)), true;
}

bool DrawnGraph::written_norm() {
  const DrawnValue* found = find([](const DrawnValue& v) { return v.floating() && v.rank() >= 1 && v.dims.back() > 0 && v.bound <= 30; });
  if (!found) return false;
  const DrawnValue given = *found;
  const bool narrow = given.dtype == DBK_F16 || given.dtype == DBK_BF16, widened = narrow && !chance(4);
  const DrawnValue x = widened ? inner(cast(given, DBK_F32)) : given;
  const int64_t axis = static_cast<int64_t>(chance(6) ? draw(x.rank()) : x.rank() - 1), extent = x.dims[static_cast<size_t>(axis)];
  if (extent < 1) return false;
  const bool centred = chance(2);
  const DrawnValue c = centred ? inner(binary("Sub", x, inner(reduced("ReduceMean", x, {axis}, true)))) : x;
  DrawnValue square = chance(2) ? binary("Mul", c, c) : node("Pow", {c, number(2, x.dtype)}, {}, c.dims, x.dtype);
  square = bounded(square, c.bound * c.bound, 2 * c.bound * c.error + c.error * c.error, 12);
  const DrawnValue variance = inner(reduced("ReduceMean", inner(square), {axis}, true));
  const DrawnValue sum = inner(binary("Add", variance, number(0.25, x.dtype))), deviation = inner(sloped("Sqrt", sum, 1, std::sqrt(sum.bound)));
  DrawnValue y = chance(2) ? quotient_of(c, deviation, 0.5) : binary("Mul", c, inner(quotient_of(number(1, x.dtype), deviation, 0.5)));
  y = normalized(y, x, 0.25, extent);
  if (widened) y = cast(inner(y), given.dtype);
  const bool along = axis + 1 == static_cast<int64_t>(x.rank());
  if (along && !chance(4)) y = binary("Mul", inner(y), weight({extent}, 1, y.dtype));
  if (along && centred && !chance(4)) y = binary("Add", inner(y), weight({extent}, 1, y.dtype));
  return keep(y), true;
}

namespace {

enum class Masking { None, Added, Chosen };

}  // namespace

// softmax(q k / sqrt(size)) v; weights are so small that projections are no larger than what they project.
bool DrawnGraph::attention() {
  const auto fits = [](const DrawnValue& v) { return v.floating() && v.rank() == 3 && v.dims[2] > 0 && v.dims[2] <= 64 && v.bound <= 4 && v.dims[1] != 0; };
  const DrawnValue* found = find(fits);
  if (!found) return false;
  const DrawnValue x = *found;
  const int64_t columns = x.dims[2], heads = columns % 2 == 0 ? 2 : 1, size = columns / heads;
  const auto cut = [&](const std::vector<int64_t>& perm) {
    DrawnValue v = matmul(x, weight({columns, columns}, 1.0 / static_cast<double>(columns), x.dtype));
    if (chance(2)) v = binary("Add", v, weight({columns}, 1, x.dtype));
    return inner(transposed(inner(moved("Reshape", {v, integers({0, 0, heads, size})}, {x.dims[0], x.dims[1], heads, size})), perm));
  };
  const DrawnValue q = cut({0, 2, 1, 3}), k = cut({0, 2, 3, 1}), v = cut({0, 2, 1, 3});
  DrawnValue scores = quotient_of(inner(matmul(q, k)), number(std::sqrt(static_cast<double>(size)), x.dtype), 1);
  const auto masking = x.dims[1] == kOpen ? Masking::None : static_cast<Masking>(draw(3));
  if (masking == Masking::Added) scores = binary("Add", scores, weight({x.dims[1]}, 3, x.dtype));
  if (masking == Masking::Chosen) {
    const DrawnValue kept = node("Greater", {weight({x.dims[1]}, 3, DBK_F32), number(0, DBK_F32)}, {}, {x.dims[1]}, DBK_BOOL);
    const bool finite = chance(2);
    const double least = x.dtype == DBK_F16 ? -6e4 : -1e38, score = !finite ? -INFINITY : chance(3) ? -2 : least;
    const DrawnValue masked = node("Where", {kept, scores, number(score, x.dtype)}, {}, scores.dims, x.dtype);
    scores.value = masked.value, scores.name = masked.name, scores.wild = !finite;
    emitted_.back().result.wild = true;  // as an operand of anything else
  }
  const DrawnValue p = softmax(scores, 3);
  DrawnValue y = matmul(inner(p), v);
  const double shares = 2 * std::min(scores.error, 1.0) + (2 * scores.bound + 2 * static_cast<double>(x.most(1))) * 0x1p-23 + 12 * epsilon_of(x.dtype);
  y = bounded(y, v.bound, v.error + v.bound * shares, 4);
  y = inner(transposed(y, {0, 2, 1, 3}));
  return keep(moved("Reshape", {y, integers({0, 0, columns})}, x.dims)), true;
}

bool DrawnGraph::rotary() {
  const DrawnValue* found = find([](const DrawnValue& v) { return v.floating() && v.rank() >= 2 && v.dims.back() > 0 && v.dims.back() % 2 == 0; });
  if (!found) return false;
  const DrawnValue x = *found;
  const int64_t size = x.dims.back(), axis = static_cast<int64_t>(x.rank()) - 1;
  Dim half = x.dims;
  half.back() = size / 2;
  const auto part = [&](int64_t first) { return inner(moved("Slice", {x, integers({first}), integers({first + size / 2}), integers({axis})}, half)); };
  const DrawnValue first = part(0), second = part(size / 2);
  const DrawnValue minus = chance(8) ? second : inner(moved("Neg", {second}, half));
  const DrawnValue turned = inner(moved("Concat", {minus, first}, x.dims, {{"axis", axis}}));
  const DrawnValue cos = weight({size}, 1, x.dtype), sin = weight({size}, 1, x.dtype);
  return keep(binary("Add", inner(binary("Mul", x, cos)), inner(binary("Mul", turned, sin)))), true;
}

bool DrawnGraph::einsum() {
  const DrawnValue* found = find([](const DrawnValue& v) { return v.floating() && v.dtype != DBK_BF16 && v.rank() == 3; });
  if (!found) return false;
  const DrawnValue x = *found;
  const int64_t a = x.dims[0], b = x.dims[1], c = x.dims[2];
  const auto of = [&](const char* equation, const List& inputs, Dim dims, int64_t terms) {
    const DrawnValue y = node("Einsum", inputs, {{"equation", equation}}, std::move(dims), x.dtype);
    DrawnValue one;
    one.bound = 1, one.whole = true;
    keep(product_of(y, inputs[0], inputs.size() > 1 ? inputs[1] : one, terms));
    return true;
  };
  const auto most = [](int64_t d) { return d == kOpen ? kMostOpen : d; };
  switch (draw(5)) {
    case 0: return of("abc->cab", {x}, {c, a, b}, 1);
    case 1: return of("abc->ac", {x}, {a, c}, most(b));
    case 2: return of("abc,abc->", {x, x}, {}, most(a) * most(b) * most(c));
    case 3: return most(a) * most(b) * most(b) < kMostElements && of("abc,adc->abd", {x, x}, {a, b, b}, most(c));
    default: return c != kOpen && of("abc,cd->abd", {x, weight({c, 6}, 0.5, x.dtype)}, {a, b, 6}, c);
  }
}

}  // namespace graphs
