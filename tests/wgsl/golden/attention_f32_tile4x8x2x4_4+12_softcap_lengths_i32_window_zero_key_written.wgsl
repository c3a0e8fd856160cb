const group_size: u32 = 4u;
alias elem = f32;
alias acc = f32;

// Grids. A dispatch of more groups than one dimension holds spills to y and z (grid_of in plugin/gpu/family.cpp); the
// flat index of a group can exceed the number wanted, so every entry point compares with its own count.
fn flat_group(group: vec3<u32>, groups: vec3<u32>) -> u32 {
  return (group.z * groups.y + group.y) * groups.x + group.x;
}

// What a floating-point accumulator has beyond arithmetic. WGSL lets an implementation assume that there is no NaN or
// infinity, so both are tested and made as bits, which hold on every adapter; `var` keeps the compiler from rejecting
// them as constants.
fn is_nan(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn highest() -> f32 {
  var bits = 0x7f800000u;
  return bitcast<f32>(bits);
}

fn lowest() -> f32 {
  var bits = 0xff800000u;
  return bitcast<f32>(bits);
}

// x itself, which compilers cannot know: they may reassociate sums, and Mesa's do where that saves one, so an expression
// that catches a rounding error, as in (a - s) + b after s = a + b, has to be cut. Of all bits only the highest, those of a NaN,
// become others, which are of a NaN, too.
fn fence(x: f32) -> f32 {
  return fence_apart(x, 0u);
}

// The same for values that may be equal: to compilers fences of different numbers are different, so that of x - x they cannot say 0,
// which is wrong for infinities and NaN.
fn fence_apart(x: f32, number: u32) -> f32 {
  return bitcast<f32>(min(bitcast<u32>(x), 0xfffffffeu - number));
}

// Comparisons by bits, counted from zero on both sides: right for NaN, infinities and denormals on every adapter.
fn order_of(x: f32) -> i32 {
  let bits = bitcast<i32>(x);
  return select(bits, -(bits & 0x7fffffff), bits < 0);
}

fn equal(a: f32, b: f32) -> bool {
  return order_of(a) == order_of(b) && !is_nan(a) && !is_nan(b);
}

fn less(a: f32, b: f32) -> bool {
  return order_of(a) < order_of(b) && !is_nan(a) && !is_nan(b);
}

// Arithmetic under the names that every accumulator has: 64-bit integers have no operators.
fn plus(a: f32, b: f32) -> f32 {
  return a + b;
}

fn minus(a: f32, b: f32) -> f32 {
  return a - b;
}

fn times(a: f32, b: f32) -> f32 {
  return a * b;
}

fn negated(x: f32) -> f32 {
  return -x;
}

fn magnitude(x: f32) -> f32 {
  return abs(x);
}

fn unit() -> f32 {
  return 1.0;
}

// a < b where neither is NaN.
fn before(a: f32, b: f32) -> bool {
  return a < b;
}

fn ratio(a: f32, b: f32) -> f32 {
  return a / b;
}

// What every attention program shares: y = softmax(mask + cap(scale q k)) v for each batch, head and query row; keys are those of a
// cache (past_k, past_v), then those given (k, v). Work is cut in tiles of query rows of one head and a part of the value's columns; rows
// fastest, so that neighbours share keys and values. All strides are in elements of the operand's binding.
struct Operand {
  first: u32,
  batch: u32,
  head: u32,
  row: u32,
}

struct Params {
  tiles: u32,
  row_tiles: u32,
  column_tiles: u32,
  heads: u32,
  queries: u32,
  keys: u32,
  group: u32,  // query heads that share keys and values
  causal_offset: i32,  // query row s sees keys 0 ... s + causal_offset
  scale: f32,
  softcap: f32,
  unseen: u32,  // bits of what a row without keys gives
  zero: u32,  // 0, which the compiler cannot know
  q: Operand,
  k: Operand,
  v: Operand,
  y: Operand,
  past_k: Operand,
  past_v: Operand,
  mask0: vec4<u32>,  // strides of batch, head, row, key
  mask1: vec4<u32>,
  mask_keys: vec2<u32>,  // keys that the masks have elements for
  past: u32,  // keys of the cache
  ends_meet: u32,  // 1: the last query sees the last key that counts
  filter_value: f32,  // added where an integer mask is 0, instead of the score where a bool is false
  window: u32,  // of the keys up to its own a row sees that many
  parts: u32,  // that the keys of a row are cut in, where lanes own keys, or chunks of them
  part_keys: u32,
  first_row: u32,  // tile of rows, and head of all batches, where a `line` program begins
  first_head: u32,
  first_key: u32,
  last: u32,  // 1: no key is left
  stretch: u32,  // of the first key
  stretches: u32,
  chunks: u32,  // in all of them
  pad: u32,
}

struct Place {
  row: u32,  // tile of rows
  column: u32,  // tile of columns
  batch: u32,
  head: u32,  // of all batches
  q: u32,  // first element of the head
  k: u32,
  v: u32,
  y: u32,
  past_k: u32,
  past_v: u32,
  mask0: u32,
  mask1: u32,
}

fn head_of(o: Operand, batch: u32, head: u32) -> u32 {
  return o.first + batch * o.batch + head * o.head;
}

fn place_of(tile: u32) -> Place {
  let across = tile / p.row_tiles;
  let flat_head = across / p.column_tiles;
  return place_in(flat_head, tile - across * p.row_tiles, across - flat_head * p.column_tiles);
}

fn place_in(flat_head: u32, row: u32, column: u32) -> Place {
  let batch = flat_head / p.heads;
  let head = flat_head - batch * p.heads;
  let shared_head = head / p.group;
  return Place(row, column, batch, flat_head, head_of(p.q, batch, head),
               head_of(p.k, batch, shared_head), head_of(p.v, batch, shared_head), head_of(p.y, batch, head),
               head_of(p.past_k, batch, shared_head), head_of(p.past_v, batch, shared_head),
               batch * p.mask0.x + head * p.mask0.y, batch * p.mask1.x + head * p.mask1.y);
}

// The keys up to a query row's own, where `length` of them count; those that it sees of them, and the first one in its window.
fn own_keys(row: u32, length: u32) -> i32 {
  return i32(row) + select(p.causal_offset, i32(length) - i32(p.queries), p.ends_meet != 0u) + 1;
}

fn visible_keys(row: u32, length: u32) -> u32 {
  return u32(clamp(own_keys(row, length), 0, i32(length)));
}

fn first_key(row: u32, length: u32) -> u32 {
  return u32(max(own_keys(row, length) - i32(p.window), 0));
}


fn is_lowest(x: f32) -> bool {
  return bitcast<u32>(x) == 0xff800000u;
}

// Elementary functions in f32 with an error that arithmetic as WGSL promises it bounds (kernels/ops.inc): WGSL's own exp,
// log and tanh may be off by many epsilons, and overflow inside an identity (tanh, sigmoid) gives NaN. Polynomials are
// near-minimax fits of ours; NaN passes through because clamps are comparisons that a NaN fails, or is put back.

// The leading 12 bits of x: products of two such numbers are exact.
fn high_part(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u);
}

