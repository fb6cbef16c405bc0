#pragma once

#include <memory>
#include <string>

#include "query/add/records/import_source.h"
#include "query/add/records/transfer_dependencies.h"
#include "query/compat/recall01/recall01_spool.h"
#include "storage/file_io/input_lines.h"

namespace recall {

// Documents in the format of recall 0.1, from a spool that contains all of them.
class Recall01Source final : public ImportSource {
 public:
  // Reads a whole export. Either `lines` has returned its first line, `first`, and `more` is true,
  // or the file is empty. Errors: InvalidArgument with the line; Cancelled.
  static Result<std::unique_ptr<Recall01Source>> ReadExport(std::unique_ptr<InputLines> lines,
                                                            std::string first, bool more,
                                                            const std::atomic<bool>* cancel,
                                                            uint64_t max_document_bytes);

  // Requires: `spool` is sorted. `notes`: notes that were made while it was filled.
  Recall01Source(std::unique_ptr<Recall01Spool> spool, ImportWarnings notes, int64_t lines);

  Result<std::optional<Job>> Next() override;
  AddProgress progress() const override;
  int64_t lines() const override { return lines_; }
  const ImportWarnings& notes() const override { return notes_; }

 private:
  std::unique_ptr<Recall01Spool> spool_;
  ImportWarnings notes_;
  int64_t lines_;
  int64_t docs_ = 0;
};

}  // namespace recall
