#pragma once

// Objects that are shortened until they fit a budget of tokens, so that an answer loses what
// matters least. Tokens are counted as EstimateTokens does.

#include <cstdint>
#include <string>

#include "cli/server/mcp/json_rpc.h"

namespace recall {

// Shortens a result until it fits with `rest` behind it: first its longest text, never what names
// the result. Returns: false if that does not suffice.
bool ShortenBefore(Json& result, const std::string& rest, int64_t budget);
// The same, with nothing behind it.
bool ShortenToFit(Json& object, int64_t budget);

// Shortens the member `warnings` from its end. Warnings repeat words of the query, which may be
// long. They must not take the place of results.
void ShortenWarnings(Json& totals, int64_t budget);
// Leaves out neighbours over links, the member `related`, from the end, for the same reason.
void ShortenRelated(Json& totals, int64_t budget);

// Replaces the longest lists by their lengths, which say what matters, until the object fits.
void CountListsToFit(Json& object, int64_t budget);

}  // namespace recall
