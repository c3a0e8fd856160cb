// How alike sentences are: the cosines of the angles between their embeddings, and a table of them.
#pragma once

#include <string>
#include <vector>

#include "sentence_embedder.h"

namespace host {

double cosine(std::span<const float> a, std::span<const float> b);  // NaN where one has no length

// Row by row, [count, count].
std::vector<std::vector<double>> similarities(const Embeddings& embeddings);

// Every pair for up to 12 sentences; for more, each sentence with the one most like it. Lines end with '\n'.
std::string similarity_table(const std::vector<std::string>& sentences,
                             const std::vector<std::vector<double>>& similarity);

}  // namespace host
