#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "storage/fts5/fts_index.h"

namespace recall {

// Whether the tokens of a text from index `at` on are those of the phrase.
bool StandsAt(const FtsPhrase& phrase, std::span<const std::string_view> words, size_t at);

}  // namespace recall
