// Pairs of columns of each head turned by the angle of their token's position: (cos x1 - sin x2, sin x1 + cos x2); columns from the width on
// stay. An operand is [batch, outer, inner, size], where tokens are the inner or the outer axis. Elements come in parts, one or four of them; an
// invocation makes two parts: those of `lanes` pairs, or two that stay. Other files give `load` and `store` of the operands, `cache_row`, the
// row of the caches for a token, and which numbers of two parts are pairs.
struct Operand {
  @align(16) inner: u32,
  outer: u32,
  inner_inverse: f32,
  outer_inverse: f32,
  tokens: u32,
  units: u32,  // invocations
}

struct Params {
  count: u32,
  head_units: u32,
  head_inverse: f32,
  turning: u32,  // units of a head that turn
  size: u32,  // parts of a head
  cache_rows: u32,
  batch_rows: u32,
  token_rows: u32,
  tokens_inside: u32,  // 1: tokens are the inner axis
  @align(16) operands: array<Operand, 2>,
}

@group(0) @binding(binding_cosine) var<storage, read> cosine: array<part>;
@group(0) @binding(binding_cosine + 1) var<storage, read> sine: array<part>;
@group(0) @binding(binding_params) var<uniform> p: Params;

fn stay(which: u32, at: u32, end: u32) {
  store(which, at, load(which, at));
  if (at + 1u < end) {
    store(which, at + 1u, load(which, at + 1u));
  }
}

fn run(flat: u32) {
  let which = operand_of(flat);
  let operand = p.operands[which];
  let i = flat - which * p.operands[0].units;
  let head = divide(i, p.head_units, p.head_inverse);
  let unit = i - head * p.head_units;
  let base = head * p.size;
  if (unit >= p.turning) {
    stay(which, base + 2u * unit, base + p.size);
    return;
  }
  let across = divide(head, operand.inner, operand.inner_inverse);
  let batch = divide(across, operand.outer, operand.outer_inverse);
  let row = cache_row(batch, select(across - batch * operand.outer, head - across * operand.inner, p.tokens_inside != 0u), operand.tokens);
  if (p.cache_rows == 0u) {
    return;
  }
  let first = select(unit, 2u * unit, neighbours != 0u);
  let second = first + select(p.turning, 1u, neighbours != 0u);
  let x = pairs_of(wide(load(which, base + first)), wide(load(which, base + second)));
  let at = row * p.turning * row_parts;
  var c = array<wide, 2>(wide(cosine[at + unit]), wide(cosine[at + unit]));
  var s = array<wide, 2>(wide(sine[at + unit]), wide(sine[at + unit]));
  if (row_parts == 2u) {
    c = pairs_of(wide(cosine[at + first]), wide(cosine[at + second]));
    s = pairs_of(wide(sine[at + first]), wide(sine[at + second]));
  }
  let y = parts_of(c[0] * x[0] - s[0] * x[1], s[1] * x[0] + c[1] * x[1]);
  store(which, base + first, part(y[0]));
  store(which, base + second, part(y[1]));
}
