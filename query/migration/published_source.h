#pragma once

#include <memory>
#include <string>

#include "query/migration/published_spool.h"
#include "query/records/import_source.h"
#include "query/records/transfer_tools.h"
#include "storage/file_io/input_lines.h"

namespace recall {

// Documents in the form of recall 0.1, out of a spool that holds them all.
class PublishedSource final : public ImportSource {
 public:
  // Of an export. `lines` has given its first line, `first` (and `more` is true), or is at its end.
  // Reads all of it. Errors: InvalidArgument that names the line; Cancelled.
  static Result<std::unique_ptr<PublishedSource>> ReadExport(std::unique_ptr<InputLines> lines,
                                                             std::string first, bool more,
                                                             const std::atomic<bool>* cancel,
                                                             uint64_t max_document_bytes);

  // `spool` is sorted; `notes` are those of whoever filled it.
  PublishedSource(std::unique_ptr<PublishedSpool> spool, ImportNotes notes, int64_t lines);

  Result<std::optional<Job>> Next() override;
  AddProgress progress() const override;
  int64_t lines() const override { return lines_; }
  const ImportNotes& notes() const override { return notes_; }

 private:
  std::unique_ptr<PublishedSpool> spool_;
  ImportNotes notes_;
  int64_t lines_;
  int64_t docs_ = 0;
};

}  // namespace recall
