#pragma once

#include <cstddef>
#include <string_view>

namespace recall {

// What the pages of a store are for; the values are indices in kPageOwners.
enum class PageOwner : size_t {
  kTexts,
  kFullTextIndex,
  kDocuments,
  kVectors,
  kForwardIndex,
  kModels,
  kHistory,
  kOther,
  kFree,
};

// Returns: the owner of the pages of a table or index; kFree for "".
PageOwner OwnerOf(std::string_view tree);

}  // namespace recall
