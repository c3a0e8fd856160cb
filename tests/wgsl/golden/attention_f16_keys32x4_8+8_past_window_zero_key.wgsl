enable f16;
const group_size: u32 = 32u;
alias elem = f16;
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

// Each lane owns keys of 8 elements and 8 columns of the result.
@group(0) @binding(0) var<storage, read> q: array<vec4<elem>>;
@group(0) @binding(1) var<storage, read> k: array<vec4<elem>>;
@group(0) @binding(2) var<storage, read> v: array<vec4<elem>>;
@group(0) @binding(3) var<storage, read> past_k: array<vec4<elem>>;
@group(0) @binding(4) var<storage, read> past_v: array<vec4<elem>>;
@group(0) @binding(5) var<storage, read_write> sums: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> levels: array<vec2<f32>>;
@group(0) @binding(7) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let tile = flat_group(group, groups);
  if (tile >= p.tiles) {
    return;
  }
  let part = tile % p.parts;
  let place = place_of(tile / p.parts);
  let row = place.row;
  let q_at = place.q + min(row, p.queries - 1u) * p.q.row;
  let column = place.column * 2u;
  let q0 = vec4<f32>(q[q_at + 0u]);
  let q1 = vec4<f32>(q[q_at + 1u]);
  var o0 = vec4<f32>();
  let v0_in = min(column + 0u, 2u);
  var o1 = vec4<f32>();
  let v1_in = min(column + 1u, 2u);
  let meets_zero = part == 0u && lane == 0u;
  var top = select(lowest(), 0.0, meets_zero);
  var total = select(0.0, 1.0, meets_zero);
  let length = p.keys;
  let seen = visible_keys(min(row, p.queries - 1u), length);
  let first = first_key(min(row, p.queries - 1u), length);
  let part_first = max(part * p.part_keys, first);
  let all_seen = min(seen, (part + 1u) * p.part_keys);
  let cached = min(all_seen, p.past);
  let seen_cached = min(seen, cached);
  for (var t = max(part_first, 0u) + lane; t < cached; t += 128u) {
    let t0 = min(t, cached - 1u);
    let k0_at = place.past_k + t0 * p.past_k.row;
    var d0 = vec4<f32>();
    let t1 = min(t + 32u, cached - 1u);
    let k1_at = place.past_k + t1 * p.past_k.row;
    var d1 = vec4<f32>();
    let t2 = min(t + 64u, cached - 1u);
    let k2_at = place.past_k + t2 * p.past_k.row;
    var d2 = vec4<f32>();
    let t3 = min(t + 96u, cached - 1u);
    let k3_at = place.past_k + t3 * p.past_k.row;
    var d3 = vec4<f32>();
    d0 = fma(q0, vec4<f32>(past_k[k0_at + 0u]), d0);
    d1 = fma(q0, vec4<f32>(past_k[k1_at + 0u]), d1);
    d2 = fma(q0, vec4<f32>(past_k[k2_at + 0u]), d2);
    d3 = fma(q0, vec4<f32>(past_k[k3_at + 0u]), d3);
    d0 = fma(q1, vec4<f32>(past_k[k0_at + 1u]), d0);
    d1 = fma(q1, vec4<f32>(past_k[k1_at + 1u]), d1);
    d2 = fma(q1, vec4<f32>(past_k[k2_at + 1u]), d2);
    d3 = fma(q1, vec4<f32>(past_k[k3_at + 1u]), d3);
    var s0 = p.scale * ((d0.x + d0.y) + (d0.z + d0.w));
    s0 = select(lowest(), s0, t < cached);
    var s1 = p.scale * ((d1.x + d1.y) + (d1.z + d1.w));
    s1 = select(lowest(), s1, t + 32u < cached);
    var s2 = p.scale * ((d2.x + d2.y) + (d2.z + d2.w));
    s2 = select(lowest(), s2, t + 64u < cached);
    var s3 = p.scale * ((d3.x + d3.y) + (d3.z + d3.w));
    s3 = select(lowest(), s3, t + 96u < cached);
    let high = max(top, max(max(s0, s1), max(s2, s3)));
    let level = select(high, 0.0, is_lowest(high));
    let shrink = exp_falling(top - level);
    top = high;
    let e0 = exp_falling(s0 - level);
    let e1 = exp_falling(s1 - level);
    let e2 = exp_falling(s2 - level);
    let e3 = exp_falling(s3 - level);
    total = fma(total, shrink, (e0 + e1) + (e2 + e3));
    let v0_at = place.past_v + t0 * p.past_v.row;
    let v1_at = place.past_v + t1 * p.past_v.row;
    let v2_at = place.past_v + t2 * p.past_v.row;
    let v3_at = place.past_v + t3 * p.past_v.row;
    o0 *= shrink;
    o0 = fma(vec4<f32>(e0), vec4<f32>(past_v[v0_at + v0_in]), o0);
    o0 = fma(vec4<f32>(e1), vec4<f32>(past_v[v1_at + v0_in]), o0);
    o0 = fma(vec4<f32>(e2), vec4<f32>(past_v[v2_at + v0_in]), o0);
    o0 = fma(vec4<f32>(e3), vec4<f32>(past_v[v3_at + v0_in]), o0);
    o1 *= shrink;
    o1 = fma(vec4<f32>(e0), vec4<f32>(past_v[v0_at + v1_in]), o1);
    o1 = fma(vec4<f32>(e1), vec4<f32>(past_v[v1_at + v1_in]), o1);
    o1 = fma(vec4<f32>(e2), vec4<f32>(past_v[v2_at + v1_in]), o1);
    o1 = fma(vec4<f32>(e3), vec4<f32>(past_v[v3_at + v1_in]), o1);
  }
  for (var t = max(part_first, p.past) + lane; t < all_seen; t += 128u) {
    let t0 = min(t, all_seen - 1u);
    let k0_at = place.k + (t0 - p.past) * p.k.row;
    var d0 = vec4<f32>();
    let t1 = min(t + 32u, all_seen - 1u);
    let k1_at = place.k + (t1 - p.past) * p.k.row;
    var d1 = vec4<f32>();
    let t2 = min(t + 64u, all_seen - 1u);
    let k2_at = place.k + (t2 - p.past) * p.k.row;
    var d2 = vec4<f32>();
    let t3 = min(t + 96u, all_seen - 1u);
    let k3_at = place.k + (t3 - p.past) * p.k.row;
    var d3 = vec4<f32>();
    d0 = fma(q0, vec4<f32>(k[k0_at + 0u]), d0);
    d1 = fma(q0, vec4<f32>(k[k1_at + 0u]), d1);
    d2 = fma(q0, vec4<f32>(k[k2_at + 0u]), d2);
    d3 = fma(q0, vec4<f32>(k[k3_at + 0u]), d3);
    d0 = fma(q1, vec4<f32>(k[k0_at + 1u]), d0);
    d1 = fma(q1, vec4<f32>(k[k1_at + 1u]), d1);
    d2 = fma(q1, vec4<f32>(k[k2_at + 1u]), d2);
    d3 = fma(q1, vec4<f32>(k[k3_at + 1u]), d3);
    var s0 = p.scale * ((d0.x + d0.y) + (d0.z + d0.w));
    s0 = select(lowest(), s0, t < all_seen);
    var s1 = p.scale * ((d1.x + d1.y) + (d1.z + d1.w));
    s1 = select(lowest(), s1, t + 32u < all_seen);
    var s2 = p.scale * ((d2.x + d2.y) + (d2.z + d2.w));
    s2 = select(lowest(), s2, t + 64u < all_seen);
    var s3 = p.scale * ((d3.x + d3.y) + (d3.z + d3.w));
    s3 = select(lowest(), s3, t + 96u < all_seen);
    let high = max(top, max(max(s0, s1), max(s2, s3)));
    let level = select(high, 0.0, is_lowest(high));
    let shrink = exp_falling(top - level);
    top = high;
    let e0 = exp_falling(s0 - level);
    let e1 = exp_falling(s1 - level);
    let e2 = exp_falling(s2 - level);
    let e3 = exp_falling(s3 - level);
    total = fma(total, shrink, (e0 + e1) + (e2 + e3));
    let v0_at = place.v + (t0 - p.past) * p.v.row;
    let v1_at = place.v + (t1 - p.past) * p.v.row;
    let v2_at = place.v + (t2 - p.past) * p.v.row;
    let v3_at = place.v + (t3 - p.past) * p.v.row;
    o0 *= shrink;
    o0 = fma(vec4<f32>(e0), vec4<f32>(v[v0_at + v0_in]), o0);
    o0 = fma(vec4<f32>(e1), vec4<f32>(v[v1_at + v0_in]), o0);
    o0 = fma(vec4<f32>(e2), vec4<f32>(v[v2_at + v0_in]), o0);
    o0 = fma(vec4<f32>(e3), vec4<f32>(v[v3_at + v0_in]), o0);
    o1 *= shrink;
    o1 = fma(vec4<f32>(e0), vec4<f32>(v[v0_at + v1_in]), o1);
    o1 = fma(vec4<f32>(e1), vec4<f32>(v[v1_at + v1_in]), o1);
    o1 = fma(vec4<f32>(e2), vec4<f32>(v[v2_at + v1_in]), o1);
    o1 = fma(vec4<f32>(e3), vec4<f32>(v[v3_at + v1_in]), o1);
  }
  let slot = ((place.head * p.queries + row) * p.parts + part) * group_size + lane;
  let sums_at = slot * 3u + column;
  if (column + 0u < 3u) { sums[sums_at + 0u] = o0; }
  if (column + 1u < 3u) { sums[sums_at + 1u] = o1; }
  if (place.column == 0u) {
    levels[slot] = vec2<f32>(top, total);
  }
}
