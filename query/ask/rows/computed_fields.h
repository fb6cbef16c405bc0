#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "index/search/filter/field_table.h"
#include "index/search/filter/sort_value.h"
#include "index/search/snapshot/snapshot.h"
#include "query/ask/rows/part_fields.h"

namespace recall {

// Values of the computed fields of documents at one commit, as of a time: the values that filters
// compare with. Errors of all functions: Corruption. Not thread-safe.
class ComputedFields final {
 public:
  // `snapshot` must outlive the object.
  ComputedFields(const Snapshot& snapshot, UnixNanos as_of)
      : notes_(snapshot.notes()), as_of_(as_of) {}

  // Reads these fields of all documents, so that Read takes them from memory: 16 bytes for each
  // document with another value than a document of which nothing is known, and for each link. Other
  // fields are looked up one document at a time. Fields that are not computed are left out.
  Status Load(const std::vector<FieldRef>& fields);
  // A list of paths has the kind kCompound. Requires: the field is computed, the document is live.
  Result<SortValue> Read(const FieldRef& field, const DocRow& doc);
  // Adds the values of those of `fields` that are computed to `view`.
  Status AddTo(DocView& view, const std::vector<FieldRef>& fields, const DocRow& doc);

 private:
  // Of one document: a number, the bits of a double, the place of a text in `texts`, or the name at
  // the other end of a link.
  struct Entry {
    int64_t doc_row;
    int64_t bits;
  };
  // A loaded field.
  struct Column {
    FieldRef field;
    std::variant<NoteFact, LinksOfDocument> values;
    std::vector<Entry> entries;  // by document
    std::vector<std::string> texts;
    std::unordered_map<std::string, int64_t> place_of;  // of texts, while they are read
  };

  Status LoadFacts();
  Status LoadLinks();
  const Column* Find(const FieldRef& field) const;
  static int64_t BitsOf(SortValue value, Column& column);
  static SortValue ValueOf(const Column& column, int64_t bits);
  Result<SortValue> ReadColumn(const Column& column, int64_t doc_row) const;
  Result<SortValue> LookUpLinks(const FieldRef& field, LinksOfDocument links,
                                const std::string& path) const;
  Result<const NoteFacts*> FactsOf(int64_t doc_row);

  const NoteRecords& notes_;
  const UnixNanos as_of_;
  std::vector<Column> columns_;
  std::optional<std::pair<int64_t, NoteFacts>> last_;  // what FactsOf returned, and of which row
};

// Those of `fields` that are computed.
std::vector<FieldRef> ComputedAmong(const std::vector<FieldRef>& fields);

// Adds the computed `fields` to the documents of the rows of an answer: anything with a member
// `doc`, and those of parts to its `chunk`. A document that is not live, as a removed version is
// not, has none. Sets `reported` if the values depend on `as_of`.
template <typename Rows>
Status AddComputed(const Snapshot& snapshot, const std::vector<FieldRef>& fields, UnixNanos as_of,
                   Rows& rows, std::optional<UnixNanos>* reported);

// The same for one document.
Status AddComputed(const Snapshot& snapshot, const std::vector<FieldRef>& fields,
                   ComputedFields& computed, DocView& doc);
Status AddParts(const Snapshot& snapshot, const std::vector<FieldRef>& fields, PartFields& parts,
                const DocView& doc, ChunkView& chunk);
bool AnyDependsOnTime(const std::vector<FieldRef>& fields);

template <typename Rows>
Status AddComputed(const Snapshot& snapshot, const std::vector<FieldRef>& fields, UnixNanos as_of,
                   Rows& rows, std::optional<UnixNanos>* reported) {
  if (fields.empty()) return Status::Ok();
  if (AnyDependsOnTime(fields)) *reported = as_of;
  ComputedFields computed(snapshot, as_of);
  PartFields parts(snapshot.texts());
  for (auto& row : rows) {
    RECALL_TRY(AddComputed(snapshot, fields, computed, row.doc));
    RECALL_TRY(AddParts(snapshot, fields, parts, row.doc, row.chunk));
  }
  return Status::Ok();
}

}  // namespace recall
