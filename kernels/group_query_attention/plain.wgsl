// Rows as they are.
const turns = 0u;
const binding_y = 3u;

fn turned(base: u32, column: u32, position: u32) -> f32 {
  return f32(x[base + column]);
}
