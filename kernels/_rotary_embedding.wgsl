// Pairs of columns of each head turned by the angle of their token's position: (cos x1 - sin x2, sin x1 + cos x2); columns from
// `width` on stay. The input is [batch, outer, inner, size], where tokens are the inner or the outer axis. One invocation makes one
// element. The positions' file gives `cache_row`: the row of the caches for a token.
struct Params {
  count: u32,
  size: u32,
  inner: u32,
  outer: u32,
  size_inverse: f32,
  inner_inverse: f32,
  outer_inverse: f32,
  width: u32,
  tokens: u32,
  cache_rows: u32,
  tokens_inside: u32,  // 1: tokens are the inner axis
  interleaved: u32,  // 1: pairs are neighbours, 0: halves of `width`
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> cosine: array<elem>;
@group(0) @binding(2) var<storage, read> sine: array<elem>;
@group(0) @binding(binding_y) var<storage, read_write> y: array<elem>;
@group(0) @binding(binding_params) var<uniform> p: Params;

fn run(i: u32) {
  let head = divide(i, p.size, p.size_inverse);
  let column = i - head * p.size;
  let across = divide(head, p.inner, p.inner_inverse);
  let batch = divide(across, p.outer, p.outer_inverse);
  let token = select(across - batch * p.outer, head - across * p.inner, p.tokens_inside != 0u);
  let row = cache_row(batch, token);
  if (column >= p.width || p.cache_rows == 0u) {
    y[i] = x[i];
    return;
  }
  let half = p.width / 2u;
  let second = select(column >= half, (column & 1u) != 0u, p.interleaved != 0u);
  let apart = select(half, 1u, p.interleaved != 0u);
  let pair = select(select(column, column - half, second), column / 2u, p.interleaved != 0u);
  let first_at = select(i, i - apart, second);
  let at = row * half + pair;
  let x1 = f32(x[first_at]);
  let x2 = f32(x[first_at + apart]);
  let c = f32(cosine[at]);
  let s = f32(sine[at]);
  y[i] = elem(select(c * x1 - s * x2, s * x1 + c * x2, second));
}
