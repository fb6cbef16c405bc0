#pragma once

#include <memory>
#include <optional>
#include <string>

#include "index/write/local/local_snapshot.h"
#include "query/ask/retrieval/query_tools.h"
#include "tests/test_util.h"

namespace recall {

// The query tools of an empty store with vectors of eight dimensions.
class LocalDependencies final {
 public:
  explicit LocalDependencies(const std::string& embedder = "hash") {
    StoreSettings settings;
    settings.embedder = embedder;
    settings.dim = 8;
    store_ = Store::Create(dir_ / "recall.db", settings).value();
    transaction_ = store_->BeginRead().value();
    snapshot_.emplace(*transaction_);
    deps_.emplace(*snapshot_, EmbeddingSpace::Open(*transaction_).value(), &tokenizer_, &rankers_,
                  no_listener_);
  }

  const QueryDependencies& deps() const { return *deps_; }
  const Snapshot& snapshot() const { return *snapshot_; }

 private:
  TempDir dir_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<ReadTransaction> transaction_;
  Tokenizer tokenizer_;
  Rankers rankers_{std::vector<RankerConfig>()};
  const StageListener no_listener_;
  std::optional<LocalSnapshot> snapshot_;
  std::optional<QueryDependencies> deps_;
};

}  // namespace recall
