enable subgroups;
const group_size: u32 = 16u;
const chunk_keys: u32 = 8u;
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

// What the `line` programs of attention share (attention_line_text.h). A tile is 16 queries of a head, a chunk chunk_keys keys, a stretch
// the chunks of a dispatch of `values`, or of several that are shorter. A dispatch takes a lot of tiles: row tiles along y, heads along z.
// Arrays between the programs, all of vec4; tiles are those of the lot, but in `turned`, which has all of them:
//   values [head][column of four][key], turned [tile][column of q][16], weights [tile][key][16], found [tile][chunk][2][16],
//   rows [tile][stretch][2][16], sums [tile][column of v][16].
// `found` has the largest score of a chunk and the sum of weights relative to it; behind `levels` the chunk's factor, which makes weights
// relative to the largest score of the stretch. `rows` has the same of stretches; behind `rows` factors that make them relative to
// the largest score of all and, in the first stretch, the sum of all.

// Where a workgroup is, and the number of its tile in the lot.
fn line_place(group: vec3<u32>) -> Place {
  return place_in(p.first_head + group.z, p.first_row + group.y, 0u);
}

fn tile_of(group: vec3<u32>) -> u32 {
  return group.z * p.row_tiles + group.y;
}

fn found_at(tile: u32, chunk: u32) -> u32 {
  return (tile * p.chunks + chunk) * 8u;
}

fn rows_at(tile: u32, stretch: u32) -> u32 {
  return (tile * p.stretches + stretch) * 8u;
}

// Vectors of a column, filled up to an odd number of what a subgroup gathers: a power of two would put all columns in the same lines of a cache.
fn row_of_values() -> u32 {
  return ((p.keys + 15u) & ~15u) | 16u;
}

fn values_of(place: Place, columns: u32, column: u32) -> u32 {
  return (place.head / p.group * columns + column) * row_of_values();
}

// The larger one; of a NaN it may be the other, whose weight then tells. One instruction, where max takes three.
fn higher(a: f32, b: f32) -> f32 {
  return select(a, b, a < b);
}

// e^x for x <= 0 in steps, which programs order themselves: 2^t with t = x log2(e), and n = t in whole numbers, whose 127 more in the
// low bits of n_of become an exponent. What t loses to rounding is worth |x| e^x / 2^24, half a rounding of sums in which the largest
// weight is 1. Results up to 2^-127 are 0; NaN stays NaN in every step.
fn t_of(x: f32) -> f32 {
  let t = x * 1.44269504;
  return select(t, -127.0, t < -127.0);
}

fn n_of(t: f32) -> f32 {
  return fence(t + 12583039.0);  // 1.5 * 2^23 + 127
}

fn rest_of(t: f32, n: f32) -> f32 {
  return t - (n - 12583039.0);
}

fn power_begin(rest: f32) -> f32 {
  return fma(rest, fma(rest, 0.00132647133, 0.00967152324), 0.0555073395);
}

