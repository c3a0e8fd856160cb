// See file_error.h.
#include "file_error.h"

#include <cerrno>
#include <system_error>

#include "daybreak_error.hpp"
#include "printable.h"

namespace host {
namespace {

dbk_status status_of(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return DBK_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS:
      return DBK_PERMISSION_DENIED;
    case ENOMEM:
      return DBK_OUT_OF_MEMORY;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return DBK_OUT_OF_RANGE;
    case EIO:
      return DBK_DATA_LOSS;
    default:
      return DBK_INVALID_ARGUMENT;
  }
}

}  // namespace

void fail_file(const std::filesystem::path& path, int code) {
  throw daybreak::Error(status_of(code), in_quotes(path.string()) + ": " + std::generic_category().message(code));
}

}  // namespace host
