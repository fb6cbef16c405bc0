#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/commands/common_answer.h"
#include "cli/show/output/payload.h"
#include "cli/show/output/result_fields.h"

namespace recall {

// The output of `search` and `similar`: a page of ranked chunks.

struct HitsForm {
  bool explain = false;
  const std::optional<ResultFields>& fields;  // unset: whole results
  bool fzf = false;                           // a line per hit, as FormatFzfLine has it
  Payload payload = Payload::kPlain;          // kLean: instead of fields
  bool named = false;  // the fields were asked for, and are not those of --lean
};

// JSON, JSON lines or lean lines. `own_key` and `own` as in JsonResponse.
Status SendHits(CommandContext& context, const Question& question, const SearchResponse& found,
                const HitsForm& form, int64_t micros, std::string_view own_key = {},
                JsonFields own = {});

// Prints a block of text for each hit, or a line of fields or for fzf, then the text of --explain.
Status PrintHits(CommandContext& context, const Question& question, const SearchResponse& found,
                 const HitsForm& form);

}  // namespace recall
