// Bytes less their zero points, summed in 32 bits.
alias number = i32;

@group(0) @binding(2) var<storage, read> x_zero: array<u32>;
@group(0) @binding(3) var<storage, read> w_zeros: array<u32>;

fn byte(word: u32, at: u32, is_signed: bool) -> i32 {
  let high = word << (24u - 8u * (at & 3u));
  return select(i32(high >> 24u), bitcast<i32>(high) >> 24u, is_signed);
}

fn x_at(at: u32) -> number {
  return byte(x[at >> 2u], at, x_signed) - select(0, byte(x_zero[0], 0u, x_signed), has_x_zero);
}

fn weight_at(at: u32, channel: u32) -> number {
  let zero_at = channel * p.zero_step;
  return byte(w[at >> 2u], at, w_signed) - select(0, byte(w_zeros[zero_at >> 2u], zero_at, w_signed), has_w_zero);
}

fn multiply_add(a: number, b: number, c: number) -> number {
  return a * b + c;
}

fn bias_of(channel: u32) -> number {
  return 0;
}

fn finish(sum: number, at: u32, channel: u32) -> i32 {
  return sum;
}
