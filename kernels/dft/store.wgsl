// One number of the tensor from its line; its real part alone where `parts` is 1.
@group(0) @binding(0) var<storage, read> lines: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<elem>;
@group(0) @binding(2) var<uniform> p: Params;

fn run(i: u32) {
  let row = divide(i, p.inner, p.inner_inverse);
  let outer = divide(row, p.extent, p.extent_inverse);
  let line = outer * p.inner + i - row * p.inner;
  let value = lines[line * p.n + row - outer * p.extent] * p.scale;
  y[parts * i] = elem(value.x);
  if (parts == 2u) {
    y[parts * i + parts - 1u] = elem(value.y);
  }
}
