// How products of one input with several weights (queries, keys and values of attention above all) are computed. All forms give the
// same; option qkv forces one, and what was chosen, with the reason, is in report "placement".
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "host_fallback/tensor.h"

namespace dbk {

enum class ProjectionForm : uint8_t {
  Packed,  // one product, whose result attention reads by windows of its columns
  Split,   // one product that writes several results (SplitMatMul)
  Plain,   // each product for itself
};
const char* to_string(ProjectionForm form);

// What a choice may depend on.
struct ProjectionLayer {
  DType dtype = DBK_DTYPE_NONE;
  int64_t rows = 0, k = 0;  // of the input; rows at representative extents
  std::vector<int64_t> widths;
  std::string unpacked = "no attention reads all of them";  // why they are not packed; empty: one attention can read them so
  bool joined = false;      // given as one product that is taken apart
  bool biased = false;      // something is added to a product
  bool own_ends = false;    // products go on into operations that become part of them where each is for itself
  std::string reader;       // the attention that reads them, by its extents: "heads=12 queries=1x128 keys=1x128 mask" (passes/attention_columns.h); empty: none
};

struct ProjectionAdvice {
  ProjectionForm form = ProjectionForm::Plain;
  std::string reason;
  std::vector<std::pair<ProjectionForm, double>> microseconds;  // where they were measured
};

// The form that a layer gets where nothing was measured.
ProjectionAdvice usual_form(const ProjectionLayer& layer);

// The kind of layer, one line: layers of one text get the form that was fastest for the first of them, at its representative extents as if
// they were fixed. Rows are rounded up to a power of two, as those of products are; a reader's extents are not. The text leaves out what
// hardly tells forms apart: the shape of a mask, scales, what else is fused with products.
std::string describe(const ProjectionLayer& layer);
std::vector<ProjectionForm> forms_of(const ProjectionLayer& layer);

// Chooses a form that the layer has. `alone` is a graph of its nodes, to be measured; null where there is none.
struct Graph;
using ProjectionAdvisor = std::function<ProjectionAdvice(const ProjectionLayer&, const std::function<Graph()>& alone)>;

// What was chosen, for reports and for passes that come later.
struct ProjectionChoice {
  std::vector<uint32_t> nodes;    // the products, by the caller's table index
  std::vector<uint32_t> results;  // their values
  ProjectionLayer layer;
  ProjectionAdvice advice;
};

}  // namespace dbk
