// Softmax of rows of neighbours by segments (_line_rows.wgsl): the first dispatch finds the largest element, the second adds up, the third
// writes. As softmax.wgsl, with the same functions of the op.
struct Places {
  x: u32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;

fn places_of(row: u32, start: u32) -> Places {
  return Places(unaligned((row * p.length + start) / 4u));
}

fn number(at: Places, vector: u32, lane: u32) -> f32 {
  return pick(x[at.x + vector], x[at.x + vector + 1u], lane);
}

fn none() -> f32 {
  return lowest();
}

fn fold(a: f32, b: f32) -> f32 {
  return max(a, b);
}

fn fold_lanes(v: f32) -> f32 {
  return subgroupMax(v);
}

fn first_of(folded: f32) -> f32 {
  return folded;
}

fn term(v: f32, largest: f32) -> vec2<f32> {
  return vec2<f32>(exp_falling(v - largest), 0.0);
}

struct Scaling {
  largest: f32,
  scale: f32,
}

fn scaling_of(largest: f32, sums: vec2<f32>) -> Scaling {
  return Scaling(largest, scale_of(sums.x));
}

fn line_result(v: f32, by: Scaling, at: Places, vector: u32, lane: u32) -> f32 {
  return result(v - by.largest, by.scale);
}

fn keep(row: u32, by: Scaling) {
}

fn keep_number(at: u32, v: f32) {
}
