fn butterfly(source: u32, step: u32, k: u32, to: u32, done: u32) {
  let a = x[source];
  let b = turned(x[source + step], k);
  let c = turned(x[source + 2u * step], 2u * k);
  let even = a - 0.5 * (b + c);
  let odd = quarter(b - c) * 0.866025404;  // sin(pi / 3)
  y[to] = a + (b + c);
  y[to + done] = even + odd;
  y[to + 2u * done] = even - odd;
}
