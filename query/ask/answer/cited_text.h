#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "query/ask/answer/text_reference.h"
#include "query/ask/rows/views.h"
#include "query/types/get_types.h"

namespace recall {

// The text that an exact citation names: a range of bytes of one version of one document.
struct CitedText {
  CitationOutcome outcome = CitationOutcome::kSame;
  DocRow doc;
  std::string text;  // of the whole document
  uint64_t start = 0;
  uint64_t end = 0;
  // Where the same text is now: an exact citation; "" if it is nowhere in the store, or unmoved.
  std::string now;
};

// Finds chunks whose text is similar to `text`, best first, for FindCitedText.
using SimilarTextSearch = std::function<Result<std::vector<uint32_t>>(const std::string& text)>;

// Finds the text of an exact citation (`cited.hash` is set) of the document `path`:
//
// 1. the cited lines of the live version, if they have the hash: kSame
// 2. the same number of lines anywhere in the live version that have the hash: kMoved
// 3. the same in the removed versions that the store still has, newest first: kReplaced.
//    `search` then proposes live documents that may have the same text, for `now`.
// 4. as 2, in documents with the same file name: kMoved
// 5. as 2, in all other documents, by path: kMoved
//
// A reference without lines names a whole version by doc.hash, and 2, 4 and 5 find equal documents.
//
// Never returns another text than the cited one. Errors: CitationChanged if the document exists but
// the store has the text nowhere, CitationGone if neither exists; Corruption. Cost: the removed
// versions of the path are read, and for 2 each window of lines is hashed, up to kMostHashedBytes.
Result<CitedText> FindCitedText(const TextsAndFacts& texts, const std::string& path,
                                const TextReference& cited, const SimilarTextSearch& search);

inline constexpr uint64_t kMostHashedBytes = uint64_t{256} << 20;

}  // namespace recall
