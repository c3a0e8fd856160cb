// Ops that move, choose or write down elements.
#include "tests/wgsl/example_families.h"

namespace wgsl::families {

void gather(const OpRow& op, DType t, Nodes& out) {
  for (DType index : {DBK_I32, DBK_I64})
    for (int64_t width : {3, 8})
      out.push_back({&op, attributes({{"axis", int64_t{0}}}), {{t, {9, width}}, {index, {4}}}, {{t, {4, width}}}});
}

void gather_nd(const OpRow& op, DType t, Nodes& out) {
  for (int64_t width : {3, 8}) out.push_back({&op, {}, {{t, {9, 2, width}}, {DBK_I64, {4, 2}}}, {{t, {4, width}}}});
}

void gather_elements(const OpRow& op, DType t, Nodes& out) {
  for (DType index : {DBK_I32, DBK_I64})
    out.push_back({&op, attributes({{"axis", int64_t{0}}}), {{t, {9, 3}}, {index, {4, 3}}}, {{t, {4, 3}}}});
}

void scatter(const OpRow& op, DType t, Nodes& out) {
  const TensorType data{t, {9, 3}};
  for (const char* reduction : {"none", "add", "mul", "max", "min"}) {
    const Attributes attrs = attributes({{"axis", int64_t{0}}, {"reduction", std::string(reduction)}});
    if (op.id == "scatter_nd") {
      out.push_back({&op, attrs, {data, {DBK_I64, {4, 1}}, {t, {4, 3}}}, {data}});
      continue;
    }
    for (DType index : {DBK_I32, DBK_I64}) out.push_back({&op, attrs, {data, {index, {4, 3}}, {t, {4, 3}}}, {data}});
  }
}

void split(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, attributes({{"axis", int64_t{1}}}), {{t, {2, 8}}}, {{t, {2, 4}}, {t, {2, 4}}}, 18});
}

void pad(const OpRow& op, DType t, Nodes& out) {
  if (op.id == "center_crop_pad") {
    out.push_back({&op, {}, {{t, {2, 5}}, {DBK_I64, {2}}}, {{t, {3, 4}}}, 18, {3, 4}});
    return;
  }
  for (const char* mode : {"constant", "edge", "reflect", "wrap"})
    out.push_back({&op, attributes({{"mode", std::string(mode)}}), {{t, {2, 5}}, {DBK_I64, {4}}}, {{t, {3, 8}}}, 19, {1, 2, 0, 1}});
}

void repeat(const OpRow& op, DType t, Nodes& out) { out.push_back({&op, {}, {{t, {2, 1, 8}}}, {{t, {2, 3, 8}}}}); }  // either way

void fill(const OpRow& op, DType, Nodes& out) { out.push_back({&op, {}, {{DBK_I64, {2}}}, {{DBK_F32, {5, 7}}}}); }

void range(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, {}, {{t, {}}, {t, {}}, {t, {}}}, {{t, {70}}}, 11, {1}, false, 0b111});
}

void extents(const OpRow& op, DType t, Nodes& out) {
  const Shape result = op.id == "size" ? Shape{} : Shape{2};
  out.push_back({&op, {}, {{t, {3, 5}}}, {{DBK_I64, result}}});
}

void trilu(const OpRow& op, DType t, Nodes& out) { out.push_back({&op, {}, {{t, {5, 7}}}, {{t, {5, 7}}}}); }

void one_hot(const OpRow& op, DType t, Nodes& out) {
  for (DType values : {DBK_F32, DBK_F16, DBK_I64, DBK_U8})
    out.push_back({&op, attributes({{"axis", int64_t{-1}}}), {{t, {5}}, kAxes, {values, {2}}}, {{values, {5, 7}}}, 11, {7}});
}

void eye_like(const OpRow& op, DType t, Nodes& out) { out.push_back({&op, attributes({{"k", int64_t{1}}}), {{t, {5, 7}}}, {{t, {5, 7}}}}); }

void rearrange(const OpRow& op, DType t, Nodes& out) {
  const bool deep = op.id == "depth_to_space";
  const TensorType images{t, {1, 2, 4, 6}}, channels{t, {1, 8, 2, 3}};
  out.push_back({&op, attributes({{"blocksize", int64_t{2}}}), {deep ? channels : images}, {deep ? images : channels}});
}

void reverse_sequence(const OpRow& op, DType t, Nodes& out) {
  for (int64_t width : {3, 8})
    out.push_back({&op, attributes({{"batch_axis", int64_t{1}}, {"time_axis", int64_t{0}}}), {{t, {4, 5, width}}, {DBK_I64, {5}}}, {{t, {4, 5, width}}}});
}

void tensor_scatter(const OpRow& op, DType t, Nodes& out) {
  for (const char* mode : {"linear", "circular"})
    for (bool starts : {false, true}) {
      std::vector<TensorType> in{{t, {2, 3, 9, 4}}, {t, {2, 3, 2, 4}}};
      if (starts) in.push_back({DBK_I64, {2}});
      out.push_back({&op, attributes({{"mode", std::string(mode)}, {"axis", int64_t{-2}}}), in, {{t, {2, 3, 9, 4}}}, 24});
    }
}

void transpose(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, attributes({{"perm", std::vector<int64_t>{1, 0, 2}}}), {{t, {6, 4, 8}}}, {{t, {4, 6, 8}}}});
  out.push_back({&op, {}, {{t, {3, 5}}}, {{t, {5, 3}}}});
}

void concat(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op, attributes({{"axis", int64_t{1}}}), {{t, {2, 8}}, {t, {2, 3}}}, {{t, {2, 11}}}});
}

void slice(const OpRow& op, DType t, Nodes& out) {
  out.push_back({&op,
                 attributes({{"starts", std::vector<int64_t>{1}}, {"ends", std::vector<int64_t>{3}}}),
                 {{t, {4, 5}}},
                 {{t, {2, 5}}},
                 1});
}

}  // namespace wgsl::families
