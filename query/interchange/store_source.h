#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "query/records/import_source.h"
#include "query/records/transfer_tools.h"

namespace recall {

// The live documents of other stores, by path, as one ingest of all their files would have them: of
// a path that several stores have, the last store's counts. Each store is read as one commit left
// it, whatever others do to it meanwhile, and its bytes are trusted no more than those of a file.
// Next and the destructor belong to the thread that opened it.
class StoreSource final : public ImportSource {
 public:
  // `paths` name files. Errors: those of Store::Open; InvalidArgument for the store of `tools`.
  static Result<std::unique_ptr<StoreSource>> Open(std::span<const std::string> paths,
                                                   const TransferTools& tools);
  ~StoreSource() override;

  Result<std::optional<Job>> Next() override;
  AddProgress progress() const override;
  int64_t lines() const override { return 0; }
  const ImportNotes& notes() const override { return notes_; }

  // What the stores hold.
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
  AddProgress progress_;
  ImportNotes notes_;
};

}  // namespace recall
