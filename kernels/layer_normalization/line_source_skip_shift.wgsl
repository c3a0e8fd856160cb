// x + skip + shift, the last of the last axis alone.
@group(0) @binding(binding_skip) var<storage, read> skip: array<vec4<f32>>;
@group(0) @binding(binding_shift) var<storage, read> shifts: array<vec4<f32>>;

fn number(at: Places, vector: u32, lane: u32) -> f32 {
  let sum = pick(x[at.x + vector], x[at.x + vector + 1u], lane) + pick(skip[at.skip + vector], skip[at.skip + vector + 1u], lane);
  return sum + pick(shifts[at.column + vector], shifts[at.column + vector + 1u], lane);
}
