// One number of a line from the tensor; what the axis lacks is zero. With `half_in` 1 the tensor has the first half of a spectrum, whose
// other half mirrors it and whose ends are real.
@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> lines: array<vec2<f32>>;
@group(0) @binding(2) var<uniform> p: Params;

fn run(i: u32) {
  let line = divide(i, p.n, p.n_inverse);
  let k = i - line * p.n;
  let mirrored = half_in == 1u && 2u * k > p.n;
  let place = select(k, p.n - k, mirrored);
  let outer = divide(line, p.inner, p.inner_inverse);
  var value = vec2<f32>(0.0, 0.0);
  if (place < p.extent) {
    let at = ((outer * p.extent + place) * p.inner + line - outer * p.inner) * parts;
    value.x = f32(x[at]);
    if (parts == 2u && (half_in == 0u || (k != 0u && 2u * k != p.n))) {
      value.y = f32(x[at + parts - 1u]);
    }
  }
  lines[i] = select(value, vec2<f32>(value.x, -value.y), mirrored);
}
