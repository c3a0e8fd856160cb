// cos and sin of 2 pi / 5 and 4 pi / 5.
const cos1 = 0.309016994;
const cos2 = -0.809016994;
const sin1 = 0.951056516;
const sin2 = 0.587785252;

fn butterfly(source: u32, step: u32, k: u32, to: u32, done: u32) {
  let a = x[source];
  let b = turned(x[source + step], k);
  let c = turned(x[source + 2u * step], 2u * k);
  let d = turned(x[source + 3u * step], 3u * k);
  let e = turned(x[source + 4u * step], 4u * k);
  let outer = b + e;
  let inner = c + d;
  let outer_turned = quarter(b - e);
  let inner_turned = quarter(c - d);
  let even1 = a + cos1 * outer + cos2 * inner;
  let even2 = a + cos2 * outer + cos1 * inner;
  let odd1 = sin1 * outer_turned + sin2 * inner_turned;
  let odd2 = sin2 * outer_turned - sin1 * inner_turned;
  y[to] = a + (outer + inner);
  y[to + done] = even1 + odd1;
  y[to + 2u * done] = even2 + odd2;
  y[to + 3u * done] = even2 - odd2;
  y[to + 4u * done] = even1 - odd1;
}
