fn butterfly(source: u32, step: u32, k: u32, to: u32, done: u32) {
  let a = x[source];
  let b = turned(x[source + step], k);
  y[to] = a + b;
  y[to + done] = a - b;
}
