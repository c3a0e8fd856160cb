// Normalisation of rows by segments (_line_rows.wgsl): sums, sums of the differences from the mean that those give, results. As
// row.wgsl, with the same small files for statistics that somebody wants; x is line_source.wgsl's.
struct Places {
  x: u32,
  skip: u32,
  column: u32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;

fn places_of(row: u32, start: u32) -> Places {
  let skip_row = row - divide(row, p.skip_rows, p.skip_inverse) * p.skip_rows;
  return Places(unaligned((row * p.length + start) / 4u), unaligned((skip_row * p.length + start) / 4u), unaligned(start / 4u));
}

fn none() -> f32 {
  return 0.0;
}

fn fold(a: f32, b: f32) -> f32 {
  return a + b;
}

fn fold_lanes(v: f32) -> f32 {
  return subgroupAdd(v);
}

fn first_of(folded: f32) -> f32 {
  return folded / f32(p.length);
}

fn term(v: f32, shift: f32) -> vec2<f32> {
  let d = v - shift;
  return vec2<f32>(d, d * d);
}
