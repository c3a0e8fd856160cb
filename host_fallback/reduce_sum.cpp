// ReduceSum: floats are added in double, integers wrap; nothing to add gives 0.
#include "host_fallback/reduce.h"

namespace dbk {

namespace {
struct ReduceSum : Sums<> {};
}  // namespace

extern constinit const HostOp host_reduce_sum = reduce_op<kSummable, ReduceSum>;

}  // namespace dbk
