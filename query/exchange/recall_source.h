#pragma once

#include <memory>
#include <string>

#include "query/add/records/import_source.h"
#include "query/add/records/json_record.h"
#include "query/add/records/transfer_dependencies.h"
#include "query/exchange/recall_document.h"
#include "storage/file_io/input_lines.h"

namespace recall {

// The documents of a file in Recall's own format. Next reads the lines of one document; its job
// parses them.
class RecallSource final : public ImportSource {
 public:
  // Requires: `lines` has returned its first line, the header. The lines of one document with its
  // chunks have at most `max_document_bytes`.
  // Errors: InvalidArgument for an invalid header; Unsupported for a later version.
  static Result<std::unique_ptr<RecallSource>> Open(std::unique_ptr<InputLines> lines,
                                                    const std::string& header,
                                                    const TransferDependencies& deps,
                                                    uint64_t max_document_bytes);

  Result<std::optional<Job>> Next() override;
  AddProgress progress() const override;
  int64_t lines() const override { return lines_->line_number(); }
  const ImportWarnings& notes() const override { return notes_; }

 private:
  RecallSource(std::unique_ptr<InputLines> lines, const TransferDependencies& deps,
               uint64_t max_document_bytes);

  Status ReadHeader(const std::string& header);
  void CompareSettings(JsonRecord& record, const LineRef& line);
  Result<bool> NextLine();
  Result<std::unique_ptr<RawDocument>> ReadDocument();
  Status CheckEnd() const;
  LineRef here() const { return {file_, lines_->line_number(), line_}; }
  SourcePlace place() const { return {file_, true, lines_->line_number()}; }

  std::unique_ptr<InputLines> lines_;
  const TransferDependencies& deps_;
  uint64_t max_document_bytes_;
  std::string file_;
  bool take_vectors_ = false;
  std::optional<int64_t> docs_expected_;
  std::optional<int64_t> chunks_expected_;
  int64_t docs_ = 0;
  int64_t chunks_ = 0;
  std::string line_;  // the last line read; the first of the next document, unless at_end_
  std::string line_type_;
  bool at_end_ = false;
  ImportWarnings notes_;
};

}  // namespace recall
