#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/embed/factory/embedding_space.h"
#include "index/search/filter/filter_expr.h"
#include "index/search/snapshot/snapshot.h"
#include "index/search/snapshot/writable_store.h"
#include "index/write/local/local_store.h"
#include "query/ask/rows/scoped_snapshot.h"
#include "storage/store/store.h"

namespace recall {

// The parts of the database that writes of notes use. All must outlive the call.
struct NoteDependencies {
  Store* store;
  // The active space, with its coarse quantizer loaded; null: no note is written.
  std::shared_ptr<EmbeddingSpace> space;
  const EmbedderProvider* embedders;
  std::string root;                        // absolute: the directory of the store
  const std::optional<FilterExpr>* scope;  // as in OpenOptions
  const std::atomic<bool>* cancel;
};

// A batch of changes, and what may be read of the store with them. Files that it has written or
// removed get their old text back if it is not committed; new ones are removed.
class NoteBatch final {
 public:
  NoteBatch() = default;
  ~NoteBatch();
  NoteBatch(const NoteBatch&) = delete;
  NoteBatch& operator=(const NoteBatch&) = delete;

  // `store` must outlive the batch. Errors: Busy if another process has just activated a space
  // other than that of the tools; those of WritableStore::BeginBatch.
  static Result<std::unique_ptr<NoteBatch>> Begin(LocalStore& store, const NoteDependencies& deps);

  WriteBatch& operator*() const { return *batch_; }
  WriteBatch* operator->() const { return batch_.get(); }
  // Documents outside of the scope do not exist. Documents that this batch has put are not in it.
  const Snapshot& visible() const { return visible_->snapshot(); }

  // Gives a file a new text, whole or not at all. `old_text`: unset if the file is new. Errors:
  // IoError, Cancelled.
  Status WriteFile(const std::string& path, std::string_view text,
                   std::optional<std::string> old_text);
  // Removes a file with this text. Errors: IoError.
  Status RemoveFile(const std::string& path, std::string old_text);
  // As WriteBatch::Commit.
  Status Commit();

 private:
  const std::atomic<bool>* cancel_ = nullptr;
  std::vector<std::pair<std::string, std::optional<std::string>>> old_texts_;  // of files, by path
  std::unique_ptr<WriteBatch> batch_;
  std::unique_ptr<const VisibleSnapshot> visible_;
};

// Finds the document that a target denotes: a path, the id of a note, or the id of a document.
// Errors: NotFound, with a hint.
Result<DocRow> FindTarget(const TextsAndFacts& texts, const std::string& target,
                          const std::string& store_root);

}  // namespace recall
