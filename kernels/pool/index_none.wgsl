fn keep_index(i: u32, plane: u32, best: u32) {}
