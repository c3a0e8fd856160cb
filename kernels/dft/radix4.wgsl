fn butterfly(source: u32, step: u32, k: u32, to: u32, done: u32) {
  let a = x[source];
  let b = turned(x[source + step], k);
  let c = turned(x[source + 2u * step], 2u * k);
  let d = turned(x[source + 3u * step], 3u * k);
  let even = a + c;
  let odd = b + d;
  let even_turned = a - c;
  let odd_turned = quarter(b - d);
  y[to] = even + odd;
  y[to + done] = even_turned + odd_turned;
  y[to + 2u * done] = even - odd;
  y[to + 3u * done] = even_turned - odd_turned;
}
