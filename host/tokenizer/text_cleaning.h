// Text as BERT's uncased models expect it: no control characters, blanks as spaces, CJK characters set apart by spaces,
// canonically decomposed, without accents, in lower case. Every code point gives what the BertNormalizer of
// HuggingFace's tokenizers makes of it, but for some 670 that joined or changed category after Unicode 8, the version
// of its tables.
#pragma once

#include <string>
#include <string_view>

namespace host {

// Bytes that are not UTF-8 are left out.
std::u32string cleaned_text(std::string_view utf8);

bool is_punctuation(char32_t c);  // every ASCII symbol counts, as in BERT

void append_utf8(std::string& out, char32_t c);

}  // namespace host
