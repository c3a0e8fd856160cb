// Four sums, each by itself; beyond the result the last one again.
fn sum_of(i: u32) -> i32 {
  let at = places_of(i);
  let a_zero = zero_of_a(at.a_zero);
  let b_zero = zero_of_b(at.b_zero);
  var sum = 0;
  for (var k = 0u; k < p.k; k++) {
    let x = at.a + k;
    let y = at.b + k * p.n;
    sum += (i32(number(a[x >> 2u], x, a_type)) - a_zero) * (i32(number(b[y >> 2u], y, b_type)) - b_zero);
  }
  return sum;
}

fn sums_of(i: u32) -> vec4<i32> {
  let last = p.count - 1u;
  return vec4<i32>(sum_of(i), sum_of(min(i + 1u, last)), sum_of(min(i + 2u, last)), sum_of(min(i + 3u, last)));
}
