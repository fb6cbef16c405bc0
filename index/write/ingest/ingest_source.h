#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "index/write/ingest/document_builder.h"
#include "index/write/ingest/walker.h"

namespace recall {

// A source of documents for an ingest, read sequentially. Not thread-safe.
class IngestSource {
 public:
  virtual ~IngestSource() = default;

  struct Item {
    std::string path;   // of the document; "" if it has no valid one
    int64_t bytes = 0;  // approximate memory it takes
    // Its share of the source, for the progress; unset: the same.
    std::optional<int64_t> source_bytes;
    // Reads and prepares the document, given the live version at `path`. Called once, on any
    // thread, while the source exists.
    std::function<PreparedDocument(const std::optional<DocRow>& live, TermBuilder& terms)> make;
  };
  // The next document; nothing at the end. An error concerns the source as a whole and ends it.
  virtual Result<std::optional<Item>> Next() = 0;

  // Whether two items may have the same path.
  virtual bool repeats_paths() const = 0;
};

// The item of one file. Both arguments must outlive it. A compressed file is read here, because its
// size in memory is not known before; others are read by the thread that prepares them.
IngestSource::Item FileItem(const FoundFile& file, const BuildOptions& options);

// The files that a walk found.
class FileSource final : public IngestSource {
 public:
  // The arguments must outlive the source.
  FileSource(const std::vector<FoundFile>* files, const BuildOptions* options)
      : files_(files), options_(options) {}

  Result<std::optional<Item>> Next() override;
  bool repeats_paths() const override { return false; }

 private:
  const std::vector<FoundFile>* files_;
  const BuildOptions* options_;
  size_t next_ = 0;
};

}  // namespace recall
