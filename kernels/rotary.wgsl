// y[i] = x[i] cos[..] + turned(x)[i] sin[..], cos and sin by strides for each of `dims` collapsed dimensions, innermost first. One
// invocation computes one element. Elements of a row turn in pairs, `reach` apart: turned is (-second, first) of each.
struct Dim {
  extent: u32,
  inverse: f32,
  cos: u32,
  sin: u32,
}

struct Params {
  count: u32,
  period: u32,  // after which pairs repeat: a row, or 2
  period_inverse: f32,
  reach: u32,
  dims: array<Dim, dims>,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> cosines: array<elem>;
@group(0) @binding(2) var<storage, read> sines: array<elem>;
@group(0) @binding(3) var<storage, read_write> y: array<elem>;
@group(0) @binding(4) var<uniform> p: Params;

fn strides(d: u32) -> vec2<u32> {
  return vec2<u32>(p.dims[d].cos, p.dims[d].sin);
}

fn run(i: u32) {
  var rest = i;
  var at = vec2<u32>();
  for (var d = 0u; d < dims - 1u; d++) {
    let next = divide(rest, p.dims[d].extent, p.dims[d].inverse);
    at += (rest - next * p.dims[d].extent) * strides(d);
    rest = next;
  }
  at += rest * strides(dims - 1u);
  let first = i - divide(i, p.period, p.period_inverse) * p.period < p.reach;
  let other = f32(x[select(i - p.reach, i + p.reach, first)]);
  y[i] = elem(f32(x[i]) * f32(cosines[at.x]) + select(other, -other, first) * f32(sines[at.y]));
}
