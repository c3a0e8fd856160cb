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