// The rounding error of p = a b, from halves whose products are exact; fma would do, but compilers may fuse or fold it.
fn product_low(a: f32, b: f32, p: f32) -> f32 {
  let a_high = high_part(a);
  let b_high = high_part(b);
  return fence(a_high * b_high - p) + a_high * (b - b_high) + (a - a_high) * b;
}

// 2^lift e^(x + low) = 2^(n + lift) e^r, |r| <= ln(2)/2, for results that are normal numbers; low is what rounding would
// lose of the exponent. Adding 1.5 * 2^23 leaves n in the low bits, and taking it off again n as a number. Products with
// the high part of ln(2) are exact, as it has 12 bits; behind a fence, so that compilers do not merge it with the low
// part. 2^n goes into the exponent's bits, out of which a shift drives all of 1.5 * 2^23.
fn exp_core(x: f32, low: f32, lift: i32) -> f32 {
  let shifted = fence(fma(x + low, 1.44269504, 12582912.0));
  let n = shifted - 12582912.0;
  let r = fence(x - n * 0.693115234375) + fma(n, -3.194618495e-5, low);
  let q = fma(r, fma(r, fma(r, fma(r, 0.00139262504, 0.00836323295), 0.0416665524), 0.166665763), 0.5);
  return bitcast<f32>(bitcast<i32>(fma(r * r, q, r) + 1.0) + ((bitcast<i32>(shifted) + lift) << 23u));
}

