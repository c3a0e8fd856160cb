// 64-bit integers as (low, high) words; the last four may be fewer.
alias stored = vec2<u32>;

fn write4(i: u32, four: vec4<value>) {
  for (var k = 0u; k < 4u; k++) {
    if (i * 4u + k < p.count) {
      y[i * 4u + k] = widen(four[k]);
    }
  }
}
