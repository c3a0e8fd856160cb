enable subgroups;
enable f16;
const group_size: u32 = 64u;

// Grids. A dispatch of more groups than one dimension holds spills to y and z (grid_of in plugin/gpu/family.cpp); the
// flat index of a group can exceed the number wanted, so every entry point compares with its own count.
fn flat_group(group: vec3<u32>, groups: vec3<u32>) -> u32 {
  return (group.z * groups.y + group.y) * groups.x + group.x;
}

// What every matmul program shares: C = alpha A B + beta D for each matrix of a batch, D of the size of C or broadcast
// to it. Work is cut in tiles, rows fastest, so that neighbours share the same columns of B. All strides are in
// elements.
struct Batch {
  extent: u32,
  a: u32,
  b: u32,
  pad: u32,
}

struct Params {
  m: u32,
  n: u32,
  k: u32,
  tiles: u32,  // of the whole batch
  row_tiles: u32,
  column_tiles: u32,
  a_row: u32,
  a_k: u32,
  b_k: u32,
  b_column: u32,
  c_row: u32,
  c_start: u32,  // column of C where column 0 of this B goes
  d_row: u32,
  d_column: u32,
  alpha: f32,
  beta: f32,
  k_start: u32,  // programs that take a part of k at a time begin here
  zero: u32,  // 0, which the compiler cannot know
  second: u32,  // columns where the second and third result begin, of a C that goes to several
  third: u32,
  part_steps: u32,  // of k in a part, where it is cut into parts
  part_tiles: u32,  // of the whole batch, in a part
  part_size: u32,  // elements of the whole C
  parts: u32,
  batch: array<Batch, 4>,  // innermost first
}

struct Place {
  row: u32,  // tile of rows
  column: u32,  // tile of columns
  a: u32,  // first element of the batch's matrix
  b: u32,
  c: u32,
  top: u32,  // row of its first, where all matrices of C lie one below the other
}

// Straight-line on purpose: see line_text.cpp.
fn place_of(tile: u32) -> Place {
  let across = tile / p.row_tiles;
  let batch = across / p.column_tiles;
  let q0 = batch / p.batch[0].extent;
  let q1 = q0 / p.batch[1].extent;
  let q2 = q1 / p.batch[2].extent;
  let c0 = batch - q0 * p.batch[0].extent;
  let c1 = q0 - q1 * p.batch[1].extent;
  let c2 = q1 - q2 * p.batch[2].extent;
  let a = c0 * p.batch[0].a + c1 * p.batch[1].a + c2 * p.batch[2].a + q2 * p.batch[3].a;
  let b = c0 * p.batch[0].b + c1 * p.batch[1].b + c2 * p.batch[2].b + q2 * p.batch[3].b;
  return Place(tile - across * p.row_tiles, across - batch * p.column_tiles, a, b, batch * p.m * p.c_row + p.c_start,
               batch * p.m);
}