// e^x for x <= 0; denormal results are 0.
fn exp_falling(x: f32) -> f32 {
  return select(select(exp_core(x, 0.0, 0), 0.0, x < -87.33655), x, is_nan(x));
}

// 256 e^(x + low) for x <= 0: for factors that make a normal number of a denormal e^x.
fn exp_falling_256(x: f32, low: f32) -> f32 {
  return select(exp_core(x, low, 8), 0.0, x + low < -92.88173);
}

fn exp_of(x: f32) -> f32 {
  return select(exp_falling(x), highest(), x > 88.7228317);
}

// x = 2^e (1 + f) as (e, f), 1 + f in [sqrt(1/2), sqrt(2)). Denormals are read as integers.
fn exponent_and_rest(x: f32) -> vec2<f32> {
  let raw = bitcast<u32>(x);
  let tiny = raw < 0x00800000u;
  let bits = select(raw, bitcast<u32>(f32(raw)), tiny) - 0x3f3504f3u;
  let e = f32((bitcast<i32>(bits) >> 23u) - select(0, 149, tiny));
  return vec2<f32>(e, bitcast<f32>((bits & 0x007fffffu) + 0x3f3504f3u) - 1.0);
}

// (2 atanh(s) / s - 2) / s^2 from s^2, for |s| <= 0.172; 2 atanh(f / (2 + f)) = log(1 + f).
fn atanh_core(z: f32) -> f32 {
  return fma(z, fma(z, fma(z, 0.233329132, 0.285507321), 0.400001228), 0.666666687);
}

fn log_of(x: f32) -> f32 {
  let split = exponent_and_rest(x);
  let e = split.x;
  let f = split.y;
  let s = f / (2.0 + f);
  let z = s * s;
  let finite = fma(e, 0.693115234375, fma(e, 3.194618495e-5, f - s * (f - z * atanh_core(z))));
  let raw = bitcast<u32>(x);
  var nan = 0x7fc00000u;
  let negative = select(bitcast<f32>(nan), x, is_nan(x));
  let positive = select(finite, x, raw >= 0x7f800000u);
  return select(select(positive, negative, raw > 0x80000000u), lowest(), (raw & 0x7fffffffu) == 0u);
}

fn sigmoid_of(x: f32) -> f32 {
  let e = exp_falling(-abs(x));
  return select(1.0, e, x < 0.0) / (1.0 + e);
}

fn tanh_of(x: f32) -> f32 {
  let a = abs(x);
  let z = x * x;
  let q = fma(z, fma(z, fma(z, fma(z, -0.00609671418, 0.0209971797), -0.0538509078), 0.133327693), -0.333333284);
  let c = select(a, 10.0, a > 10.0);
  let large = 1.0 - 2.0 / (exp_core(2.0 * c, 0.0, 0) + 1.0);
  return select(select(select(large, -large, x < 0.0), fma(x * z, q, x), a < 0.625), x, is_nan(x));
}

// erf(t) / t from t^2, for |t| <= 1.
fn erf_core(z: f32) -> f32 {
  let high = fma(z, fma(z, fma(z, 7.87587487e-5, -0.00080168643), 0.00518908724), -0.0268542115);
  return fma(z, fma(z, fma(z, high, 0.112835944), -0.37612626), 1.12837911);
}

