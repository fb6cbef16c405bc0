#pragma once

#include <string>

#include "index/source/extract/types/user_extractor.h"
#include "query/ask/answer/cited_text.h"
#include "query/ask/sources/source_file.h"

namespace recall {

// Answers `get`: finds the target, reads its text, and compares it with the source file if the
// request says so. `places`: where that file is; `search` as in FindCitedText, or null;
// `extractors`: the user's own.
// Errors: NotFound if the target does not exist or has no such line; InvalidArgument if an id
// prefix is ambiguous; those of FindCitedText.
Result<GetResponse> RunGet(const TextsAndFacts& texts, const GetRequest& request,
                           const SourcePlaces& places, const SimilarTextSearch& search = {},
                           const std::vector<UserExtractor>& extractors = {});

}  // namespace recall
