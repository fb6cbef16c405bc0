#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "index/ingest/ingest_source.h"
#include "query/records/import_notes.h"
#include "query/records/json_record.h"
#include "storage/file_io/input_lines.h"

namespace recall {

// Documents of a file of lines, each one JSON object (docs/cli.md, "Documents as lines"). A line
// that is no document has failed, one that is too long is skipped; the others go on.
class DocumentLines final : public IngestSource {
 public:
  // `path` "-" is standard input. Lines may have options->max_file_bytes. The pointers must outlive
  // it. Errors: those of InputFile::Open.
  static Result<std::unique_ptr<DocumentLines>> Open(const std::string& path,
                                                     const BuildOptions* options,
                                                     const std::atomic<bool>* cancel);

  // Errors: those of InputFile::Read.
  Result<std::optional<Item>> Next() override;
  bool repeats_paths() const override { return true; }

  const InputFile& file() const { return lines_->file(); }
  // What is odd about the lines that Next has given.
  const ImportNotes& notes() const { return notes_; }

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
  ImportNotes notes_;
};

// One line as a document of a store whose vectors are those of `space`. Errors: InvalidArgument,
// whose message begins with the line's file.
Result<ProvidedDocument> ParseDocumentLine(const LineRef& line, const EmbeddingSpace& space);

}  // namespace recall
