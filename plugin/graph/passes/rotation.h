// A node that turns heads by the positions of their tokens, whichever op says so, as ai.daybreak.RotaryHeads would have it.
#pragma once

#include <map>

#include "plugin/graph/passes/rewriter.h"

namespace dbk {

struct Rotation {
  enum class Layout : uint8_t { HeadsFirst, TokensFirst, SideBySide };  // [b, heads, s, size], [b, s, heads, size], [b, s, heads * size]

  ValueId x = DBK_NONE, cosine = DBK_NONE, sine = DBK_NONE, positions = DBK_NONE, result = DBK_NONE;
  Layout layout = Layout::HeadsFirst;
  int64_t heads = 0, size = 0, width = 0;  // columns of a head, and those that turn
  int64_t squeezed = 0;                    // the axis of both tables that goes, from the last one on; 0: none
  bool interleaved = false, whole_rows = false;
  std::vector<const Node*> nodes;  // in order; several where it stands between what takes heads apart and joins them again

  bool same_tables(const Rotation& other) const { return cosine == other.cosine && sine == other.sine && positions == other.positions; }
};

bool is_rotation(const Node* node);  // of one operand; false also for null

// Nothing where extents or tables are not known to be so in every run.
std::optional<Rotation> read_rotation(const Rewriter& r, const Node& node);

// Whether nothing but `nodes` reads what they give, `result` aside.
bool is_closed(const Rewriter& r, const std::vector<const Node*>& nodes, ValueId result);

// Nodes of RotaryHeads, and tables in the shape that these want, made once for all.
class RotationWriter {
 public:
  explicit RotationWriter(Rewriter& r) : r_(r) {}

  // Of one rotation, or of two alike but for what they turn. Operands and results have heads side by side, or first.
  Node node(const Rotation& rotation, std::vector<ValueId> operands, std::vector<ValueId> results, int64_t kv_heads = 0);
  ValueId insert(std::string_view op, std::vector<ValueId> inputs, Attributes attrs, const Node& near);

 private:
  ValueId table(const Rotation& rotation, ValueId given);

  Rewriter& r_;
  std::map<std::pair<ValueId, int64_t>, ValueId> squeezed_;
};

}  // namespace dbk
