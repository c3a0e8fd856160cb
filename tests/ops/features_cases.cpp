// Ops of classical models: TfIdfVectorizer, ArrayFeatureExtractor, Binarizer, LabelEncoder and TreeEnsemble. They run on the host.
#include <cmath>

#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using Attributes = std::vector<dbk::Attribute>;
using Ints = std::vector<int64_t>;
using Reals = std::vector<double>;

template <class T>
std::shared_ptr<const dbk::HostTensor> numbers(DType dtype, const std::vector<T>& values) {
  dbk::HostTensor made{{dtype, {static_cast<int64_t>(values.size())}}, {}};
  const auto bytes = std::as_bytes(std::span(values));
  made.bytes.assign(bytes.begin(), bytes.end());
  return std::make_shared<const dbk::HostTensor>(std::move(made));
}

void add_tfidf(Cases& cases) {
  for (DType dtype : {DBK_I32, DBK_I64})
    for (const char* mode : {"TF", "IDF", "TFIDF"})
      for (int64_t skips : {0, 1, 5}) {
        const Attributes attrs{{"mode", std::string(mode)}, {"min_gram_length", int64_t{1}}, {"max_gram_length", int64_t{2}}, {"max_skip_count", skips},
                               {"ngram_counts", Ints{0, 3}}, {"ngram_indexes", Ints{0, 1, 2, 3, 4, 5}}, {"pool_int64s", Ints{2, 3, 5, 1, 2, 2, 3, 4, 0}},
                               {"weights", Reals{0.5, 1, 2, 0.25, 3, 1.5}}};
        cases.push_back({mode, {tensor(dtype, {3, 12})}, attrs});
        cases.push_back({mode, {tensor(dtype, {33})}, attrs});
        cases.push_back({mode, {tensor(dtype, {2, 0})}, attrs});
      }
}

void add_label_encoder(Cases& cases) {
  cases.push_back({"whole to real", {tensor(DBK_I64, {3, 5})}, {{"keys_int64s", Ints{0, 2, 4}}, {"values_floats", Reals{0.5, 1.5, 2.5}}, {"default_float", -9.0}}});
  cases.push_back({"real to whole", {reals(DBK_F32, {4}, {1.5, NAN, 2, 3})}, {{"keys_floats", Reals{1.5, NAN, 3}}, {"values_int64s", Ints{10, 20, 30}}}});
  cases.push_back({"tensors", {tensor(DBK_I32, {9})},
                   {{"keys_tensor", numbers(DBK_I32, std::vector<int32_t>{1, 2, 3})}, {"values_tensor", numbers(DBK_F64, std::vector<double>{0.1, 0.2, 0.3})},
                    {"default_tensor", numbers(DBK_F64, std::vector<double>{-1})}}});
  cases.push_back({"i16", {tensor(DBK_I16, {0})},
                   {{"keys_tensor", numbers(DBK_I16, std::vector<int16_t>{1, 2})}, {"values_tensor", numbers(DBK_I16, std::vector<int16_t>{3, 4})}}});
}

void add_trees(Cases& cases, DType dtype) {
  for (int64_t aggregate : {0, 1, 2, 3})
    for (int64_t transform : {0, 1, 2, 3}) {
      const auto typed = [&](const Reals& values) -> std::shared_ptr<const dbk::HostTensor> {
        if (dtype == DBK_F64) return numbers(dtype, values);
        if (dtype == DBK_F32) return numbers(dtype, std::vector<float>(values.begin(), values.end()));
        std::vector<dbk::Half> halves;
        for (double v : values) halves.push_back(dbk::Half::from_double(v));
        return numbers(dtype, halves);
      };
      cases.push_back({"", {tensor(dtype, {17, 3})},
                       {{"aggregate_function", aggregate}, {"post_transform", transform}, {"n_targets", int64_t{2}}, {"tree_roots", Ints{0, 2}},
                        {"nodes_featureids", Ints{0, 2, 1}}, {"nodes_modes", numbers(DBK_U8, std::vector<uint8_t>{0, 3, 1})},
                        {"nodes_splits", typed({0.5, -1, 0.25})}, {"nodes_truenodeids", Ints{1, 0, 2}}, {"nodes_trueleafs", Ints{0, 1, 1}},
                        {"nodes_falsenodeids", Ints{1, 3, 4}}, {"nodes_falseleafs", Ints{1, 1, 1}}, {"leaf_targetids", Ints{0, 1, 0, 1, 1}},
                        {"leaf_weights", typed({0.5, -1.5, 2, 0.75, 1.25})}}});
    }
}

}  // namespace

Cases features_cases(const dbk::OpRow& row) {
  Cases cases;
  if (row.id == "tfidf_vectorizer") add_tfidf(cases);
  if (row.id == "label_encoder") add_label_encoder(cases);
  for (DType dtype : dtypes_of(row, 0, 5)) {
    if (row.id == "tree_ensemble") add_trees(cases, dtype);
    if (row.id == "binarizer")
      for (int64_t size : kSizes) cases.push_back({"", {tensor(dtype, {size})}, {{"threshold", 1.5}}});
    if (row.id == "array_feature_extractor")
      for (const Shape& shape : {Shape{5}, {3, 5}, {2, 3, 5}, {0, 5}})
        cases.push_back({"", {tensor(dtype, shape), list(DBK_I64, {1, 3}, {4, 0, 0})}});
  }
  if (!row.domain.empty())
    for (OpCase& test : cases) test.opset = 5;
  return cases;
}

}  // namespace ops
