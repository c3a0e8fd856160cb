// Every token has its row of the caches, or one that others share.
fn cache_row(batch: u32, token: u32, tokens: u32) -> u32 {
  return batch * p.batch_rows + token * p.token_rows;
}
