#pragma once

#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "query/compat/recall01/recall01_source.h"

namespace recall {

// A store of recall 0.1. Three generations of it exist:
//
//   A  no table `meta`, no column doc.meta, vectors indexed in `ann_lsh`
//   B  meta.schema_version 1, `ann_lsh` or `ann_hnsw`
//   C  meta.schema_version 2, `chunk_vec`, a virtual table of a module that may be unavailable
//
// In all of them the documents are in the tables `doc` and `chunk`; nothing else is read. The file
// is never written to, not even to recover it after a crash.
class Recall01Store final {
 public:
  // Reads all live documents and chunks. Errors: NotFound; AlreadyExists for a store of this
  // program; Unsupported for a later generation; Corruption for any other file that is not a store
  // of recall 0.1; Busy when another process is writing to it or left a journal; Cancelled.
  static Result<Recall01Store> Read(const std::string& path, uint64_t max_document_bytes,
                                    const std::atomic<bool>* cancel);

  Recall01Source& source() { return *source_; }
  // "recall 0.1, generation B (schema version 1)"
  const std::string& generation() const { return generation_; }
  // The recorded embedder of its vectors, "" if unknown, and their dimension; 0 without vectors.
  const std::string& embedder() const { return embedder_; }
  uint32_t dim() const { return dim_; }

  // Returns: Busy if the file has changed since it was read.
  Status CheckUnchanged() const;

 private:
  explicit Recall01Store(std::string path) : path_(std::move(path)) {}
  Status CheckAtRest() const;
  Status ReadAll(uint64_t max_document_bytes, const std::atomic<bool>* cancel);
  Status ReadIdentity(Connection& connection);
  Status ReadMeta(Connection& connection);

  std::string path_;
  std::string real_path_;  // without symbolic links: SQLite keeps journals beside this path
  struct stat file_ {};    // its state before it was read
  std::string generation_;
  std::string embedder_;
  uint32_t dim_ = 0;
  std::unique_ptr<Recall01Source> source_;
};

}  // namespace recall
