// Pairs of columns turned by the angle of their position: (cos x1 - sin x2, sin x1 + cos x2); columns from `width` on stay.
const turns = 1u;
const binding_y = 5u;

@group(0) @binding(3) var<storage, read> cosine: array<elem>;
@group(0) @binding(4) var<storage, read> sine: array<elem>;

fn turned(base: u32, column: u32, position: u32) -> f32 {
  if (column >= p.width) {
    return f32(x[base + column]);
  }
  let half = p.width / 2u;
  let second = select(column >= half, (column & 1u) != 0u, p.interleaved != 0u);
  let apart = select(half, 1u, p.interleaved != 0u);
  let pair = select(select(column, column - half, second), column / 2u, p.interleaved != 0u);
  let first = base + select(column, column - apart, second);
  let x1 = f32(x[first]);
  let x2 = f32(x[first + apart]);
  let c = f32(cosine[position * half + pair]);
  let s = f32(sine[position * half + pair]);
  return select(c * x1 - s * x2, s * x1 + c * x2, second);
}
