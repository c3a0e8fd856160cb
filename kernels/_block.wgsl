// Sums of many terms run in blocks, each added up by itself first: with blocks as long as there are blocks, rounding
// grows with the fourth root of the number of terms on average instead of the square root. Returns the stride of a
// block of `length` over `lanes`.
fn block_of(length: u32, lanes: u32) -> u32 {
  return max(64u, u32(sqrt(f32(length / lanes)))) * lanes;
}
