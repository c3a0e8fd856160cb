// HammingWindow: 25/46 - 21/46 cos(x).
#include "host_fallback/window_function.h"

namespace dbk {

namespace {
struct HammingWindow {
  static constexpr double a = 25.0 / 46, b = 21.0 / 46, c = 0;
};
}  // namespace

extern constinit const HostOp host_hamming_window = window_op<HammingWindow>;

}  // namespace dbk
