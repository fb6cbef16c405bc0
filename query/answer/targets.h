#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/rows/views.h"

namespace recall {

// Resolves the names that users give to documents and chunks: paths, directories, ids and unique
// prefixes of ids. A path is first taken relative to the working directory, as the shell completes
// it, then relative to the store, as answers print it.

// A shorter text is not tried as a prefix of an id.
inline constexpr size_t kShortestIdPrefix = 4;

// True if `text` could be an id or a prefix of one.
bool LooksLikeId(std::string_view text);

// Returns: the live documents that a target of `rm` denotes: the document with this path, else all
// below this directory or in this archive, else the one with this id or id prefix. Empty if there
// is none. Errors: InvalidArgument if an id prefix is ambiguous.
Result<std::vector<DocRow>> ResolveTarget(const TextsAndFacts& texts, const std::string& target,
                                          const std::string& store_root);

// Answers `get`. `store_root`: the directory of the store. Errors: NotFound if the target does not
// exist or has no such line; InvalidArgument if an id prefix is ambiguous; Corruption.
Result<GetResponse> RunGet(const TextsAndFacts& texts, const GetRequest& request,
                           const std::string& store_root);

}  // namespace recall
