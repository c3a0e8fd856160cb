// value(i) = apply(x[i]) with the functor of the op's own file, of any type: see _each.wgsl and _packed.wgsl.
struct Params {
  count: u32,
  alpha: f32,
  beta: f32,
  zero: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<stored>;
@group(0) @binding(2) var<uniform> p: Params;

fn value(i: u32) -> made {
  return apply(element_of(x[i >> per_word], i));
}