// e^(t^2) erfc(t) for t in [0.7, 11]: smooth in (t - 2) / (t + 2) once divided by 1 / (1 + 2 t).
fn erfc_scaled(t: f32) -> f32 {
  let u = (t - 2.0) / (t + 2.0);
  let high = fma(u, fma(u, fma(u, fma(u, -0.00152776553, 0.00110042002), 0.00878930651), -0.00801612716), -0.0542323887);
  return fma(u, fma(u, fma(u, fma(u, high, 0.164051294), -0.166029647), -0.0927638561), 1.27697837) / fma(t, 2.0, 1.0);
}

fn erf_of(x: f32) -> f32 {
  let a = abs(x);
  let t = select(a, 11.0, a > 11.0);
  let large = 1.0 - erfc_scaled(t) * exp_falling(-t * t);
  return select(select(large, -large, x < 0.0), x * erf_core(x * x), a < 1.0);
}

// e^x - 1 for x <= 0: 2^n (e^r - 1) + (2^n - 1), of which nothing cancels where n = 0.
fn expm1_falling(x: f32) -> f32 {
  let c = select(x, -20.0, x < -20.0);
  let shifted = fence(fma(c, 1.44269504, 12582912.0));
  let n = shifted - 12582912.0;
  let r = fence(c - n * 0.693115234375) + n * -3.194618495e-5;
  let q = fma(r, fma(r, fma(r, fma(r, 0.00139262504, 0.00836323295), 0.0416665524), 0.166665763), 0.5);
  let scale = bitcast<f32>((bitcast<i32>(shifted) + 127) << 23u);
  return select(fma(scale, fma(r * r, q, r), scale - 1.0), x, is_nan(x));
}

// log(1 + e) for e in [0, 1]: as in log_of, from e itself or, beyond sqrt(2) - 1, from (e - 1) / 2 below log(2).
fn log1p_of(e: f32) -> f32 {
  let halved = e > 0.414213562;
  let f = select(e, (e - 1.0) * 0.5, halved);
  let s = f / (2.0 + f);
  let z = s * s;
  let rest = f - s * (f - z * atanh_core(z));
  return select(select(rest, 0.693147181 + rest, halved), e, is_nan(e));
}

// asin(x) for |x| <= 1/2.
fn asin_core(x: f32) -> f32 {
  let z = x * x;
  let q = fma(z, fma(z, fma(z, fma(z, 0.0422185473, 0.0241476111), 0.045477096), 0.0749524161), 0.166667536);
  return fma(x * z, q, x);
}

// The angle at 1 - a, for a in [1/2, 1]; the difference is exact.
fn asin_rest(a: f32) -> f32 {
  return 2.0 * asin_core(sqrt((1.0 - a) * 0.5));
}

fn not_a_number() -> f32 {
  var bits = 0x7fc00000u;
  return bitcast<f32>(bits);
}

// What the `tile` program of attention (attention_tile_text.h) does with four keys at a time.
fn plus_product(sum: f32, a: vec4<f32>, b: vec4<f32>) -> f32 {
  return fma(a.x, b.x, fma(a.y, b.y, fma(a.z, b.z, fma(a.w, b.w, sum))));
}

fn largest(x: vec4<f32>) -> f32 {
  return max(max(x.x, x.y), max(x.z, x.w));
}

fn weights_of(scores: vec4<f32>, level: f32) -> vec4<f32> {
  return vec4<f32>(exp_falling(scores.x - level), exp_falling(scores.y - level), exp_falling(scores.z - level), exp_falling(scores.w - level));
}

