// Cases that tests/golden/make_vectors.py has written and of errors.txt beside this file; tests/golden/vectors.py describes the format.
// errors.txt has `fails CODE TEXT` instead of outputs: the status and a part of the message.
#pragma once

#include <string>
#include <vector>

#include "host_fallback/attributes.h"

namespace dbk::test {

struct Number {
  double real = 0;
  uint64_t bits = 0;  // of an integer, as two's complement
};

struct GoldenTensor {
  bool absent = false;
  DType dtype = DBK_DTYPE_NONE;  // NONE for `real`
  Shape shape;
  std::vector<Number> values;
  bool real() const { return !absent && dtype == DBK_DTYPE_NONE; }
};

struct GoldenCase {
  int line = 0;
  std::string op;
  uint32_t opset = 0;
  Attributes attrs;
  std::vector<GoldenTensor> inputs, outputs;
  double scale = 0;
  dbk_status fails = DBK_OK;
  std::string message;
  bool real() const;  // whether it stands for one case per float type
};

std::vector<GoldenCase> read_cases(const char* path);

// The tensor with its values rounded to `real` where it says so, otherwise to its own dtype.
HostTensor materialize(const GoldenTensor& tensor, DType real);

}  // namespace dbk::test
