#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/rows/views.h"

namespace recall {

// What users name on the command line: documents by path, directory, id or unique id prefix.
// Paths are tried as the shell completes them (relative to the working directory), then as answers
// print them (relative to the store).

// Shortest id prefix that is taken for an id.
inline constexpr size_t kShortestIdPrefix = 4;

// True when `text` could be an id or the beginning of one.
bool LooksLikeId(std::string_view text);

// The live documents a target of `rm` names: the document at that path, else all below that
// directory, else the one whose id starts so. Empty when there is none; InvalidArgument when an
// id prefix is ambiguous.
Result<std::vector<DocRow>> ResolveTarget(const TextsAndFacts& texts, const std::string& target,
                                          const std::string& store_root);

// Answers `get`.
Result<GetResponse> RunGet(const TextsAndFacts& texts, const GetRequest& request,
                           const std::string& store_root);

}  // namespace recall
