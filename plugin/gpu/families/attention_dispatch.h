// The programs that compute attention over a geometry, and the dispatches of one of their ways: what families of attention share.
#pragma once

#include "plugin/gpu/families/attention_text.h"

namespace dbk::gpu {

// What the operands are bound to, in the order of the program's bindings; `fault` where there are lengths.
struct AttentionArguments {
  std::vector<Argument> operands;  // up to the result
  Argument y;
  std::vector<Argument> behind;  // scores, fault
  uint32_t scratch = 0;          // the first of six that are free

  // All of a program that leaves `results` where the result goes.
  std::vector<Argument> with(std::initializer_list<Argument> results) const {
    std::vector<Argument> all = operands;
    all.insert(all.end(), results);
    all.insert(all.end(), behind.begin(), behind.end());
    return all;
  }
};

// Strides decide between vectors and elements, extents between the ways, and those can change from run to run; sizes of heads cannot.
uint32_t attention_program_count(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps);
void attention_programs(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps, std::vector<Program>& out);

Choice attention_choice(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps);

// One dispatch, by attention_tile.h too; two where lanes own keys, several by attention_line.h. The first of attention_programs is program number `first_program` of the node.
void push_attention(const AttentionGeometry& g, const AttentionForm& form, const AttentionArguments& args, const Capabilities& caps,
                    uint32_t first_program, std::vector<Dispatch>& out);

}  // namespace dbk::gpu
