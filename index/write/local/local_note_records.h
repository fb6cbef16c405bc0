#pragma once

#include "index/search/snapshot/note_records.h"
#include "storage/store/store.h"

namespace recall {

// Links and facts of notes of a local store.
class LocalNoteRecords final : public NoteRecords {
 public:
  // `transaction` must outlive it.
  explicit LocalNoteRecords(const ReadTransaction& transaction) : transaction_(transaction) {}
  Result<bool> HasNotes() const override;
  Result<bool> HasRemovedPrivateNotes() const override;
  Result<std::vector<LinkRecord>> LinksAt(LinkEnd end, std::string_view path) const override;
  Result<DocumentRecords> RecordsOf(std::string_view path) const override;
  Result<std::optional<NoteState>> FindState(int64_t doc_row, UnixNanos as_of) const override;
  Result<std::optional<NoteFacts>> FindFacts(int64_t doc_row, UnixNanos as_of) const override;
  Status ScanFacts(UnixNanos as_of,
                   const std::function<void(const NoteFacts&)>& visit) const override;
  Status ScanLinks(const std::function<void(const NamedLink&)>& visit) const override;
  Result<std::string> PathOf(int64_t name) const override;

 private:
  const ReadTransaction& transaction_;
};

}  // namespace recall
