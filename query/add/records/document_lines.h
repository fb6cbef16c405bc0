#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "index/write/ingest/ingest_source.h"
#include "query/add/records/import_warnings.h"
#include "query/add/records/json_record.h"
#include "query/types/add_types.h"
#include "storage/file_io/input_lines.h"

namespace recall {

// Reads documents from a file with one JSON object per line (docs/cli/add.md, "Documents as
// lines"). An invalid line counts as failed, a line that is too long as skipped; both do not end
// the reading. Next runs on one thread; the returned items may be made on other threads.
class DocumentLines final : public IngestSource {
 public:
  // Reads the lines of the request, or its file; "-" is standard input. A line has at most
  // options->max_file_bytes. The pointers must outlive the object. Errors: those of
  // InputFile::Open.
  static Result<std::unique_ptr<DocumentLines>> Open(const AddRequest& request,
                                                     const BuildOptions* options,
                                                     const std::atomic<bool>* cancel);

  // Returns: the next document, not parsed except for its path; nullopt at the end. Errors: those
  // of InputFile::Read.
  Result<std::optional<Item>> Next() override;
  bool repeats_paths() const override { return true; }

  const InputFile& file() const { return lines_->file(); }
  // The notes about the lines that Next has returned.
  const ImportWarnings& notes() const { return notes_; }

 private:
  DocumentLines(std::unique_ptr<InputLines> lines, const BuildOptions* options);

  std::string PlaceOf(int64_t line) const { return name_ + ":" + std::to_string(line); }
  Item TooLong() const;
  Item ItemOf(std::string line);
  PreparedDocument Prepare(std::string_view text, int64_t line, const std::string& path,
                           const std::optional<DocRow>& live, TermBuilder& terms) const;

  std::unique_ptr<InputLines> lines_;
  const BuildOptions* options_;
  std::string name_;
  ImportWarnings notes_;
};

// Parses one line as a document for a store with vectors of `space`. Errors: InvalidArgument; the
// message begins with the name of the file.
Result<ProvidedDocument> ParseDocumentLine(const LineRef& line, const EmbeddingSpace& space);

}  // namespace recall
