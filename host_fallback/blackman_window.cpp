// BlackmanWindow: 0.42 - 0.5 cos(x) + 0.08 cos(2 x).
#include "host_fallback/window_function.h"

namespace dbk {

namespace {
struct BlackmanWindow {
  static constexpr double a = 0.42, b = 0.5, c = 0.08;
};
}  // namespace

extern constinit const HostOp host_blackman_window = window_op<BlackmanWindow>;

}  // namespace dbk
