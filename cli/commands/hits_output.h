#pragma once

#include <cstdint>
#include <string_view>

#include "cli/commands/common_answer.h"

namespace recall {

// What `search` and `similar` print: ranked chunks, a page of them.

// JSON or JSON lines. `own_key` and `own` as in JsonResponse.
Status SendHits(Session& session, const Question& question, const SearchResponse& found,
                bool explain, int64_t micros, std::string_view own_key = {}, JsonFields own = {});

// A block for each, then what --explain tells.
Status PrintHits(Session& session, const Question& question, const SearchResponse& found,
                 bool explain);

}  // namespace recall
