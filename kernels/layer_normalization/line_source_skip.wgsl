// x + skip; skip begins again after its last row.
@group(0) @binding(binding_skip) var<storage, read> skip: array<vec4<f32>>;

fn number(at: Places, vector: u32, lane: u32) -> f32 {
  return pick(x[at.x + vector], x[at.x + vector + 1u], lane) + pick(skip[at.skip + vector], skip[at.skip + vector + 1u], lane);
}
