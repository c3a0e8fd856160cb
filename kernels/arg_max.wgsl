// The largest first; a NaN before all.
fn key(x: acc) -> vec2<u32> {
  return select(key_of(x), vec2<u32>(0xffffffffu), is_nan(x));
}