fn power_end(n: f32, rest: f32, begun: f32) -> f32 {
  let power = fma(rest, fma(rest, fma(rest, begun, 0.240222424), 0.693147004), 1.0);
  return power * bitcast<f32>(bitcast<u32>(n) << 23u);
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

@group(0) @binding(0) var<storage, read_write> found: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> rows: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let chunk = group.x * 9u;
  let found_from = unaligned(found_at(group.y, chunk) + team * 2u);
  let rows_at = unaligned(rows_at(group.y, group.x) + team * 2u);
  let m0 = select(lowest(), pick(found[found_from + 0u], found[found_from + 1u], lane), chunk + 0u < p.parts);
  let m1 = select(lowest(), pick(found[found_from + 8u], found[found_from + 9u], lane), chunk + 1u < p.parts);
  let m2 = select(lowest(), pick(found[found_from + 16u], found[found_from + 17u], lane), chunk + 2u < p.parts);
  let m3 = select(lowest(), pick(found[found_from + 24u], found[found_from + 25u], lane), chunk + 3u < p.parts);
  let m4 = select(lowest(), pick(found[found_from + 32u], found[found_from + 33u], lane), chunk + 4u < p.parts);
  let m5 = select(lowest(), pick(found[found_from + 40u], found[found_from + 41u], lane), chunk + 5u < p.parts);
  let m6 = select(lowest(), pick(found[found_from + 48u], found[found_from + 49u], lane), chunk + 6u < p.parts);
  let m7 = select(lowest(), pick(found[found_from + 56u], found[found_from + 57u], lane), chunk + 7u < p.parts);
  let m8 = select(lowest(), pick(found[found_from + 64u], found[found_from + 65u], lane), chunk + 8u < p.parts);
  let top = higher(higher(higher(higher(m0, m1), higher(m2, m3)), higher(higher(m4, m5), higher(m6, m7))), m8);
  let level = select(top, 0.0, is_lowest(top));
  let t0 = t_of(m0 - level);
  let n0 = n_of(t0);
  let r0 = rest_of(t0, n0);
  let t1 = t_of(m1 - level);
  let n1 = n_of(t1);
  let r1 = rest_of(t1, n1);
  let t2 = t_of(m2 - level);
  let n2 = n_of(t2);
  let r2 = rest_of(t2, n2);
  let t3 = t_of(m3 - level);
  let n3 = n_of(t3);
  let r3 = rest_of(t3, n3);
  let t4 = t_of(m4 - level);
  let n4 = n_of(t4);
  let r4 = rest_of(t4, n4);
  let t5 = t_of(m5 - level);
  let n5 = n_of(t5);
  let r5 = rest_of(t5, n5);
  let t6 = t_of(m6 - level);
  let n6 = n_of(t6);
  let r6 = rest_of(t6, n6);
  let t7 = t_of(m7 - level);
  let n7 = n_of(t7);
  let r7 = rest_of(t7, n7);
  if (p.zero != 0u) {
    found[lane] = vec4<f32>(r0 + r1 + r2 + r3 + r4 + r5 + r6 + r7);
  }
  let b0 = power_begin(r0);
  let b1 = power_begin(r1);
  let b2 = power_begin(r2);
  let b3 = power_begin(r3);
  let b4 = power_begin(r4);
  let b5 = power_begin(r5);
  let b6 = power_begin(r6);
  let b7 = power_begin(r7);
  if (p.zero != 0u) {
    found[lane] = vec4<f32>(b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7);
  }
  let e0 = power_end(n0, r0, b0);
  let e1 = power_end(n1, r1, b1);
  let e2 = power_end(n2, r2, b2);
  let e3 = power_end(n3, r3, b3);
  let e4 = power_end(n4, r4, b4);
  let e5 = power_end(n5, r5, b5);
  let e6 = power_end(n6, r6, b6);
  let e7 = power_end(n7, r7, b7);
  let t8 = t_of(m8 - level);
  let n8 = n_of(t8);
  let r8 = rest_of(t8, n8);
  if (p.zero != 0u) {
    found[lane] = vec4<f32>(r8);
  }
  let b8 = power_begin(r8);
  if (p.zero != 0u) {
    found[lane] = vec4<f32>(b8);
  }
  let e8 = power_end(n8, r8, b8);
  var total = 0.0;
  total = fma(e0, select(0.0, pick(found[found_from + 4u], found[found_from + 5u], lane), chunk + 0u < p.parts), total);
  total = fma(e1, select(0.0, pick(found[found_from + 12u], found[found_from + 13u], lane), chunk + 1u < p.parts), total);
  total = fma(e2, select(0.0, pick(found[found_from + 20u], found[found_from + 21u], lane), chunk + 2u < p.parts), total);
  total = fma(e3, select(0.0, pick(found[found_from + 28u], found[found_from + 29u], lane), chunk + 3u < p.parts), total);
  total = fma(e4, select(0.0, pick(found[found_from + 36u], found[found_from + 37u], lane), chunk + 4u < p.parts), total);
  total = fma(e5, select(0.0, pick(found[found_from + 44u], found[found_from + 45u], lane), chunk + 5u < p.parts), total);
  total = fma(e6, select(0.0, pick(found[found_from + 52u], found[found_from + 53u], lane), chunk + 6u < p.parts), total);
  total = fma(e7, select(0.0, pick(found[found_from + 60u], found[found_from + 61u], lane), chunk + 7u < p.parts), total);
  total = fma(e8, select(0.0, pick(found[found_from + 68u], found[found_from + 69u], lane), chunk + 8u < p.parts), total);
  found[found_from + 0u] = low_lanes(e0);
  found[found_from + 1u] = high_lanes(e0);
  found[found_from + 8u] = low_lanes(e1);
  found[found_from + 9u] = high_lanes(e1);
  found[found_from + 16u] = low_lanes(e2);
  found[found_from + 17u] = high_lanes(e2);
  found[found_from + 24u] = low_lanes(e3);
  found[found_from + 25u] = high_lanes(e3);
  found[found_from + 32u] = low_lanes(e4);
  found[found_from + 33u] = high_lanes(e4);
  found[found_from + 40u] = low_lanes(e5);
  found[found_from + 41u] = high_lanes(e5);
  found[found_from + 48u] = low_lanes(e6);
  found[found_from + 49u] = high_lanes(e6);
  found[found_from + 56u] = low_lanes(e7);
  found[found_from + 57u] = high_lanes(e7);
  found[found_from + 64u] = low_lanes(e8);
  found[found_from + 65u] = high_lanes(e8);
  rows[rows_at + 0u] = low_lanes(top);
  rows[rows_at + 1u] = high_lanes(top);
  rows[rows_at + 4u] = low_lanes(total);
  rows[rows_at + 5u] = high_lanes(total);
}
