// Four sums of one row: k and n are multiples of four, so a word holds four steps of a row of A or four columns of a row of B.
fn sums_of(i: u32) -> vec4<i32> {
  let at = places_of(i);
  let step = p.dims[0].b_zero;
  let a_zero = vec4<i32>(zero_of_a(at.a_zero));
  let b_zero = vec4<i32>(zero_of_b(at.b_zero), zero_of_b(at.b_zero + step), zero_of_b(at.b_zero + 2u * step), zero_of_b(at.b_zero + 3u * step));
  let words = p.n >> 2u;
  var x = at.a >> 2u;
  var y = at.b >> 2u;
  var sum = vec4<i32>();
  for (var k = 0u; k < p.k; k += 4u) {
    let row = bytes_in(a[x], a_type) - a_zero;
    sum += row.x * (bytes_in(b[y], b_type) - b_zero);
    sum += row.y * (bytes_in(b[y + words], b_type) - b_zero);
    sum += row.z * (bytes_in(b[y + 2u * words], b_type) - b_zero);
    sum += row.w * (bytes_in(b[y + 3u * words], b_type) - b_zero);
    x += 1u;
    y += 4u * words;
  }
  return sum;
}
