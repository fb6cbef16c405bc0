#pragma once

#include <cstdint>
#include <string_view>

#include "cli/commands/common_answer.h"

namespace recall {

// The output of `search` and `similar`: a page of ranked chunks.

// JSON or JSON lines. `own_key` and `own` as in JsonResponse.
Status SendHits(Session& session, const Question& question, const SearchResponse& found,
                bool explain, int64_t micros, std::string_view own_key = {}, JsonFields own = {});

// Prints a block of text for each hit, then the text of --explain.
Status PrintHits(Session& session, const Question& question, const SearchResponse& found,
                 bool explain);

}  // namespace recall