// A workgroup: 4 queries, 8 keys at a time; an invocation: 2 rows, 2 quads of the result in each.
@group(0) @binding(0) var<storage, read> q: array<vec4<elem>>;
@group(0) @binding(1) var<storage, read> lengths: array<u32>;
@group(0) @binding(2) var<storage, read_write> k: array<vec4<elem>>;
@group(0) @binding(3) var<storage, read_write> v: array<vec4<elem>>;
@group(0) @binding(4) var<storage, read_write> y: array<vec4<elem>>;
@group(0) @binding(5) var<storage, read_write> fault: array<atomic<u32>>;
@group(0) @binding(6) var<uniform> p: Params;

var<workgroup> queries: array<vec4<elem>, 4>;
var<workgroup> block: array<vec4<elem>, 24>;  // of keys, then of their values
var<workgroup> weights: array<vec4<f32>, 8>;  // of rows, each four keys at a time
var<workgroup> found: array<f32, 8>;  // of what an invocation has of a row: the largest score; at last the sum of weights

// Reports the first number of a dispatch that is at fault: 1 for one out of range, 2 for a divisor of zero; where it stands in its operand,
// and its (low, high) words, for the message of the run.
fn report_fault(kind: u32, place: u32, number: vec2<u32>) {
  if (atomicExchange(&fault[0], kind) == 0u) {
    atomicStore(&fault[1], place);
    atomicStore(&fault[2], number.x);
    atomicStore(&fault[3], number.y);
  }
}

fn length_of(batch: u32) -> u32 {
  let length = vec2<u32>(lengths[batch] + 1u, 0u);
  if (length.y != 0u || length.x > p.keys) {
    report_fault(1u, batch, length);
  }
  return min(length.x, p.keys);
}

fn quad_of_q(row: u32, quad: u32) -> vec4<elem> {
  return q[row + quad];
}

fn quad_of_k(row: u32, quad: u32) -> vec4<elem> {
  return k[row + quad];
}

fn quad_of_v(row: u32, quad: u32) -> vec4<elem> {
  return v[row + quad];
}

fn quad_of_key(place: Place, t: u32, quad: u32, end: u32) -> vec4<elem> {
  if (t >= end) {
    return vec4<elem>();
  }
  return quad_of_k(place.k + t * p.k.row, quad);
}

fn quad_of_value(place: Place, t: u32, quad: u32, end: u32) -> vec4<elem> {
  if (t >= end) {
    return vec4<elem>();
  }
  return quad_of_v(place.v + t * p.v.row, quad);
}

