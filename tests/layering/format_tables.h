#pragma once

// Compares the byte tables of docs/format/*.md with the static_asserts about the product's structs.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

struct FormatField {
  size_t offset = 0;
  size_t bytes = 0;
  std::string name;

  friend bool operator==(const FormatField&, const FormatField&) = default;
};

struct FormatTable {
  std::string where;  // "store.md:12", "path.h: Struct"
  std::vector<FormatField> fields;
};

// The tables whose first columns are `offset`, `size` and `field`. Rows without a number as offset
// or size are skipped, because their length varies. Digits at the end of a name are ignored, here
// and in structs, where two reserved fields need two names.
std::vector<FormatTable> TablesOf(std::string_view file, std::string_view markdown);

// The structs with `static_assert(offsetof(S, field) == N)` for each field and one for sizeof(S).
// The size of a field extends to the next one. A struct without an assertion of its size is
// skipped.
std::vector<FormatTable> AssertedStructsOf(std::string_view file, std::string_view source);

// One sentence for each table without an equal struct, and for each struct without an equal table.
std::vector<std::string> FormatDifferences(const std::vector<FormatTable>& tables,
                                           const std::vector<FormatTable>& structs);

}  // namespace recall
