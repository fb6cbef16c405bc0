#pragma once

// Values of the fields that are in the rows of documents and chunks: what ORDER BY compares, and
// what a filter must agree with. The functions are named by the table of fields (field_table.cc).

#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "index/search/filter/fields.h"
#include "index/search/filter/sort_value.h"
#include "storage/base/ids.h"
#include "storage/documents/document_store.h"

namespace recall {

// ---- Functions of DocColumn::value --------------------------------------------------------------

inline SortValue ToSortValue(const std::string& text) { return SortValue::Text(text); }
inline SortValue ToSortValue(const Digest& digest) { return SortValue::Text(ToHex(digest)); }
inline SortValue ToSortValue(std::integral auto number) {
  return SortValue::Integer(static_cast<int64_t>(number));
}
template <typename T>
SortValue ToSortValue(const std::optional<T>& value) {
  return value ? ToSortValue(*value) : SortValue();
}

template <auto kMember>
SortValue InDoc(const DocRow& doc, const std::vector<std::string>&) {
  return ToSortValue(doc.*kMember);
}
SortValue LanguageValueOf(const DocRow& doc, const std::vector<std::string>&);
// A value of the metadata; that of a session is missing for other documents.
SortValue MetadataValueOf(const DocRow& doc, const std::vector<std::string>& keys);
SortValue SessionValueOf(const DocRow& doc, const std::vector<std::string>& keys);

// ---- Functions of ChunkColumn::value ------------------------------------------------------------

template <auto kMember>
SortValue InChunk(const DocRow&, const ChunkRow& chunk) {
  return ToSortValue(chunk.*kMember);
}
inline SortValue NotInRow(const DocRow&, const ChunkRow&) { return {}; }
SortValue ChunkIdOf(const DocRow& doc, const ChunkRow& chunk);
SortValue ChunkDocIdOf(const DocRow& doc, const ChunkRow& chunk);
// Of a chunk of a session whose heading is that of a turn; else missing.
SortValue TurnNumberOf(const DocRow& doc, const ChunkRow& chunk);
SortValue TurnRoleOf(const DocRow& doc, const ChunkRow& chunk);
SortValue TurnTimeOf(const DocRow& doc, const ChunkRow& chunk);

}  // namespace recall
