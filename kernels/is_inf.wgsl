// True for infinities of the wanted signs: alpha stands for detect_negative, beta for detect_positive.
fn apply(x: acc) -> bool {
  let bits = bitcast<u32>(x);
  return (bits == 0x7f800000u && p.beta != 0.0) || (bits == 0xff800000u && p.alpha != 0.0);
}
