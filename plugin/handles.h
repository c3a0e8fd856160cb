// What the opaque handles of the ABI are.
#pragma once

#include "plugin/buffer.h"
#include "plugin/context.h"
#include "plugin/executable.h"
#include "plugin/run.h"

struct dbk_ctx {
  std::shared_ptr<dbk::Context> impl;
};
struct dbk_exec {
  std::shared_ptr<dbk::Executable> impl;
};
struct dbk_run {
  std::shared_ptr<dbk::Run> impl;
};
struct dbk_buffer {
  std::shared_ptr<dbk::Buffer> impl;
};
struct dbk_text {
  std::string text;
};
