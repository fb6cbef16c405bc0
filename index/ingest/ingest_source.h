#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "index/ingest/document_builder.h"
#include "index/ingest/walker.h"

namespace recall {

// Where an ingest has its documents from, one after another. Not thread-safe.
class IngestSource {
 public:
  virtual ~IngestSource() = default;

  struct Item {
    std::string path;   // of the document; "" when it has none that can be used
    int64_t bytes = 0;  // about what it takes to keep it in memory
    // Reads and prepares the document, given the one the store has at `path`. On any thread, once,
    // while the source lives.
    std::function<PreparedDocument(const std::optional<DocRow>& live, TermBuilder& terms)> make;
  };
  // The next document; nothing at the end. An error is of the source as a whole, and its last word.
  virtual Result<std::optional<Item>> Next() = 0;

  // Whether two items may have the same path.
  virtual bool repeats_paths() const = 0;
};

// One file. Both must outlive the item.
IngestSource::Item FileItem(const FoundFile& file, const BuildOptions& options);

// Files that a walk found.
class FileSource final : public IngestSource {
 public:
  // Both must outlive it.
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
