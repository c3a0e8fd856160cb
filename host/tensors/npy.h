// NumPy's .npy files, versions 1 to 3, in and out. NumPy has no types for bfloat16, 8-bit and 4-bit floats and packed
// integers: they are written as Python's ml_dtypes does it (void of one or two bytes, packed elements one per byte) and
// packed integers as int8 or uint8; the reader takes these where it is told what to expect.
#pragma once

#include <filesystem>

#include "tensor.h"

namespace host {

// `expected`: the dtype wanted, or DBK_DTYPE_NONE for whatever the file has. A file of another type comes back as it
// is. Throws daybreak::Error naming the file: no .npy file, cut off, too long, objects and other types that are not
// tensors.
Tensor read_npy(const std::filesystem::path& path, uint32_t expected = DBK_DTYPE_NONE);

// The file is there whole or not at all. Throws daybreak::Error naming the file and why it could not be written.
void write_npy(const std::filesystem::path& path, const Tensor& tensor);

}  // namespace host
