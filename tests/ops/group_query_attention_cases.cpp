// GroupQueryAttention: first steps and later ones, caches that grow and that have room, packed operands, rotary positions, a window,
// soft caps, a key of zeros, masks.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

struct GroupQuery {
  DType dtype;
  int64_t batch = 2, rows = 5, heads = 4, kv_heads = 2, size = 8, past = 0, total = 5;
  std::vector<int64_t> last{4, 2};  // key of each batch
  bool packed = false, rotary = false, present = true;
  Operand added{};
  std::vector<dbk::Attribute> more{};

  OpCase named(const char* name) const {
    const int64_t columns = (heads + (packed ? 2 * kv_heads : 0)) * size;
    const Operand keys = packed ? absent : tensor(dtype, {batch, rows, kv_heads * size});
    const Operand cache = past > 0 ? tensor(dtype, {batch, kv_heads, past, size}) : absent;
    std::vector<Operand> in{tensor(dtype, {batch, rows, columns}), keys, keys, cache, cache, list(DBK_I32, {batch}, last),
                            list(DBK_I32, {}, {total}).as(Origin::Const)};
    const Operand angles = rotary ? tensor(dtype, {64, size / 2}).within(-1, 1) : absent;
    in.insert(in.end(), {angles, angles, absent, added});
    while (in.back().dtype == DBK_DTYPE_NONE) in.pop_back();
    std::vector<dbk::Attribute> attrs{{"num_heads", heads}, {"kv_num_heads", kv_heads}, {"do_rotary", int64_t{rotary}}};
    attrs.insert(attrs.end(), more.begin(), more.end());
    OpCase made(std::format("{} total {} rotary {} {}", name, total, int{rotary}, describe(in)), in, attrs);
    for (const dbk::Attribute& a : more) made.name += " " + a.name;
    if (present) made.outputs = {true, true, true};
    return made;
  }
};

}  // namespace

Cases group_query_attention_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : dtypes_of(row, 0))
    for (bool rotary : {false, true}) {
      const GroupQuery first{.dtype = dtype, .rotary = rotary};
      cases.push_back(first.named("first"));
      GroupQuery packed = first;
      packed.packed = true, packed.present = false, packed.size = 6;
      cases.push_back(packed.named("packed"));
      const GroupQuery step{.dtype = dtype, .rows = 1, .past = 9, .total = 10, .last = {9, 3}, .rotary = rotary};
      cases.push_back(step.named("grows"));
      GroupQuery room = step;
      room.past = 33, room.total = 12, room.last = {11, 0};
      cases.push_back(room.named("room"));
      GroupQuery several{.dtype = dtype, .batch = 1, .rows = 3, .heads = 6, .kv_heads = 1, .past = 6, .total = 9, .last = {8}, .rotary = rotary};
      cases.push_back(several.named("several"));
      several.added = tensor(dtype, {1, 1, 3, 9}).within(-4, 4);
      cases.push_back(several.named("added"));
      const GroupQuery late{.dtype = dtype, .rows = 1, .past = 700, .total = 650, .last = {649, 255}, .rotary = false};
      for (const dbk::Attribute& attribute : {dbk::Attribute{"softcap", 1.5}, {"local_window_size", int64_t{300}}, {"smooth_softmax", int64_t{1}}}) {
        GroupQuery changed = late;
        changed.more = {attribute};
        if (!rotary) cases.push_back(changed.named("late step"));
      }
      GroupQuery wide{.dtype = dtype, .rows = 37, .size = 40, .past = 20, .total = 57, .last = {56, 40}, .rotary = rotary, .present = false};
      cases.push_back(wide.named("wide").on_hardware("/tile"));
      wide.more = {{"smooth_softmax", int64_t{1}}};
      cases.push_back(wide.named("wide").on_hardware("/tile"));
      wide.more = {{"local_window_size", int64_t{7}}}, wide.present = true;
      cases.push_back(wide.named("wide").on_hardware("/tile"));
      for (const dbk::Attribute& attribute : {dbk::Attribute{"local_window_size", int64_t{2}}, {"local_window_size", int64_t{1} << 40}, {"softcap", 1.5}, {"smooth_softmax", int64_t{1}},
                                              {"scale", 0.25}, {"rotary_interleaved", int64_t{1}}})
        for (GroupQuery changed : {first, step, several}) {
          changed.more = {attribute};
          cases.push_back(changed.named("changed"));
        }
    }
  return cases;
}

}  // namespace ops
