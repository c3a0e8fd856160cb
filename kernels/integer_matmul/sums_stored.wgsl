// Four sums that another dispatch has made; they stand where A is otherwise.
fn sums_of(i: u32) -> vec4<i32> {
  return bitcast<vec4<i32>>(vec4<u32>(a[i], a[i + 1u], a[i + 2u], a[i + 3u]));
}
