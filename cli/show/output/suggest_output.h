#pragma once

// Suggestions as text and in JSON (docs/json.md).

#include <string>

#include "cli/show/terminal/terminal.h"
#include "query/types/suggest_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// Returns: a line with the id, the kind and the first note, then the reason and what else belongs
// to it, each on a line of its own, indented.
std::string FormatSuggestion(const Suggestion& suggestion, const TextStyle& style);
// Returns: the command of a suggestion, as a shell reads it.
std::string CommandLineOf(const Suggestion& suggestion);

void WriteFields(const SuggestReport& report, JsonWriter& json);
void WriteFields(const SettleReport& report, bool dry_run, JsonWriter& json);

}  // namespace recall
