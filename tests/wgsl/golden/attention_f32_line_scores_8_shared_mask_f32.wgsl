enable subgroups;
const group_size: u32 = 32u;
const chunk_keys: u32 = 16u;
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
// cache (past_k, past_v), then those given (k, v). Work is cut in tiles of query rows of one head and a part of the value's columns; rows fastest, so that neighbours share keys and values. All
// strides are in elements of the operand's binding.
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
  first_tile: u32,  // of a `line` program
  first_key: u32,
  last: u32,  // 1: no key is left
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
  let batch = flat_head / p.heads;
  let head = flat_head - batch * p.heads;
  let shared_head = head / p.group;
  return Place(tile - across * p.row_tiles, across - flat_head * p.column_tiles, batch, flat_head, head_of(p.q, batch, head),
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

// What the `line` programs of attention share (attention_line_text.h). A tile is 16 queries of a head, a chunk chunk_keys keys. Arrays
// between the programs, all of vec4, counted in tiles from p.first_tile on, but `turned`, which holds all of them:
//   turned [tile][column of q][16], weights [tile][key][16], found [tile][chunk][2][16], sums [tile][column of v][16].
// `found` has the largest score of the chunk and the sum of weights relative to it; behind `levels` the chunk's factor and, in the
// first chunk, the sum of the row.
fn found_at(tile: u32, chunk: u32) -> u32 {
  return (tile * p.parts + chunk) * 8u;
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
// lose of the exponent. Adding 1.5 * 2^23 leaves n in the low bits; the high part of n ln(2) is n 2839 / 4096 in
// integers, because compilers may merge two products with the same n and lose the low part; 2^n goes into the exponent's
// bits.
fn exp_core(x: f32, low: f32, lift: i32) -> f32 {
  let n = bitcast<i32>(fma(x + low, 1.44269504, 12582912.0)) - 0x4b400000;
  let r = fence(x - f32(n * 2839) * 0.000244140625) + fma(f32(n), -3.194618495e-5, low);
  let q = fma(r, fma(r, fma(r, fma(r, 0.00139262504, 0.00836323295), 0.0416665524), 0.166665763), 0.5);
  return bitcast<f32>(bitcast<i32>(fma(r * r, q, r) + 1.0) + ((n + lift) << 23u));
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
  let n = bitcast<i32>(fma(c, 1.44269504, 12582912.0)) - 0x4b400000;
  let r = fence(c - f32(n * 2839) * 0.000244140625) + f32(n) * -3.194618495e-5;
  let q = fma(r, fma(r, fma(r, fma(r, 0.00139262504, 0.00836323295), 0.0416665524), 0.166665763), 0.5);
  let scale = bitcast<f32>((n + 127) << 23u);
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

// Pieces of the `line` programs, for CPU adapters without bounds checks. `pick` gives each of 8 lanes its own of 8
// uniform values, a chain that compilers see as one vector load; `unaligned` is the index itself, of low bits that the
// compiler cannot know (p.zero is 0), since loads proven aligned are split. Loops and branches before the stores would
// undo both; so would masked lanes.
fn pick(low: vec4<f32>, high: vec4<f32>, lane: u32) -> f32 {
  var v = low.x;
  v = select(v, low.y, lane == 1u);
  v = select(v, low.z, lane == 2u);
  v = select(v, low.w, lane == 3u);
  v = select(v, high.x, lane == 4u);
  v = select(v, high.y, lane == 5u);
  v = select(v, high.z, lane == 6u);
  v = select(v, high.w, lane == 7u);
  return v;
}

fn unaligned(vector: u32) -> u32 {
  return (vector + p.zero) & 0x03ffffffu;
}

// The lanes of a value as the two vectors that `line` programs store.
fn low_lanes(v: f32) -> vec4<f32> {
  return vec4<f32>(subgroupBroadcast(v, 0u), subgroupBroadcast(v, 1u), subgroupBroadcast(v, 2u), subgroupBroadcast(v, 3u));
}

fn high_lanes(v: f32) -> vec4<f32> {
  return vec4<f32>(subgroupBroadcast(v, 4u), subgroupBroadcast(v, 5u), subgroupBroadcast(v, 6u), subgroupBroadcast(v, 7u));
}

@group(0) @binding(0) var<storage, read> turned: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> k: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> mask0: array<f32>;
@group(0) @binding(3) var<storage, read_write> weights: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> found: array<vec4<f32>>;
@group(0) @binding(5) var<uniform> p: Params;

fn masked0(score: f32, at: u32) -> f32 {
  return select(score + f32(mask0[at]), lowest(), is_lowest(f32(mask0[at])));
}

fn score(product: f32, place: Place, row: u32, key: u32) -> f32 {
  let own = min(row, p.queries - 1u);
  var s = p.scale * product;
  s = masked0(s, place.mask0 + min(key, p.keys - 1u) * p.mask0.w);
  s = select(lowest(), s, key < visible_keys(own, p.keys));
  return s;
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let tile = p.first_tile + group.x;
  let place = place_of(tile);
  let chunk = group.y * 4u + team;
  let key = chunk * chunk_keys;
  let weights_at = unaligned((group.x * p.parts * chunk_keys + key) * 4u);
  let found_to = found_at(group.x, chunk);
  var top_0 = lowest();
  var top_1 = lowest();
  var c0_0 = 0.0;
  var c0_1 = 0.0;
  var c1_0 = 0.0;
  var c1_1 = 0.0;
  var c2_0 = 0.0;
  var c2_1 = 0.0;
  var c3_0 = 0.0;
  var c3_1 = 0.0;
  c0_0 = 0.0;
  c0_1 = 0.0;
  let k0_at = unaligned(place.k + min(key + 0u, p.keys - 1u) * p.k.row);
  c1_0 = 0.0;
  c1_1 = 0.0;
  let k1_at = unaligned(place.k + min(key + 1u, p.keys - 1u) * p.k.row);
  c2_0 = 0.0;
  c2_1 = 0.0;
  let k2_at = unaligned(place.k + min(key + 2u, p.keys - 1u) * p.k.row);
  c3_0 = 0.0;
  c3_1 = 0.0;
  let k3_at = unaligned(place.k + min(key + 3u, p.keys - 1u) * p.k.row);
  let q0_at = unaligned(tile * 32u + 0u * p.zero);
  if (p.zero != 0u) {
    weights[lane] = vec4<f32>(c0_0 + c0_1 + c1_0 + c1_1 + c2_0 + c2_1 + c3_0 + c3_1);
  }
  let q0_0_0 = pick(turned[q0_at + 0u], turned[q0_at + 1u], lane);
  let q0_0_1 = pick(turned[q0_at + 2u], turned[q0_at + 3u], lane);
  let k0_0 = k[k0_at + 0u];
  c0_0 = fma(k0_0.x, q0_0_0, c0_0);
  c0_1 = fma(k0_0.x, q0_0_1, c0_1);
  let k1_0 = k[k1_at + 0u];
  c1_0 = fma(k1_0.x, q0_0_0, c1_0);
  c1_1 = fma(k1_0.x, q0_0_1, c1_1);
  let k2_0 = k[k2_at + 0u];
  c2_0 = fma(k2_0.x, q0_0_0, c2_0);
  c2_1 = fma(k2_0.x, q0_0_1, c2_1);
  let k3_0 = k[k3_at + 0u];
  c3_0 = fma(k3_0.x, q0_0_0, c3_0);
  c3_1 = fma(k3_0.x, q0_0_1, c3_1);
  let q0_1_0 = pick(turned[q0_at + 4u], turned[q0_at + 5u], lane);
  let q0_1_1 = pick(turned[q0_at + 6u], turned[q0_at + 7u], lane);
  c0_0 = fma(k0_0.y, q0_1_0, c0_0);
  c0_1 = fma(k0_0.y, q0_1_1, c0_1);
  c1_0 = fma(k1_0.y, q0_1_0, c1_0);
  c1_1 = fma(k1_0.y, q0_1_1, c1_1);
  c2_0 = fma(k2_0.y, q0_1_0, c2_0);
  c2_1 = fma(k2_0.y, q0_1_1, c2_1);
  c3_0 = fma(k3_0.y, q0_1_0, c3_0);
  c3_1 = fma(k3_0.y, q0_1_1, c3_1);
  let q0_2_0 = pick(turned[q0_at + 8u], turned[q0_at + 9u], lane);
  let q0_2_1 = pick(turned[q0_at + 10u], turned[q0_at + 11u], lane);
  c0_0 = fma(k0_0.z, q0_2_0, c0_0);
  c0_1 = fma(k0_0.z, q0_2_1, c0_1);
  c1_0 = fma(k1_0.z, q0_2_0, c1_0);
  c1_1 = fma(k1_0.z, q0_2_1, c1_1);
  c2_0 = fma(k2_0.z, q0_2_0, c2_0);
  c2_1 = fma(k2_0.z, q0_2_1, c2_1);
  c3_0 = fma(k3_0.z, q0_2_0, c3_0);
  c3_1 = fma(k3_0.z, q0_2_1, c3_1);
  let q0_3_0 = pick(turned[q0_at + 12u], turned[q0_at + 13u], lane);
  let q0_3_1 = pick(turned[q0_at + 14u], turned[q0_at + 15u], lane);
  c0_0 = fma(k0_0.w, q0_3_0, c0_0);
  c0_1 = fma(k0_0.w, q0_3_1, c0_1);
  c1_0 = fma(k1_0.w, q0_3_0, c1_0);
  c1_1 = fma(k1_0.w, q0_3_1, c1_1);
  c2_0 = fma(k2_0.w, q0_3_0, c2_0);
  c2_1 = fma(k2_0.w, q0_3_1, c2_1);
  c3_0 = fma(k3_0.w, q0_3_0, c3_0);
  c3_1 = fma(k3_0.w, q0_3_1, c3_1);
  let q0_4_0 = pick(turned[q0_at + 16u], turned[q0_at + 17u], lane);
  let q0_4_1 = pick(turned[q0_at + 18u], turned[q0_at + 19u], lane);
  let k0_1 = k[k0_at + 1u];
  c0_0 = fma(k0_1.x, q0_4_0, c0_0);
  c0_1 = fma(k0_1.x, q0_4_1, c0_1);
  let k1_1 = k[k1_at + 1u];
  c1_0 = fma(k1_1.x, q0_4_0, c1_0);
  c1_1 = fma(k1_1.x, q0_4_1, c1_1);
  let k2_1 = k[k2_at + 1u];
  c2_0 = fma(k2_1.x, q0_4_0, c2_0);
  c2_1 = fma(k2_1.x, q0_4_1, c2_1);
  let k3_1 = k[k3_at + 1u];
  c3_0 = fma(k3_1.x, q0_4_0, c3_0);
  c3_1 = fma(k3_1.x, q0_4_1, c3_1);
  let q0_5_0 = pick(turned[q0_at + 20u], turned[q0_at + 21u], lane);
  let q0_5_1 = pick(turned[q0_at + 22u], turned[q0_at + 23u], lane);
  c0_0 = fma(k0_1.y, q0_5_0, c0_0);
  c0_1 = fma(k0_1.y, q0_5_1, c0_1);
  c1_0 = fma(k1_1.y, q0_5_0, c1_0);
  c1_1 = fma(k1_1.y, q0_5_1, c1_1);
  c2_0 = fma(k2_1.y, q0_5_0, c2_0);
  c2_1 = fma(k2_1.y, q0_5_1, c2_1);
  c3_0 = fma(k3_1.y, q0_5_0, c3_0);
  c3_1 = fma(k3_1.y, q0_5_1, c3_1);
  let q0_6_0 = pick(turned[q0_at + 24u], turned[q0_at + 25u], lane);
  let q0_6_1 = pick(turned[q0_at + 26u], turned[q0_at + 27u], lane);
  c0_0 = fma(k0_1.z, q0_6_0, c0_0);
  c0_1 = fma(k0_1.z, q0_6_1, c0_1);
  c1_0 = fma(k1_1.z, q0_6_0, c1_0);
  c1_1 = fma(k1_1.z, q0_6_1, c1_1);
  c2_0 = fma(k2_1.z, q0_6_0, c2_0);
  c2_1 = fma(k2_1.z, q0_6_1, c2_1);
  c3_0 = fma(k3_1.z, q0_6_0, c3_0);
  c3_1 = fma(k3_1.z, q0_6_1, c3_1);
  let q0_7_0 = pick(turned[q0_at + 28u], turned[q0_at + 29u], lane);
  let q0_7_1 = pick(turned[q0_at + 30u], turned[q0_at + 31u], lane);
  c0_0 = fma(k0_1.w, q0_7_0, c0_0);
  c0_1 = fma(k0_1.w, q0_7_1, c0_1);
  c1_0 = fma(k1_1.w, q0_7_0, c1_0);
  c1_1 = fma(k1_1.w, q0_7_1, c1_1);
  c2_0 = fma(k2_1.w, q0_7_0, c2_0);
  c2_1 = fma(k2_1.w, q0_7_1, c2_1);
  c3_0 = fma(k3_1.w, q0_7_0, c3_0);
  c3_1 = fma(k3_1.w, q0_7_1, c3_1);
  if (p.zero != 0u) {
    weights[lane] = vec4<f32>(c0_0 + c0_1 + c1_0 + c1_1 + c2_0 + c2_1 + c3_0 + c3_1);
  }
  let s0_0 = score(c0_0, place, place.row * 16u + 0u + lane, key + 0u);
  top_0 = max(top_0, s0_0);
  weights[weights_at + 0u] = low_lanes(s0_0);
  weights[weights_at + 1u] = high_lanes(s0_0);
  let s0_1 = score(c0_1, place, place.row * 16u + 8u + lane, key + 0u);
  top_1 = max(top_1, s0_1);
  weights[weights_at + 2u] = low_lanes(s0_1);
  weights[weights_at + 3u] = high_lanes(s0_1);
  let s1_0 = score(c1_0, place, place.row * 16u + 0u + lane, key + 1u);
  top_0 = max(top_0, s1_0);
  weights[weights_at + 4u] = low_lanes(s1_0);
  weights[weights_at + 5u] = high_lanes(s1_0);
  let s1_1 = score(c1_1, place, place.row * 16u + 8u + lane, key + 1u);
  top_1 = max(top_1, s1_1);
  weights[weights_at + 6u] = low_lanes(s1_1);
  weights[weights_at + 7u] = high_lanes(s1_1);
  let s2_0 = score(c2_0, place, place.row * 16u + 0u + lane, key + 2u);
  top_0 = max(top_0, s2_0);
  weights[weights_at + 8u] = low_lanes(s2_0);
  weights[weights_at + 9u] = high_lanes(s2_0);
  let s2_1 = score(c2_1, place, place.row * 16u + 8u + lane, key + 2u);
  top_1 = max(top_1, s2_1);
  weights[weights_at + 10u] = low_lanes(s2_1);
  weights[weights_at + 11u] = high_lanes(s2_1);
  let s3_0 = score(c3_0, place, place.row * 16u + 0u + lane, key + 3u);
  top_0 = max(top_0, s3_0);
  weights[weights_at + 12u] = low_lanes(s3_0);
  weights[weights_at + 13u] = high_lanes(s3_0);
  let s3_1 = score(c3_1, place, place.row * 16u + 8u + lane, key + 3u);
  top_1 = max(top_1, s3_1);
  weights[weights_at + 14u] = low_lanes(s3_1);
  weights[weights_at + 15u] = high_lanes(s3_1);
  c0_0 = 0.0;
  c0_1 = 0.0;
  let k4_at = unaligned(place.k + min(key + 4u, p.keys - 1u) * p.k.row);
  c1_0 = 0.0;
  c1_1 = 0.0;
  let k5_at = unaligned(place.k + min(key + 5u, p.keys - 1u) * p.k.row);
  c2_0 = 0.0;
  c2_1 = 0.0;
  let k6_at = unaligned(place.k + min(key + 6u, p.keys - 1u) * p.k.row);
  c3_0 = 0.0;
  c3_1 = 0.0;
  let k7_at = unaligned(place.k + min(key + 7u, p.keys - 1u) * p.k.row);
  let q4_at = unaligned(tile * 32u + 4u * p.zero);
  if (p.zero != 0u) {
    weights[lane] = vec4<f32>(c0_0 + c0_1 + c1_0 + c1_1 + c2_0 + c2_1 + c3_0 + c3_1);
  }
  let q4_0_0 = pick(turned[q4_at + 0u], turned[q4_at + 1u], lane);
  let q4_0_1 = pick(turned[q4_at + 2u], turned[q4_at + 3u], lane);
  let k4_0 = k[k4_at + 0u];
  c0_0 = fma(k4_0.x, q4_0_0, c0_0);
  c0_1 = fma(k4_0.x, q4_0_1, c0_1);
  let k5_0 = k[k5_at + 0u];
  c1_0 = fma(k5_0.x, q4_0_0, c1_0);
  c1_1 = fma(k5_0.x, q4_0_1, c1_1);
  let k6_0 = k[k6_at + 0u];
  c2_0 = fma(k6_0.x, q4_0_0, c2_0);
  c2_1 = fma(k6_0.x, q4_0_1, c2_1);
  let k7_0 = k[k7_at + 0u];
  c3_0 = fma(k7_0.x, q4_0_0, c3_0);
  c3_1 = fma(k7_0.x, q4_0_1, c3_1);
  let q4_1_0 = pick(turned[q4_at + 4u], turned[q4_at + 5u], lane);
  let q4_1_1 = pick(turned[q4_at + 6u], turned[q4_at + 7u], lane);
  c0_0 = fma(k4_0.y, q4_1_0, c0_0);
  c0_1 = fma(k4_0.y, q4_1_1, c0_1);
  c1_0 = fma(k5_0.y, q4_1_0, c1_0);
  c1_1 = fma(k5_0.y, q4_1_1, c1_1);
  c2_0 = fma(k6_0.y, q4_1_0, c2_0);
  c2_1 = fma(k6_0.y, q4_1_1, c2_1);
  c3_0 = fma(k7_0.y, q4_1_0, c3_0);
  c3_1 = fma(k7_0.y, q4_1_1, c3_1);
  let q4_2_0 = pick(turned[q4_at + 8u], turned[q4_at + 9u], lane);
  let q4_2_1 = pick(turned[q4_at + 10u], turned[q4_at + 11u], lane);
  c0_0 = fma(k4_0.z, q4_2_0, c0_0);
  c0_1 = fma(k4_0.z, q4_2_1, c0_1);
  c1_0 = fma(k5_0.z, q4_2_0, c1_0);
  c1_1 = fma(k5_0.z, q4_2_1, c1_1);
  c2_0 = fma(k6_0.z, q4_2_0, c2_0);
  c2_1 = fma(k6_0.z, q4_2_1, c2_1);
  c3_0 = fma(k7_0.z, q4_2_0, c3_0);
  c3_1 = fma(k7_0.z, q4_2_1, c3_1);
  let q4_3_0 = pick(turned[q4_at + 12u], turned[q4_at + 13u], lane);
  let q4_3_1 = pick(turned[q4_at + 14u], turned[q4_at + 15u], lane);
  c0_0 = fma(k4_0.w, q4_3_0, c0_0);
  c0_1 = fma(k4_0.w, q4_3_1, c0_1);
  c1_0 = fma(k5_0.w, q4_3_0, c1_0);
  c1_1 = fma(k5_0.w, q4_3_1, c1_1);
  c2_0 = fma(k6_0.w, q4_3_0, c2_0);
  c2_1 = fma(k6_0.w, q4_3_1, c2_1);
  c3_0 = fma(k7_0.w, q4_3_0, c3_0);
  c3_1 = fma(k7_0.w, q4_3_1, c3_1);
  let q4_4_0 = pick(turned[q4_at + 16u], turned[q4_at + 17u], lane);
  let q4_4_1 = pick(turned[q4_at + 18u], turned[q4_at + 19u], lane);
  let k4_1 = k[k4_at + 1u];
  c0_0 = fma(k4_1.x, q4_4_0, c0_0);
  c0_1 = fma(k4_1.x, q4_4_1, c0_1);
  let k5_1 = k[k5_at + 1u];
  c1_0 = fma(k5_1.x, q4_4_0, c1_0);
  c1_1 = fma(k5_1.x, q4_4_1, c1_1);
  let k6_1 = k[k6_at + 1u];
  c2_0 = fma(k6_1.x, q4_4_0, c2_0);
  c2_1 = fma(k6_1.x, q4_4_1, c2_1);
  let k7_1 = k[k7_at + 1u];
  c3_0 = fma(k7_1.x, q4_4_0, c3_0);
  c3_1 = fma(k7_1.x, q4_4_1, c3_1);
  let q4_5_0 = pick(turned[q4_at + 20u], turned[q4_at + 21u], lane);
  let q4_5_1 = pick(turned[q4_at + 22u], turned[q4_at + 23u], lane);
  c0_0 = fma(k4_1.y, q4_5_0, c0_0);
  c0_1 = fma(k4_1.y, q4_5_1, c0_1);
  c1_0 = fma(k5_1.y, q4_5_0, c1_0);
  c1_1 = fma(k5_1.y, q4_5_1, c1_1);
  c2_0 = fma(k6_1.y, q4_5_0, c2_0);
  c2_1 = fma(k6_1.y, q4_5_1, c2_1);
  c3_0 = fma(k7_1.y, q4_5_0, c3_0);
  c3_1 = fma(k7_1.y, q4_5_1, c3_1);
  let q4_6_0 = pick(turned[q4_at + 24u], turned[q4_at + 25u], lane);
  let q4_6_1 = pick(turned[q4_at + 26u], turned[q4_at + 27u], lane);
  c0_0 = fma(k4_1.z, q4_6_0, c0_0);
  c0_1 = fma(k4_1.z, q4_6_1, c0_1);
  c1_0 = fma(k5_1.z, q4_6_0, c1_0);
  c1_1 = fma(k5_1.z, q4_6_1, c1_1);
  c2_0 = fma(k6_1.z, q4_6_0, c2_0);
  c2_1 = fma(k6_1.z, q4_6_1, c2_1);
  c3_0 = fma(k7_1.z, q4_6_0, c3_0);
  c3_1 = fma(k7_1.z, q4_6_1, c3_1);
  let q4_7_0 = pick(turned[q4_at + 28u], turned[q4_at + 29u], lane);
  let q4_7_1 = pick(turned[q4_at + 30u], turned[q4_at + 31u], lane);
  c0_0 = fma(k4_1.w, q4_7_0, c0_0);
  c0_1 = fma(k4_1.w, q4_7_1, c0_1);
  c1_0 = fma(k5_1.w, q4_7_0, c1_0);
  c1_1 = fma(k5_1.w, q4_7_1, c1_1);
  c2_0 = fma(k6_1.w, q4_7_0, c2_0);
  c2_1 = fma(k6_1.w, q4_7_1, c2_1);
  c3_0 = fma(k7_1.w, q4_7_0, c3_0);
  c3_1 = fma(k7_1.w, q4_7_1, c3_1);
  if (p.zero != 0u) {
    weights[lane] = vec4<f32>(c0_0 + c0_1 + c1_0 + c1_1 + c2_0 + c2_1 + c3_0 + c3_1);
  }
  let s4_0 = score(c0_0, place, place.row * 16u + 0u + lane, key + 4u);
  top_0 = max(top_0, s4_0);
  weights[weights_at + 16u] = low_lanes(s4_0);
  weights[weights_at + 17u] = high_lanes(s4_0);
  let s4_1 = score(c0_1, place, place.row * 16u + 8u + lane, key + 4u);
  top_1 = max(top_1, s4_1);
  weights[weights_at + 18u] = low_lanes(s4_1);
  weights[weights_at + 19u] = high_lanes(s4_1);
  let s5_0 = score(c1_0, place, place.row * 16u + 0u + lane, key + 5u);
  top_0 = max(top_0, s5_0);
  weights[weights_at + 20u] = low_lanes(s5_0);
  weights[weights_at + 21u] = high_lanes(s5_0);
  let s5_1 = score(c1_1, place, place.row * 16u + 8u + lane, key + 5u);
  top_1 = max(top_1, s5_1);
  weights[weights_at + 22u] = low_lanes(s5_1);
  weights[weights_at + 23u] = high_lanes(s5_1);
  let s6_0 = score(c2_0, place, place.row * 16u + 0u + lane, key + 6u);
  top_0 = max(top_0, s6_0);
  weights[weights_at + 24u] = low_lanes(s6_0);
  weights[weights_at + 25u] = high_lanes(s6_0);
  let s6_1 = score(c2_1, place, place.row * 16u + 8u + lane, key + 6u);
  top_1 = max(top_1, s6_1);
  weights[weights_at + 26u] = low_lanes(s6_1);
  weights[weights_at + 27u] = high_lanes(s6_1);
  let s7_0 = score(c3_0, place, place.row * 16u + 0u + lane, key + 7u);
  top_0 = max(top_0, s7_0);
  weights[weights_at + 28u] = low_lanes(s7_0);
  weights[weights_at + 29u] = high_lanes(s7_0);
  let s7_1 = score(c3_1, place, place.row * 16u + 8u + lane, key + 7u);
  top_1 = max(top_1, s7_1);
  weights[weights_at + 30u] = low_lanes(s7_1);
  weights[weights_at + 31u] = high_lanes(s7_1);
  c0_0 = 0.0;
  c0_1 = 0.0;
  let k8_at = unaligned(place.k + min(key + 8u, p.keys - 1u) * p.k.row);
  c1_0 = 0.0;
  c1_1 = 0.0;
  let k9_at = unaligned(place.k + min(key + 9u, p.keys - 1u) * p.k.row);
  c2_0 = 0.0;
  c2_1 = 0.0;
  let k10_at = unaligned(place.k + min(key + 10u, p.keys - 1u) * p.k.row);
  c3_0 = 0.0;
  c3_1 = 0.0;
  let k11_at = unaligned(place.k + min(key + 11u, p.keys - 1u) * p.k.row);
  let q8_at = unaligned(tile * 32u + 8u * p.zero);
  if (p.zero != 0u) {
    weights[lane] = vec4<f32>(c0_0 + c0_1 + c1_0 + c1_1 + c2_0 + c2_1 + c3_0 + c3_1);
  }
  let q8_0_0 = pick(turned[q8_at + 0u], turned[q8_at + 1u], lane);
  let q8_0_1 = pick(turned[q8_at + 2u], turned[q8_at + 3u], lane);
  let k8_0 = k[k8_at + 0u];
  c0_0 = fma(k8_0.x, q8_0_0, c0_0);
  c0_1 = fma(k8_0.x, q8_0_1, c0_1);
  let k9_0 = k[k9_at + 0u];
  c1_0 = fma(k9_0.x, q8_0_0, c1_0);
  c1_1 = fma(k9_0.x, q8_0_1, c1_1);
  let k10_0 = k[k10_at + 0u];
  c2_0 = fma(k10_0.x, q8_0_0, c2_0);
  c2_1 = fma(k10_0.x, q8_0_1, c2_1);
  let k11_0 = k[k11_at + 0u];
  c3_0 = fma(k11_0.x, q8_0_0, c3_0);
  c3_1 = fma(k11_0.x, q8_0_1, c3_1);
  let q8_1_0 = pick(turned[q8_at + 4u], turned[q8_at + 5u], lane);
  let q8_1_1 = pick(turned[q8_at + 6u], turned[q8_at + 7u], lane);
  c0_0 = fma(k8_0.y, q8_1_0, c0_0);
  c0_1 = fma(k8_0.y, q8_1_1, c0_1);
  c1_0 = fma(k9_0.y, q8_1_0, c1_0);
  c1_1 = fma(k9_0.y, q8_1_1, c1_1);
  c2_0 = fma(k10_0.y, q8_1_0, c2_0);
  c2_1 = fma(k10_0.y, q8_1_1, c2_1);
  c3_0 = fma(k11_0.y, q8_1_0, c3_0);
  c3_1 = fma(k11_0.y, q8_1_1, c3_1);
  let q8_2_0 = pick(turned[q8_at + 8u], turned[q8_at + 9u], lane);
  let q8_2_1 = pick(turned[q8_at + 10u], turned[q8_at + 11u], lane);
  c0_0 = fma(k8_0.z, q8_2_0, c0_0);
  c0_1 = fma(k8_0.z, q8_2_1, c0_1);
  c1_0 = fma(k9_0.z, q8_2_0, c1_0);
  c1_1 = fma(k9_0.z, q8_2_1, c1_1);
  c2_0 = fma(k10_0.z, q8_2_0, c2_0);
  c2_1 = fma(k10_0.z, q8_2_1, c2_1);
  c3_0 = fma(k11_0.z, q8_2_0, c3_0);
  c3_1 = fma(k11_0.z, q8_2_1, c3_1);
  let q8_3_0 = pick(turned[q8_at + 12u], turned[q8_at + 13u], lane);
  let q8_3_1 = pick(turned[q8_at + 14u], turned[q8_at + 15u], lane);
  c0_0 = fma(k8_0.w, q8_3_0, c0_0);
  c0_1 = fma(k8_0.w, q8_3_1, c0_1);
  c1_0 = fma(k9_0.w, q8_3_0, c1_0);
  c1_1 = fma(k9_0.w, q8_3_1, c1_1);
  c2_0 = fma(k10_0.w, q8_3_0, c2_0);
  c2_1 = fma(k10_0.w, q8_3_1, c2_1);
  c3_0 = fma(k11_0.w, q8_3_0, c3_0);
  c3_1 = fma(k11_0.w, q8_3_1, c3_1);
  let q8_4_0 = pick(turned[q8_at + 16u], turned[q8_at + 17u], lane);
  let q8_4_1 = pick(turned[q8_at + 18u], turned[q8_at + 19u], lane);
  let k8_1 = k[k8_at + 1u];
  c0_0 = fma(k8_1.x, q8_4_0, c0_0);
  c0_1 = fma(k8_1.x, q8_4_1, c0_1);
  let k9_1 = k[k9_at + 1u];
  c1_0 = fma(k9_1.x, q8_4_0, c1_0);
  c1_1 = fma(k9_1.x, q8_4_1, c1_1);
  let k10_1 = k[k10_at + 1u];
  c2_0 = fma(k10_1.x, q8_4_0, c2_0);
  c2_1 = fma(k10_1.x, q8_4_1, c2_1);
  let k11_1 = k[k11_at + 1u];
  c3_0 = fma(k11_1.x, q8_4_0, c3_0);
  c3_1 = fma(k11_1.x, q8_4_1, c3_1);
  let q8_5_0 = pick(turned[q8_at + 20u], turned[q8_at + 21u], lane);
  let q8_5_1 = pick(turned[q8_at + 22u], turned[q8_at + 23u], lane);
  c0_0 = fma(k8_1.y, q8_5_0, c0_0);
  c0_1 = fma(k8_1.y, q8_5_1, c0_1);
  c1_0 = fma(k9_1.y, q8_5_0, c1_0);
  c1_1 = fma(k9_1.y, q8_5_1, c1_1);
  c2_0 = fma(k10_1.y, q8_5_0, c2_0);
  c2_1 = fma(k10_1.y, q8_5_1, c2_1);
  c3_0 = fma(k11_1.y, q8_5_0, c3_0);
  c3_1 = fma(k11_1.y, q8_5_1, c3_1);
  let q8_6_0 = pick(turned[q8_at + 24u], turned[q8_at + 25u], lane);
  let q8_6_1 = pick(turned[q8_at + 26u], turned[q8_at + 27u], lane);
  c0_0 = fma(k8_1.z, q8_6_0, c0_0);
  c0_1 = fma(k8_1.z, q8_6_1, c0_1);
  c1_0 = fma(k9_1.z, q8_6_0, c1_0);
  c1_1 = fma(k9_1.z, q8_6_1, c1_1);
  c2_0 = fma(k10_1.z, q8_6_0, c2_0);
  c2_1 = fma(k10_1.z, q8_6_1, c2_1);
  c3_0 = fma(k11_1.z, q8_6_0, c3_0);
  c3_1 = fma(k11_1.z, q8_6_1, c3_1);
  let q8_7_0 = pick(turned[q8_at + 28u], turned[q8_at + 29u], lane);
  let q8_7_1 = pick(turned[q8_at + 30u], turned[q8_at + 31u], lane);
  c0_0 = fma(k8_1.w, q8_7_0, c0_0);
  c0_1 = fma(k8_1.w, q8_7_1, c0_1);
  c1_0 = fma(k9_1.w, q8_7_0, c1_0);
  c1_1 = fma(k9_1.w, q8_7_1, c1_1);
  c2_0 = fma(k10_1.w, q8_7_0, c2_0);
  c2_1 = fma(k10_1.w, q8_7_1, c2_1);
  c3_0 = fma(k11_1.w, q8_7_0, c3_0);
  c3_1 = fma(k11_1.w, q8_7_1, c3_1);
  if (p.zero != 0u) {
    weights[lane] = vec4<f32>(c0_0 + c0_1 + c1_0 + c1_1 + c2_0 + c2_1 + c3_0 + c3_1);
  }
  let s8_0 = score(c0_0, place, place.row * 16u + 0u + lane, key + 8u);
  top_0 = max(top_0, s8_0);
  weights[weights_at + 32u] = low_lanes(s8_0);
  weights[weights_at + 33u] = high_lanes(s8_0);
  let s8_1 = score(c0_1, place, place.row * 16u + 8u + lane, key + 8u);
  top_1 = max(top_1, s8_1);
  weights[weights_at + 34u] = low_lanes(s8_1);
  weights[weights_at + 35u] = high_lanes(s8_1);
  let s9_0 = score(c1_0, place, place.row * 16u + 0u + lane, key + 9u);
  top_0 = max(top_0, s9_0);
  weights[weights_at + 36u] = low_lanes(s9_0);
  weights[weights_at + 37u] = high_lanes(s9_0);
  let s9_1 = score(c1_1, place, place.row * 16u + 8u + lane, key + 9u);
  top_1 = max(top_1, s9_1);
  weights[weights_at + 38u] = low_lanes(s9_1);
  weights[weights_at + 39u] = high_lanes(s9_1);
  let s10_0 = score(c2_0, place, place.row * 16u + 0u + lane, key + 10u);
  top_0 = max(top_0, s10_0);
  weights[weights_at + 40u] = low_lanes(s10_0);
  weights[weights_at + 41u] = high_lanes(s10_0);
  let s10_1 = score(c2_1, place, place.row * 16u + 8u + lane, key + 10u);
  top_1 = max(top_1, s10_1);
  weights[weights_at + 42u] = low_lanes(s10_1);
  weights[weights_at + 43u] = high_lanes(s10_1);
  let s11_0 = score(c3_0, place, place.row * 16u + 0u + lane, key + 11u);
  top_0 = max(top_0, s11_0);
  weights[weights_at + 44u] = low_lanes(s11_0);
  weights[weights_at + 45u] = high_lanes(s11_0);
  let s11_1 = score(c3_1, place, place.row * 16u + 8u + lane, key + 11u);
  top_1 = max(top_1, s11_1);
  weights[weights_at + 46u] = low_lanes(s11_1);
  weights[weights_at + 47u] = high_lanes(s11_1);
  c0_0 = 0.0;
  c0_1 = 0.0;
  let k12_at = unaligned(place.k + min(key + 12u, p.keys - 1u) * p.k.row);
  c1_0 = 0.0;
  c1_1 = 0.0;
  let k13_at = unaligned(place.k + min(key + 13u, p.keys - 1u) * p.k.row);
  c2_0 = 0.0;
  c2_1 = 0.0;
  let k14_at = unaligned(place.k + min(key + 14u, p.keys - 1u) * p.k.row);
  c3_0 = 0.0;
  c3_1 = 0.0;
  let k15_at = unaligned(place.k + min(key + 15u, p.keys - 1u) * p.k.row);
  let q12_at = unaligned(tile * 32u + 12u * p.zero);
  if (p.zero != 0u) {
    weights[lane] = vec4<f32>(c0_0 + c0_1 + c1_0 + c1_1 + c2_0 + c2_1 + c3_0 + c3_1);
  }
  let q12_0_0 = pick(turned[q12_at + 0u], turned[q12_at + 1u], lane);
  let q12_0_1 = pick(turned[q12_at + 2u], turned[q12_at + 3u], lane);
  let k12_0 = k[k12_at + 0u];
  c0_0 = fma(k12_0.x, q12_0_0, c0_0);
  c0_1 = fma(k12_0.x, q12_0_1, c0_1);
  let k13_0 = k[k13_at + 0u];
  c1_0 = fma(k13_0.x, q12_0_0, c1_0);
  c1_1 = fma(k13_0.x, q12_0_1, c1_1);
  let k14_0 = k[k14_at + 0u];
  c2_0 = fma(k14_0.x, q12_0_0, c2_0);
  c2_1 = fma(k14_0.x, q12_0_1, c2_1);
  let k15_0 = k[k15_at + 0u];
  c3_0 = fma(k15_0.x, q12_0_0, c3_0);
  c3_1 = fma(k15_0.x, q12_0_1, c3_1);
  let q12_1_0 = pick(turned[q12_at + 4u], turned[q12_at + 5u], lane);
  let q12_1_1 = pick(turned[q12_at + 6u], turned[q12_at + 7u], lane);
  c0_0 = fma(k12_0.y, q12_1_0, c0_0);
  c0_1 = fma(k12_0.y, q12_1_1, c0_1);
  c1_0 = fma(k13_0.y, q12_1_0, c1_0);
  c1_1 = fma(k13_0.y, q12_1_1, c1_1);
  c2_0 = fma(k14_0.y, q12_1_0, c2_0);
  c2_1 = fma(k14_0.y, q12_1_1, c2_1);
  c3_0 = fma(k15_0.y, q12_1_0, c3_0);
  c3_1 = fma(k15_0.y, q12_1_1, c3_1);
  let q12_2_0 = pick(turned[q12_at + 8u], turned[q12_at + 9u], lane);
  let q12_2_1 = pick(turned[q12_at + 10u], turned[q12_at + 11u], lane);
  c0_0 = fma(k12_0.z, q12_2_0, c0_0);
  c0_1 = fma(k12_0.z, q12_2_1, c0_1);
  c1_0 = fma(k13_0.z, q12_2_0, c1_0);
  c1_1 = fma(k13_0.z, q12_2_1, c1_1);
  c2_0 = fma(k14_0.z, q12_2_0, c2_0);
  c2_1 = fma(k14_0.z, q12_2_1, c2_1);
  c3_0 = fma(k15_0.z, q12_2_0, c3_0);
  c3_1 = fma(k15_0.z, q12_2_1, c3_1);
  let q12_3_0 = pick(turned[q12_at + 12u], turned[q12_at + 13u], lane);
  let q12_3_1 = pick(turned[q12_at + 14u], turned[q12_at + 15u], lane);
  c0_0 = fma(k12_0.w, q12_3_0, c0_0);
  c0_1 = fma(k12_0.w, q12_3_1, c0_1);
  c1_0 = fma(k13_0.w, q12_3_0, c1_0);
  c1_1 = fma(k13_0.w, q12_3_1, c1_1);
  c2_0 = fma(k14_0.w, q12_3_0, c2_0);
  c2_1 = fma(k14_0.w, q12_3_1, c2_1);
  c3_0 = fma(k15_0.w, q12_3_0, c3_0);
  c3_1 = fma(k15_0.w, q12_3_1, c3_1);
  let q12_4_0 = pick(turned[q12_at + 16u], turned[q12_at + 17u], lane);
  let q12_4_1 = pick(turned[q12_at + 18u], turned[q12_at + 19u], lane);
  let k12_1 = k[k12_at + 1u];
  c0_0 = fma(k12_1.x, q12_4_0, c0_0);
  c0_1 = fma(k12_1.x, q12_4_1, c0_1);
  let k13_1 = k[k13_at + 1u];
  c1_0 = fma(k13_1.x, q12_4_0, c1_0);
  c1_1 = fma(k13_1.x, q12_4_1, c1_1);
  let k14_1 = k[k14_at + 1u];
  c2_0 = fma(k14_1.x, q12_4_0, c2_0);
  c2_1 = fma(k14_1.x, q12_4_1, c2_1);
  let k15_1 = k[k15_at + 1u];
  c3_0 = fma(k15_1.x, q12_4_0, c3_0);
  c3_1 = fma(k15_1.x, q12_4_1, c3_1);
  let q12_5_0 = pick(turned[q12_at + 20u], turned[q12_at + 21u], lane);
  let q12_5_1 = pick(turned[q12_at + 22u], turned[q12_at + 23u], lane);
  c0_0 = fma(k12_1.y, q12_5_0, c0_0);
  c0_1 = fma(k12_1.y, q12_5_1, c0_1);
  c1_0 = fma(k13_1.y, q12_5_0, c1_0);
  c1_1 = fma(k13_1.y, q12_5_1, c1_1);
  c2_0 = fma(k14_1.y, q12_5_0, c2_0);
  c2_1 = fma(k14_1.y, q12_5_1, c2_1);
  c3_0 = fma(k15_1.y, q12_5_0, c3_0);
  c3_1 = fma(k15_1.y, q12_5_1, c3_1);
  let q12_6_0 = pick(turned[q12_at + 24u], turned[q12_at + 25u], lane);
  let q12_6_1 = pick(turned[q12_at + 26u], turned[q12_at + 27u], lane);
  c0_0 = fma(k12_1.z, q12_6_0, c0_0);
  c0_1 = fma(k12_1.z, q12_6_1, c0_1);
  c1_0 = fma(k13_1.z, q12_6_0, c1_0);
  c1_1 = fma(k13_1.z, q12_6_1, c1_1);
  c2_0 = fma(k14_1.z, q12_6_0, c2_0);
  c2_1 = fma(k14_1.z, q12_6_1, c2_1);
  c3_0 = fma(k15_1.z, q12_6_0, c3_0);
  c3_1 = fma(k15_1.z, q12_6_1, c3_1);
  let q12_7_0 = pick(turned[q12_at + 28u], turned[q12_at + 29u], lane);
  let q12_7_1 = pick(turned[q12_at + 30u], turned[q12_at + 31u], lane);
  c0_0 = fma(k12_1.w, q12_7_0, c0_0);
  c0_1 = fma(k12_1.w, q12_7_1, c0_1);
  c1_0 = fma(k13_1.w, q12_7_0, c1_0);
  c1_1 = fma(k13_1.w, q12_7_1, c1_1);
  c2_0 = fma(k14_1.w, q12_7_0, c2_0);
  c2_1 = fma(k14_1.w, q12_7_1, c2_1);
  c3_0 = fma(k15_1.w, q12_7_0, c3_0);
  c3_1 = fma(k15_1.w, q12_7_1, c3_1);
  if (p.zero != 0u) {
    weights[lane] = vec4<f32>(c0_0 + c0_1 + c1_0 + c1_1 + c2_0 + c2_1 + c3_0 + c3_1);
  }
  let s12_0 = score(c0_0, place, place.row * 16u + 0u + lane, key + 12u);
  top_0 = max(top_0, s12_0);
  weights[weights_at + 48u] = low_lanes(s12_0);
  weights[weights_at + 49u] = high_lanes(s12_0);
  let s12_1 = score(c0_1, place, place.row * 16u + 8u + lane, key + 12u);
  top_1 = max(top_1, s12_1);
  weights[weights_at + 50u] = low_lanes(s12_1);
  weights[weights_at + 51u] = high_lanes(s12_1);
  let s13_0 = score(c1_0, place, place.row * 16u + 0u + lane, key + 13u);
  top_0 = max(top_0, s13_0);
  weights[weights_at + 52u] = low_lanes(s13_0);
  weights[weights_at + 53u] = high_lanes(s13_0);
  let s13_1 = score(c1_1, place, place.row * 16u + 8u + lane, key + 13u);
  top_1 = max(top_1, s13_1);
  weights[weights_at + 54u] = low_lanes(s13_1);
  weights[weights_at + 55u] = high_lanes(s13_1);
  let s14_0 = score(c2_0, place, place.row * 16u + 0u + lane, key + 14u);
  top_0 = max(top_0, s14_0);
  weights[weights_at + 56u] = low_lanes(s14_0);
  weights[weights_at + 57u] = high_lanes(s14_0);
  let s14_1 = score(c2_1, place, place.row * 16u + 8u + lane, key + 14u);
  top_1 = max(top_1, s14_1);
  weights[weights_at + 58u] = low_lanes(s14_1);
  weights[weights_at + 59u] = high_lanes(s14_1);
  let s15_0 = score(c3_0, place, place.row * 16u + 0u + lane, key + 15u);
  top_0 = max(top_0, s15_0);
  weights[weights_at + 60u] = low_lanes(s15_0);
  weights[weights_at + 61u] = high_lanes(s15_0);
  let s15_1 = score(c3_1, place, place.row * 16u + 8u + lane, key + 15u);
  top_1 = max(top_1, s15_1);
  weights[weights_at + 62u] = low_lanes(s15_1);
  weights[weights_at + 63u] = high_lanes(s15_1);
  let level_0 = select(top_0, 0.0, is_lowest(top_0));
  var total_0 = 0.0;
  let level_1 = select(top_1, 0.0, is_lowest(top_1));
  var total_1 = 0.0;
  if (p.zero != 0u) {
    weights[lane] = vec4<f32>(total_0 + total_1);
  }
  let t0_0 = pick(weights[weights_at + 0u], weights[weights_at + 1u], lane);
  let t0_1 = pick(weights[weights_at + 2u], weights[weights_at + 3u], lane);
  let e0_0 = exp_falling(t0_0 - level_0);
  total_0 += e0_0;
  weights[weights_at + 0u] = low_lanes(e0_0);
  weights[weights_at + 1u] = high_lanes(e0_0);
  let e0_1 = exp_falling(t0_1 - level_1);
  total_1 += e0_1;
  weights[weights_at + 2u] = low_lanes(e0_1);
  weights[weights_at + 3u] = high_lanes(e0_1);
  let t1_0 = pick(weights[weights_at + 4u], weights[weights_at + 5u], lane);
  let t1_1 = pick(weights[weights_at + 6u], weights[weights_at + 7u], lane);
  let e1_0 = exp_falling(t1_0 - level_0);
  total_0 += e1_0;
  weights[weights_at + 4u] = low_lanes(e1_0);
  weights[weights_at + 5u] = high_lanes(e1_0);
  let e1_1 = exp_falling(t1_1 - level_1);
  total_1 += e1_1;
  weights[weights_at + 6u] = low_lanes(e1_1);
  weights[weights_at + 7u] = high_lanes(e1_1);
  let t2_0 = pick(weights[weights_at + 8u], weights[weights_at + 9u], lane);
  let t2_1 = pick(weights[weights_at + 10u], weights[weights_at + 11u], lane);
  let e2_0 = exp_falling(t2_0 - level_0);
  total_0 += e2_0;
  weights[weights_at + 8u] = low_lanes(e2_0);
  weights[weights_at + 9u] = high_lanes(e2_0);
  let e2_1 = exp_falling(t2_1 - level_1);
  total_1 += e2_1;
  weights[weights_at + 10u] = low_lanes(e2_1);
  weights[weights_at + 11u] = high_lanes(e2_1);
  let t3_0 = pick(weights[weights_at + 12u], weights[weights_at + 13u], lane);
  let t3_1 = pick(weights[weights_at + 14u], weights[weights_at + 15u], lane);
  let e3_0 = exp_falling(t3_0 - level_0);
  total_0 += e3_0;
  weights[weights_at + 12u] = low_lanes(e3_0);
  weights[weights_at + 13u] = high_lanes(e3_0);
  let e3_1 = exp_falling(t3_1 - level_1);
  total_1 += e3_1;
  weights[weights_at + 14u] = low_lanes(e3_1);
  weights[weights_at + 15u] = high_lanes(e3_1);
  if (p.zero != 0u) {
    weights[lane] = vec4<f32>(total_0 + total_1);
  }
  let t4_0 = pick(weights[weights_at + 16u], weights[weights_at + 17u], lane);
  let t4_1 = pick(weights[weights_at + 18u], weights[weights_at + 19u], lane);
  let e4_0 = exp_falling(t4_0 - level_0);
  total_0 += e4_0;
  weights[weights_at + 16u] = low_lanes(e4_0);
  weights[weights_at + 17u] = high_lanes(e4_0);
  let e4_1 = exp_falling(t4_1 - level_1);
  total_1 += e4_1;
  weights[weights_at + 18u] = low_lanes(e4_1);
  weights[weights_at + 19u] = high_lanes(e4_1);
  let t5_0 = pick(weights[weights_at + 20u], weights[weights_at + 21u], lane);
  let t5_1 = pick(weights[weights_at + 22u], weights[weights_at + 23u], lane);
  let e5_0 = exp_falling(t5_0 - level_0);
  total_0 += e5_0;
  weights[weights_at + 20u] = low_lanes(e5_0);
  weights[weights_at + 21u] = high_lanes(e5_0);
  let e5_1 = exp_falling(t5_1 - level_1);
  total_1 += e5_1;
  weights[weights_at + 22u] = low_lanes(e5_1);
  weights[weights_at + 23u] = high_lanes(e5_1);
  let t6_0 = pick(weights[weights_at + 24u], weights[weights_at + 25u], lane);
  let t6_1 = pick(weights[weights_at + 26u], weights[weights_at + 27u], lane);
  let e6_0 = exp_falling(t6_0 - level_0);
  total_0 += e6_0;
  weights[weights_at + 24u] = low_lanes(e6_0);
  weights[weights_at + 25u] = high_lanes(e6_0);
  let e6_1 = exp_falling(t6_1 - level_1);
  total_1 += e6_1;
  weights[weights_at + 26u] = low_lanes(e6_1);
  weights[weights_at + 27u] = high_lanes(e6_1);
  let t7_0 = pick(weights[weights_at + 28u], weights[weights_at + 29u], lane);
  let t7_1 = pick(weights[weights_at + 30u], weights[weights_at + 31u], lane);
  let e7_0 = exp_falling(t7_0 - level_0);
  total_0 += e7_0;
  weights[weights_at + 28u] = low_lanes(e7_0);
  weights[weights_at + 29u] = high_lanes(e7_0);
  let e7_1 = exp_falling(t7_1 - level_1);
  total_1 += e7_1;
  weights[weights_at + 30u] = low_lanes(e7_1);
  weights[weights_at + 31u] = high_lanes(e7_1);
  if (p.zero != 0u) {
    weights[lane] = vec4<f32>(total_0 + total_1);
  }
  let t8_0 = pick(weights[weights_at + 32u], weights[weights_at + 33u], lane);
  let t8_1 = pick(weights[weights_at + 34u], weights[weights_at + 35u], lane);
  let e8_0 = exp_falling(t8_0 - level_0);
  total_0 += e8_0;
  weights[weights_at + 32u] = low_lanes(e8_0);
  weights[weights_at + 33u] = high_lanes(e8_0);
  let e8_1 = exp_falling(t8_1 - level_1);
  total_1 += e8_1;
  weights[weights_at + 34u] = low_lanes(e8_1);
  weights[weights_at + 35u] = high_lanes(e8_1);
  let t9_0 = pick(weights[weights_at + 36u], weights[weights_at + 37u], lane);
  let t9_1 = pick(weights[weights_at + 38u], weights[weights_at + 39u], lane);
  let e9_0 = exp_falling(t9_0 - level_0);
  total_0 += e9_0;
  weights[weights_at + 36u] = low_lanes(e9_0);
  weights[weights_at + 37u] = high_lanes(e9_0);
  let e9_1 = exp_falling(t9_1 - level_1);
  total_1 += e9_1;
  weights[weights_at + 38u] = low_lanes(e9_1);
  weights[weights_at + 39u] = high_lanes(e9_1);
  let t10_0 = pick(weights[weights_at + 40u], weights[weights_at + 41u], lane);
  let t10_1 = pick(weights[weights_at + 42u], weights[weights_at + 43u], lane);
  let e10_0 = exp_falling(t10_0 - level_0);
  total_0 += e10_0;
  weights[weights_at + 40u] = low_lanes(e10_0);
  weights[weights_at + 41u] = high_lanes(e10_0);
  let e10_1 = exp_falling(t10_1 - level_1);
  total_1 += e10_1;
  weights[weights_at + 42u] = low_lanes(e10_1);
  weights[weights_at + 43u] = high_lanes(e10_1);
  let t11_0 = pick(weights[weights_at + 44u], weights[weights_at + 45u], lane);
  let t11_1 = pick(weights[weights_at + 46u], weights[weights_at + 47u], lane);
  let e11_0 = exp_falling(t11_0 - level_0);
  total_0 += e11_0;
  weights[weights_at + 44u] = low_lanes(e11_0);
  weights[weights_at + 45u] = high_lanes(e11_0);
  let e11_1 = exp_falling(t11_1 - level_1);
  total_1 += e11_1;
  weights[weights_at + 46u] = low_lanes(e11_1);
  weights[weights_at + 47u] = high_lanes(e11_1);
  if (p.zero != 0u) {
    weights[lane] = vec4<f32>(total_0 + total_1);
  }
  let t12_0 = pick(weights[weights_at + 48u], weights[weights_at + 49u], lane);
  let t12_1 = pick(weights[weights_at + 50u], weights[weights_at + 51u], lane);
  let e12_0 = exp_falling(t12_0 - level_0);
  total_0 += e12_0;
  weights[weights_at + 48u] = low_lanes(e12_0);
  weights[weights_at + 49u] = high_lanes(e12_0);
  let e12_1 = exp_falling(t12_1 - level_1);
  total_1 += e12_1;
  weights[weights_at + 50u] = low_lanes(e12_1);
  weights[weights_at + 51u] = high_lanes(e12_1);
  let t13_0 = pick(weights[weights_at + 52u], weights[weights_at + 53u], lane);
  let t13_1 = pick(weights[weights_at + 54u], weights[weights_at + 55u], lane);
  let e13_0 = exp_falling(t13_0 - level_0);
  total_0 += e13_0;
  weights[weights_at + 52u] = low_lanes(e13_0);
  weights[weights_at + 53u] = high_lanes(e13_0);
  let e13_1 = exp_falling(t13_1 - level_1);
  total_1 += e13_1;
  weights[weights_at + 54u] = low_lanes(e13_1);
  weights[weights_at + 55u] = high_lanes(e13_1);
  let t14_0 = pick(weights[weights_at + 56u], weights[weights_at + 57u], lane);
  let t14_1 = pick(weights[weights_at + 58u], weights[weights_at + 59u], lane);
  let e14_0 = exp_falling(t14_0 - level_0);
  total_0 += e14_0;
  weights[weights_at + 56u] = low_lanes(e14_0);
  weights[weights_at + 57u] = high_lanes(e14_0);
  let e14_1 = exp_falling(t14_1 - level_1);
  total_1 += e14_1;
  weights[weights_at + 58u] = low_lanes(e14_1);
  weights[weights_at + 59u] = high_lanes(e14_1);
  let t15_0 = pick(weights[weights_at + 60u], weights[weights_at + 61u], lane);
  let t15_1 = pick(weights[weights_at + 62u], weights[weights_at + 63u], lane);
  let e15_0 = exp_falling(t15_0 - level_0);
  total_0 += e15_0;
  weights[weights_at + 60u] = low_lanes(e15_0);
  weights[weights_at + 61u] = high_lanes(e15_0);
  let e15_1 = exp_falling(t15_1 - level_1);
  total_1 += e15_1;
  weights[weights_at + 62u] = low_lanes(e15_1);
  weights[weights_at + 63u] = high_lanes(e15_1);
  found[found_to + 0u] = low_lanes(top_0);
  found[found_to + 1u] = high_lanes(top_0);
  found[found_to + 4u] = low_lanes(total_0);
  found[found_to + 5u] = high_lanes(total_0);
  found[found_to + 2u] = low_lanes(top_1);
  found[found_to + 3u] = high_lanes(top_1);
  found[found_to + 6u] = low_lanes(total_1);
  found[found_to + 7u] = high_lanes(total_1);
}
