// The plan of one activation: which step runs where, in which order, and where every value lives. A plan is pure data made
// from concrete types; nothing is allocated. Two memory spaces are planned with one rule: the device's, and the host's for parts
// that run there (the CPU device has only the latter).
#pragma once

#include "plugin/graph/infer.h"

namespace dbk {

enum class Where : uint8_t {
  Device,  // a kernel of the device
  Host,    // the op's host function
  View,    // no work: the output is the input's memory, or a part of it
  Skip,    // nobody reads its result as data
};

struct Placement {
  Where where = Where::Device;
  std::string reason;  // why not on the device, why no view, which view; may be empty
  bool open = false;   // only bind tells; until then plans take `where`
};

// A place in a memory space: `offset` bytes into a buffer of its own (input, output, weight) or into an arena. A late value has memory that
// the run makes. InDevice, of the host's space alone: where the device has it.
struct Slot {
  enum class Kind : uint8_t { None, Input, Output, Weight, Arena, Late, InDevice } kind = Kind::None;
  uint32_t index = 0;  // position of the input or output, value id of the weight, number of the arena
  uint64_t offset = 0;
};

struct Space {
  std::vector<Slot> slots;       // by value id
  std::vector<uint64_t> arenas;  // bytes of each
  uint64_t peak = 0;             // largest sum of values alive at one time in arenas; of the largest extents where those decide
  uint64_t bytes() const;        // of all arenas
};

struct Segment {
  bool on_host = false;
  uint32_t first = 0, count = 0;               // nodes of Plan::order
  std::vector<ValueId> downloads, uploads;     // what crosses before and after a host segment of a device plan, copied or not
};

// A graph output whose value already lives elsewhere (an input, a weight, another output) and is copied at the end.
struct OutputCopy {
  uint32_t output;
  ValueId value;
};

struct Plan {
  Types types;
  std::vector<Placement> placement;  // of every main-block node: with other extents some are views that are steps here, or the reverse
  std::vector<uint32_t> order;       // indices of main-block nodes that do work
  std::vector<Segment> segments;
  std::vector<OutputCopy> copies;
  Space device, host;
  std::vector<uint64_t> input_room, output_room;  // by position: bytes of the buffers that unbound inputs and outputs need
  uint64_t island_room = 0;                       // most bytes that a host segment downloads
  uint64_t input_bytes = 0, output_bytes = 0;     // sums of the rooms
  uint64_t peak_bytes = 0;                        // largest sum of values alive at one time, inputs and outputs excluded

  struct Life {
    uint32_t first = UINT32_MAX, last = 0;  // steps; never alive: first > last
  };
  std::vector<ValueId> roots;  // by value id: the value whose memory it is
  std::vector<Life> lives;     // by root

  // By main-block node with bodies that run as plans: the plan of each, in the order of bodies_of; null where it does not run.
  std::map<uint32_t, std::vector<std::shared_ptr<const Plan>>> bodies;

  uint64_t activation_bytes() const;  // of bodies, too
};

struct PlanRules {
  uint64_t alignment = 64;     // of every value in an arena
  uint64_t max_arena = UINT64_MAX;
  bool host_only = false;      // the CPU device: one space, no transfers
  uint64_t view_alignment = 1; // of the first byte of a view; not less than what kernels read at once
  bool slice_views = true;     // whether parts of a value may be views: a view keeps the whole alive
  bool shared_memory = false;  // the host reads and writes values that cross where the device has them
};

// Size of a value's storage: rounded up to 16 so that kernels may read whole vectors, never 0.
inline uint64_t storage_bytes(const TensorType& type) { return std::max<uint64_t>((static_cast<uint64_t>(type.bytes()) + 15) / 16 * 16, 16); }

// `placement`: where each node runs unless it turns out to be a view. `frame`: null, or a plan for the largest extents; where the same
// steps fit into it, its places are kept, so that runs with other extents need no other memory.
Plan make_plan(const Graph& graph, Types types, std::vector<Placement> placement, const PlanRules& rules, const Plan* frame = nullptr);

// Nodes whose results are needed as data: by a graph output or by a needed node other than as a shape operand that is known
// when the plan is made.
std::vector<bool> needed_nodes(const Graph& graph, const Types& types);

// The largest of the values that share an arena, with their sizes: what to tell where there is no memory for it.
std::string largest_values(const Graph& graph, const Plan& plan, const Space& space, uint32_t arena);

// Whether the types of all its operands are known before the run.
bool all_typed(const Node& node, const Types& types);

// Nodes around late values run on the host, whatever was decided before types were known; so do those that make shape operands of such
// nodes.
void place_late_nodes(const Graph& graph, const Types& types, std::vector<Placement>& placement);

}  // namespace dbk
