#pragma once

#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "query/migration/published_source.h"

namespace recall {

// A recall.db of recall 0.1. Three generations of it exist:
//
//   A  no table `meta`, no column doc.meta, vectors indexed in `ann_lsh`
//   B  meta.schema_version 1, `ann_lsh` or `ann_hnsw`
//   C  meta.schema_version 2, `chunk_vec`, a virtual table of a module that need not be there
//
// The documents are in `doc` and `chunk` in all of them; nothing else is looked at. The file is
// never written to, not even to recover it after a crash.
class PublishedStore final {
 public:
  // Reads all live documents and chunks. Errors: NotFound; AlreadyExists for a store of this
  // program; Unsupported for a later generation; Corruption for everything else that is not a
  // store of recall 0.1; Busy when another process is writing to it, or left it half written;
  // Cancelled.
  static Result<PublishedStore> Read(const std::string& path, uint64_t max_document_bytes,
                                     const std::atomic<bool>* cancel);

  PublishedSource& source() { return *source_; }
  // "recall 0.1, generation B (schema version 1)"
  const std::string& generation() const { return generation_; }
  // What made its vectors, as far as it says; 0 components when it has none.
  const std::string& embedder() const { return embedder_; }
  uint32_t dim() const { return dim_; }

  // Busy when the file has changed since it was read.
  Status CheckUnchanged() const;

 private:
  explicit PublishedStore(std::string path) : path_(std::move(path)) {}
  Status CheckAtRest() const;
  Status ReadAll(uint64_t max_document_bytes, const std::atomic<bool>* cancel);
  Status ReadIdentity(Connection& connection);
  Status ReadMeta(Connection& connection);

  std::string path_;
  std::string real_path_;  // without symbolic links: what SQLite keeps journals beside
  struct stat file_ {};    // as it was before it was read
  std::string generation_;
  std::string embedder_;
  uint32_t dim_ = 0;
  std::unique_ptr<PublishedSource> source_;
};

}  // namespace recall
