// 64-bit integers as (low, high) words; the last four may be fewer.
alias source = vec2<u32>;

fn read4(i: u32) -> vec4<value> {
  let at = min(vec4<u32>(i * 4u) + vec4<u32>(0u, 1u, 2u, 3u), vec4<u32>(p.count - 1u));
  return vec4<value>(narrow(x[at.x]), narrow(x[at.y]), narrow(x[at.z]), narrow(x[at.w]));
}
