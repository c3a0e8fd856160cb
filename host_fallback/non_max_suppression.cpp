// NonMaxSuppression: of each batch and class the boxes with the best scores, leaving out boxes that overlap a better one by more than the
// threshold. A row of the output is (batch, class, box). Equal scores: the lower index first.
#include <numeric>

#include "host_fallback/movement.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

struct Box {
  float y0, x0, y1, x1;
  float area() const { return (y1 - y0) * (x1 - x0); }
};

// Any two opposite corners, or centre and size.
Box box_at(const float* p, bool centre) {
  if (centre) return {p[1] - p[3] / 2, p[0] - p[2] / 2, p[1] + p[3] / 2, p[0] + p[2] / 2};
  return {std::min(p[0], p[2]), std::min(p[1], p[3]), std::max(p[0], p[2]), std::max(p[1], p[3])};
}

bool overlap(const Box& a, const Box& b, float threshold) {
  const float height = std::min(a.y1, b.y1) - std::max(a.y0, b.y0), width = std::min(a.x1, b.x1) - std::max(a.x0, b.x0);
  if (height <= 0 || width <= 0) return false;
  const float both = height * width, either = a.area() + b.area() - both;
  return either > 0 && both / either > threshold;
}

struct Limits {
  int64_t boxes = 0;  // per batch and class
  float iou = 0, score = 0;
  bool scored = false;
};

// `input(i)` is the tensor of input i, or null where absent.
template <class Input>
Limits limits_of(Input input) {
  Limits limits;
  if (const Tensor* t = input(2); t && t->count()) limits.boxes = *t->as<int64_t>();
  if (const Tensor* t = input(3); t && t->count()) limits.iou = *t->as<float>();
  if (const Tensor* t = input(4); t && t->count()) limits.score = *t->as<float>(), limits.scored = true;
  return limits;
}

// Calls f(batch, class, box) for each box that stays.
template <class F>
void select(const Attributes& attrs, const Tensor& boxes, const Tensor& scores, const Limits& limits, F&& f) {
  const bool centre = attrs.integer("center_point_box") != 0;
  const int64_t batches = scores.shape()[0], classes = scores.shape()[1], count = scores.shape()[2];
  std::vector<int64_t> order;
  std::vector<Box> kept;
  for (int64_t b = 0; b < batches; ++b)
    for (int64_t c = 0; c < classes; ++c) {
      const float* score = scores.as<float>() + (b * classes + c) * count;
      order.clear();
      kept.clear();
      for (int64_t i = 0; i < count; ++i)
        if (!limits.scored || score[i] > limits.score) order.push_back(i);
      std::ranges::stable_sort(order, [&](int64_t x, int64_t y) { return score[x] > score[y]; });
      for (int64_t i : order) {
        if (static_cast<int64_t>(kept.size()) >= limits.boxes) break;
        const Box box = box_at(boxes.as<float>() + (b * count + i) * 4, centre);
        if (std::ranges::any_of(kept, [&](const Box& k) { return overlap(box, k, limits.iou); })) continue;
        kept.push_back(box);
        f(b, c, i);
      }
    }
}

void infer(Infer& infer) {
  const Shape &boxes = infer.shape(0), &scores = infer.shape(1);
  if (boxes.rank() != 3 || boxes[2] != 4) fail(DBK_INVALID_ARGUMENT, "boxes are {}, not [batches, boxes, 4]", to_string(boxes));
  if (scores.rank() != 3 || scores[0] != boxes[0] || scores[2] != boxes[1])
    fail(DBK_INVALID_ARGUMENT, "scores are {}, boxes are {}: not [batches, classes, boxes]", to_string(scores), to_string(boxes));
  const Limits limits = limits_of([&](size_t i) { return infer.has(i) ? &infer.value(i) : nullptr; });
  if (!(limits.iou >= 0 && limits.iou <= 1)) fail(DBK_INVALID_ARGUMENT, "iou_threshold {} is outside [0, 1]", limits.iou);
  int64_t rows = 0;
  select(infer.attrs(), infer.value(0), infer.value(1), limits, [&](int64_t, int64_t, int64_t) { ++rows; });
  infer.out(0, DBK_I64, {rows, 3});
}

void compute(Compute& c) {
  int64_t* out = c.out(0).as<int64_t>();
  const Limits limits = limits_of([&](size_t i) { return c.has(i) ? &c.in(i) : nullptr; });
  select(c.attrs(), c.in(0), c.in(1), limits, [&](int64_t batch, int64_t group, int64_t box) {
    *out++ = batch;
    *out++ = group;
    *out++ = box;
  });
}

}  // namespace

extern constinit const HostOp host_non_max_suppression{F32, 0, infer, compute};

}  // namespace dbk
