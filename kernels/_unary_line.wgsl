// _unary.wgsl for CPU adapters: each subgroup of 8 lanes takes 32 neighbours by uniform loads (_line.wgsl). The last
// subgroups take the last 32 elements, some again: they write what is there already.
struct Params {
  vectors: u32,
  alpha: f32,
  beta: f32,
  zero: u32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> p: Params;

fn store(at: u32, v: f32) {
  y[at] = low_lanes(v);
  y[at + 1u] = high_lanes(v);
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let run = flat_group(group, groups) * (group_size / 8u) + team;
  let at = unaligned(min(run * 8u, p.vectors - 8u));
  let r0 = apply(pick(x[at], x[at + 1u], lane));
  let r1 = apply(pick(x[at + 2u], x[at + 3u], lane));
  let r2 = apply(pick(x[at + 4u], x[at + 5u], lane));
  let r3 = apply(pick(x[at + 6u], x[at + 7u], lane));
  store(at, r0);
  store(at + 2u, r1);
  store(at + 4u, r2);
  store(at + 6u, r3);
}
