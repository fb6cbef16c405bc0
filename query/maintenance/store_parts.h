#pragma once

#include <cstddef>
#include <span>
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

// A column that holds the contents of its part of the store as BLOBs.
struct ContentColumn {
  std::string_view table;  // stores of older formats do not have all of them
  std::string_view column;
  PageOwner owner;
};
std::span<const ContentColumn> ContentColumns();

}  // namespace recall
