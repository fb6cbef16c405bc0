#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "query/add/records/import_source.h"
#include "query/add/records/transfer_dependencies.h"

namespace recall {

// The live documents of other stores, in the order of their paths, as if all their files were added
// store by store: if several stores have a document with the same path, that of the last store is
// kept; sessions are united. Each store is read in one read transaction, and its bytes are not
// trusted. Next and the destructor must be called on the thread that opened the source.
class StoreSource final : public ImportSource {
 public:
  // `paths`: the files of the stores. Errors: those of Store::Open; InvalidArgument if one of them
  // is the store of `deps`.
  static Result<std::unique_ptr<StoreSource>> Open(std::span<const std::string> paths,
                                                   const TransferDependencies& deps);
  ~StoreSource() override;

  Result<std::optional<Job>> Next() override;
  AddProgress progress() const override;
  int64_t lines() const override { return 0; }
  const ImportWarnings& notes() const override { return notes_; }

  // The size of a store.
  struct Holding {
    std::string path;
    int64_t docs = 0;
    int64_t chunks = 0;
  };
  std::vector<Holding> holdings() const;

 private:
  class Reader;
  StoreSource();

  std::vector<std::unique_ptr<Reader>> readers_;  // in the order of `paths`
  ChunkOptions chunking_;                         // of the store that is merged into
  AddProgress progress_;
  ImportWarnings notes_;
};

}  // namespace recall
