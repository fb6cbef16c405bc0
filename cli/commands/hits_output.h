#pragma once

#include <cstdint>

#include "cli/commands/common_answer.h"

namespace recall {

// The output of `search` and `similar`: a page of ranked chunks.

// Prints JSON or JSON lines. `own_key` and `own` as in JsonResponse; `own_key` is "" without `own`.
Status SendHits(Session& session, const Question& question, const SearchResponse& found,
                bool explain, int64_t micros, std::string own_key = {}, Json own = {});

// Prints a block of text for each hit, then the text of --explain.
Status PrintHits(Session& session, const Question& question, const SearchResponse& found,
                 bool explain);

}  // namespace recall