fn score_of(place: Place, product: f32, row: u32, t: u32, end: u32, seen: u32, begun: u32) -> f32 {
  var s = p.scale * product;
  s = p.softcap * tanh_of(s / p.softcap);
  s = select(lowest(), s, t < seen && t >= begun);
  return s;
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let tile = flat_group(group, groups);
  if (tile >= p.tiles) {
    return;
  }
  let place = place_of(tile);
  for (var i = lane; i < 4u; i += group_size) {
    queries[i] = quad_of_q(place.q + min(place.row * 4u + i / 1u, p.queries - 1u) * p.q.row, i % 1u);
  }
  let across = lane % 2u;
  let down = lane / 2u * 2u;  // the invocation's first row
  let quad0 = min(across + 0u, 2u);
  let quad1 = min(across + 2u, 2u);
  let length = length_of(place.batch);
  let row0 = min(place.row * 4u + down + 0u, p.queries - 1u);
  let seen0 = visible_keys(row0, length);
  let begun0 = first_key(row0, length);
  var top0 = lowest();
  var total0 = 0.0;
  var o0_0 = vec4<f32>();
  var o0_1 = vec4<f32>();
  let row1 = min(place.row * 4u + down + 1u, p.queries - 1u);
  let seen1 = visible_keys(row1, length);
  let begun1 = first_key(row1, length);
  var top1 = lowest();
  var total1 = 0.0;
  var o1_0 = vec4<f32>();
  var o1_1 = vec4<f32>();
  let end = visible_keys(min(place.row * 4u + 3u, p.queries - 1u), length);  // of all rows
  for (var first = first_key(place.row * 4u, length); first < end; first += 8u) {
    for (var i = lane; i < 8u; i += group_size) {
      let key = i / 1u;
      let quad = i % 1u;
      block[key * 1u + (quad + key / 4u) % 1u] = quad_of_key(place, first + key, quad, end);
    }
    workgroupBarrier();
    var s0 = vec4<f32>();
    var s1 = vec4<f32>();
    for (var quad = 0u; quad < 1u; quad++) {
      let at = across * 4u + (quad + across) % 1u;
      let k0 = vec4<f32>(block[at + 0u]);
      let k1 = vec4<f32>(block[at + 1u]);
      let k2 = vec4<f32>(block[at + 2u]);
      let k3 = vec4<f32>(block[at + 3u]);
      let q0 = vec4<f32>(queries[(down + 0u) * 1u + quad]);
      s0 = vec4<f32>(plus_product(s0.x, q0, k0), plus_product(s0.y, q0, k1), plus_product(s0.z, q0, k2),
                     plus_product(s0.w, q0, k3));
      let q1 = vec4<f32>(queries[(down + 1u) * 1u + quad]);
      s1 = vec4<f32>(plus_product(s1.x, q1, k0), plus_product(s1.y, q1, k1), plus_product(s1.z, q1, k2),
                     plus_product(s1.w, q1, k3));
    }
    let t = first + across * 4u;
    s0 = vec4<f32>(score_of(place, s0.x, row0, t + 0u, end, seen0, begun0), score_of(place, s0.y, row0, t + 1u, end, seen0, begun0), score_of(place, s0.z, row0, t + 2u, end, seen0, begun0), score_of(place, s0.w, row0, t + 3u, end, seen0, begun0));
    found[(down + 0u) * 2u + across] = largest(s0);
    s1 = vec4<f32>(score_of(place, s1.x, row1, t + 0u, end, seen1, begun1), score_of(place, s1.y, row1, t + 1u, end, seen1, begun1), score_of(place, s1.z, row1, t + 2u, end, seen1, begun1), score_of(place, s1.w, row1, t + 3u, end, seen1, begun1));
    found[(down + 1u) * 2u + across] = largest(s1);
    workgroupBarrier();
    for (var i = lane; i < 24u; i += group_size) {
      block[i] = quad_of_value(place, first + i / 3u, i % 3u, end);
    }
    var high0 = top0;
    for (var i = 0u; i < 2u; i++) {
      high0 = max(high0, found[(down + 0u) * 2u + i]);
    }
    let level0 = select(high0, 0.0, is_lowest(high0));
    let shrink0 = exp_falling(top0 - level0);
    top0 = high0;
    let e0 = weights_of(s0, level0);
    total0 = fma(total0, shrink0, (e0.x + e0.y) + (e0.z + e0.w));
    weights[(down + 0u) * 2u + across] = e0;
    o0_0 *= shrink0;
    o0_1 *= shrink0;
    var high1 = top1;
    for (var i = 0u; i < 2u; i++) {
      high1 = max(high1, found[(down + 1u) * 2u + i]);
    }
    let level1 = select(high1, 0.0, is_lowest(high1));
    let shrink1 = exp_falling(top1 - level1);
    top1 = high1;
    let e1 = weights_of(s1, level1);
    total1 = fma(total1, shrink1, (e1.x + e1.y) + (e1.z + e1.w));
    weights[(down + 1u) * 2u + across] = e1;
    o1_0 *= shrink1;
    o1_1 *= shrink1;
    workgroupBarrier();
    for (var four = 0u; four < 2u; four++) {
      let w0 = weights[(down + 0u) * 2u + four];
      let w1 = weights[(down + 1u) * 2u + four];
      let v0_0 = vec4<f32>(block[four * 12u + 0u + quad0]);
      o0_0 = fma(vec4<f32>(w0.x), v0_0, o0_0);
      o1_0 = fma(vec4<f32>(w1.x), v0_0, o1_0);
      let v0_1 = vec4<f32>(block[four * 12u + 3u + quad0]);
      o0_0 = fma(vec4<f32>(w0.y), v0_1, o0_0);
      o1_0 = fma(vec4<f32>(w1.y), v0_1, o1_0);
      let v0_2 = vec4<f32>(block[four * 12u + 6u + quad0]);
      o0_0 = fma(vec4<f32>(w0.z), v0_2, o0_0);
      o1_0 = fma(vec4<f32>(w1.z), v0_2, o1_0);
      let v0_3 = vec4<f32>(block[four * 12u + 9u + quad0]);
      o0_0 = fma(vec4<f32>(w0.w), v0_3, o0_0);
      o1_0 = fma(vec4<f32>(w1.w), v0_3, o1_0);
      let v1_0 = vec4<f32>(block[four * 12u + 0u + quad1]);
      o0_1 = fma(vec4<f32>(w0.x), v1_0, o0_1);
      o1_1 = fma(vec4<f32>(w1.x), v1_0, o1_1);
      let v1_1 = vec4<f32>(block[four * 12u + 3u + quad1]);
      o0_1 = fma(vec4<f32>(w0.y), v1_1, o0_1);
      o1_1 = fma(vec4<f32>(w1.y), v1_1, o1_1);
      let v1_2 = vec4<f32>(block[four * 12u + 6u + quad1]);
      o0_1 = fma(vec4<f32>(w0.z), v1_2, o0_1);
      o1_1 = fma(vec4<f32>(w1.z), v1_2, o1_1);
      let v1_3 = vec4<f32>(block[four * 12u + 9u + quad1]);
      o0_1 = fma(vec4<f32>(w0.w), v1_3, o0_1);
      o1_1 = fma(vec4<f32>(w1.w), v1_3, o1_1);
    }
    workgroupBarrier();
  }
  found[(down + 0u) * 2u + across] = total0;
  found[(down + 1u) * 2u + across] = total1;
  workgroupBarrier();
  var sum0 = 0.0;
  for (var i = 0u; i < 2u; i++) {
    sum0 += found[(down + 0u) * 2u + i];
  }
  let last_level0 = max(top0, 0.0);
  let last_shrink0 = exp_falling(top0 - last_level0);
  sum0 = fma(sum0, last_shrink0, exp_falling(-last_level0));
  o0_0 *= last_shrink0;
  o0_1 *= last_shrink0;
  var sum1 = 0.0;
  for (var i = 0u; i < 2u; i++) {
    sum1 += found[(down + 1u) * 2u + i];
  }
  let last_level1 = max(top1, 0.0);
  let last_shrink1 = exp_falling(top1 - last_level1);
  sum1 = fma(sum1, last_shrink1, exp_falling(-last_level1));
  o1_0 *= last_shrink1;
  o1_1 *= last_shrink1;
  if (place.row * 4u + down + 0u < p.queries) {
    let y_at = place.y + row0 * p.y.row;
    let inverse = 1.0 / sum0;
    let none = sum0 == 0.0;
    y[y_at + across + 0u] = vec4<elem>(select(o0_0 * inverse, vec4<f32>(bitcast<f32>(p.unseen)), none));
    if (across + 2u < 3u) { y[y_at + across + 2u] = vec4<elem>(select(o0_1 * inverse, vec4<f32>(bitcast<f32>(p.unseen)), none)); }
  }
  if (place.row * 4u + down + 1u < p.queries) {
    let y_at = place.y + row1 * p.y.row;
    let inverse = 1.0 / sum1;
    let none = sum1 == 0.0;
    y[y_at + across + 0u] = vec4<elem>(select(o1_0 * inverse, vec4<f32>(bitcast<f32>(p.unseen)), none));
    if (across + 2u < 3u) { y[y_at + across + 2u] = vec4<elem>(select(o1_1 * inverse, vec4<f32>(bitcast<f32>(p.unseen)), none)); }
  }
}
