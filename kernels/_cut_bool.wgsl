// Integers to bool: whether any bit is set.
fn converted(x: acc) -> bool {
  return any(wide_of(x) != vec2<u32>());
}
