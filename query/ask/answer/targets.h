#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/ask/rows/views.h"

namespace recall {

// Resolves the names that users give to documents and chunks: paths, directories, ids and unique
// prefixes of ids. A path is first taken relative to the working directory, as the shell completes
// it, then relative to the store, as answers print it.

// The smallest number of digits of an id. A shorter one must be marked: "id:3fa9c1d2". Otherwise
// words such as "cafe" and "1234" would name documents of a large store by chance.
inline constexpr size_t kShortestIdPrefix = 12;
inline constexpr size_t kShortestMarkedIdPrefix = 4;

// Returns: the digits of "id:3fa9c1d2" or of a text of at least kShortestIdPrefix hexadecimal
// digits; nothing if `target` is no id.
std::optional<std::string_view> IdDigits(std::string_view target);

// Finds the live document with a path relative to the working directory, else relative to the
// store; else the note with this id.
Result<std::optional<DocRow>> FindNamed(const TextsAndFacts& texts, std::string_view name,
                                        const std::string& store_root);

// Finds the only live document whose path is `name` but for upper and lower case, relative to the
// working directory or to the store. Reads all paths.
Result<std::optional<DocRow>> FindIgnoringCase(const TextsAndFacts& texts, std::string_view name,
                                               const std::string& store_root);

// Returns: the live documents that a target of `rm` denotes: the document with this path, else all
// below this directory or in this archive, else the one with this id or id prefix. Empty if there
// is none. Errors: InvalidArgument if an id prefix is ambiguous.
Result<std::vector<DocRow>> ResolveTarget(const TextsAndFacts& texts, const std::string& target,
                                          const std::string& store_root);

// The document or the chunk that an id denotes: one of them is set, or none.
struct FoundById {
  std::optional<DocRow> doc;
  std::optional<ChunkRow> chunk;
};
// `digits`: as by IdDigits. Errors: InvalidArgument if they begin more than one id.
Result<FoundById> FindById(const TextsAndFacts& texts, std::string_view digits);

// Returns: what to try instead of a target that denotes nothing: a document with this file name or
// with one of which few letters differ, the mark of a short id.
Result<std::string> HintFor(const TextsAndFacts& texts, std::string_view target,
                            const std::string& store_root);

}  // namespace recall
