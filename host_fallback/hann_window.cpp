// HannWindow: 0.5 - 0.5 cos(x).
#include "host_fallback/window_function.h"

namespace dbk {

namespace {
struct HannWindow {
  static constexpr double a = 0.5, b = 0.5, c = 0;
};
}  // namespace

extern constinit const HostOp host_hann_window = window_op<HannWindow>;

}  // namespace dbk