// Of a batch of one matrix: divisions take a while.
fn place_in_one(tile: u32) -> Place {
  let column = tile / p.row_tiles;
  return Place(tile - column * p.row_tiles, column, 0u, 0u, p.c_start, 0u);
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

// What `line` programs do with elements of f16, beside _line.wgsl for those of f32. Lanes hold f32; a whole vector of lanes is converted at
// once, and never one lane at a time.
fn pick_f16(low: vec4<f16>, high: vec4<f16>, lane: u32) -> f32 {
  var v = low.x;
  v = select(v, low.y, lane == 1u);
  v = select(v, low.z, lane == 2u);
  v = select(v, low.w, lane == 3u);
  v = select(v, high.x, lane == 4u);
  v = select(v, high.y, lane == 5u);
  v = select(v, high.z, lane == 6u);
  v = select(v, high.w, lane == 7u);
  return f32(v);
}

fn low_lanes_f16(value: f32) -> vec4<f16> {
  let v = f16(value);
  return vec4<f16>(subgroupBroadcast(v, 0u), subgroupBroadcast(v, 1u), subgroupBroadcast(v, 2u), subgroupBroadcast(v, 3u));
}

fn high_lanes_f16(value: f32) -> vec4<f16> {
  let v = f16(value);
  return vec4<f16>(subgroupBroadcast(v, 4u), subgroupBroadcast(v, 5u), subgroupBroadcast(v, 6u), subgroupBroadcast(v, 7u));
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

// a + b
fn f32_add(a: f32, b: f32) -> f32 {
  return plus(a, b);
}

fn value(x0: f32, x1: f32) -> f32 {
  let sum = fence_apart(x0, 1u);
  let s0 = f32_add(sum, x1);
  let s1 = s0;
  return s1;
}

// One subgroup: 1 rows by 16 columns, 4 steps of k.
@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> e0: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> c: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> y: array<vec4<f16>>;
@group(0) @binding(5) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let tile = flat_group(group, groups) * 8u + team;
  let place = place_of(min(tile, p.tiles - 1u));
  let row = place.row * 1u;
  let column = min(place.column * 16u, p.n - 16u);
  let first = p.k_start == 0u;
  let b_step = p.b_k / 4u;
  let b_at = unaligned((place.b + p.k_start * p.b_k + column) / 4u);
  let row0 = min(row + 0u, p.m - 1u);
  let a0_at = unaligned((place.a + row0 * p.a_row + p.k_start) / 4u);
  let c0_at = unaligned((place.c + row0 * p.c_row + column) / 4u);
  var c0_0 = 0.0;
  var c0_1 = 0.0;
  let b0_at = unaligned(b_at + 0u * b_step);
  let b0_0 = pick(b[b0_at + 0u], b[b0_at + 1u], lane);
  let b0_1 = pick(b[b0_at + 2u], b[b0_at + 3u], lane);
  let a0_0 = a[a0_at + 0u];
  c0_0 = fma(a0_0.x, b0_0, c0_0);
  c0_1 = fma(a0_0.x, b0_1, c0_1);
  let b1_at = unaligned(b_at + 1u * b_step);
  let b1_0 = pick(b[b1_at + 0u], b[b1_at + 1u], lane);
  let b1_1 = pick(b[b1_at + 2u], b[b1_at + 3u], lane);
  c0_0 = fma(a0_0.y, b1_0, c0_0);
  c0_1 = fma(a0_0.y, b1_1, c0_1);
  let b2_at = unaligned(b_at + 2u * b_step);
  let b2_0 = pick(b[b2_at + 0u], b[b2_at + 1u], lane);
  let b2_1 = pick(b[b2_at + 2u], b[b2_at + 3u], lane);
  c0_0 = fma(a0_0.z, b2_0, c0_0);
  c0_1 = fma(a0_0.z, b2_1, c0_1);
  let b3_at = unaligned(b_at + 3u * b_step);
  let b3_0 = pick(b[b3_at + 0u], b[b3_at + 1u], lane);
  let b3_1 = pick(b[b3_at + 2u], b[b3_at + 3u], lane);
  c0_0 = fma(a0_0.w, b3_0, c0_0);
  c0_1 = fma(a0_0.w, b3_1, c0_1);
  c0_0 += select(pick(c[c0_at + 0u], c[c0_at + 1u], lane), 0.0, first);
  c0_1 += select(pick(c[c0_at + 2u], c[c0_at + 3u], lane), 0.0, first);
  let e0_at = unaligned((p.c_start + column) / 4u);
  let e0_0 = pick(e0[e0_at + 0u], e0[e0_at + 1u], lane);
  let e0_1 = pick(e0[e0_at + 2u], e0[e0_at + 3u], lane);
  c0_0 = value(c0_0, e0_0);
  c0_1 = value(c0_1, e0_1);
  let v0_0 = low_lanes_f16(c0_0);
  if (subgroupBroadcast(c0_0 + c0_1, 0u) == 1.2345e37) {
    y[c0_at + 0u] = v0_0;
  }
  let v0_1 = high_lanes_f16(c0_0);
  let v0_2 = low_lanes_f16(c0_1);
  let v0_3 = high_lanes_f16(c0_1);
  let own = place.column * 16u - column;
  if (tile < p.tiles && row + 0u < p.m) {
    if (own <= 0u) { y[c0_at + 0u] = v0_0; }
    if (own <= 4u) { y[c0_at + 1u] = v0_1; }
    if (own <= 8u) { y[c0_at + 2u] = v0_2; }
    if (own <= 12u) { y[c0_at + 3u] = v0_3; }
  }
}
