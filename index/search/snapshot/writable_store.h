#pragma once

#include <memory>

#include "index/search/snapshot/note_records.h"
#include "index/search/snapshot/prepared_document.h"
#include "index/search/snapshot/snapshot.h"
#include "storage/notes/shared_notes.h"
#include "storage/tables/store_facts.h"

namespace recall {

// A set of changes to documents that become visible together, by Commit, or not at all. Destroying
// a batch that is not committed discards its changes. After an error of Put or Remove the batch
// must be destroyed. Must be used on one thread. Errors of all calls: Corruption, and those of the
// connection to the store.
class WriteBatch {
 public:
  virtual ~WriteBatch() = default;
  // The newest commit, with the changes of this batch. Valid as long as the batch exists.
  virtual const Snapshot& view() const = 0;
  // Writes a document, which replaces the live version at its path; if the outcome is kRefreshed,
  // only the labels of that version. Requires: outcome kAdded, kUpdated or kRefreshed.
  virtual Status Put(const PreparedDocument& document) = 0;
  // Removes a live version. Requires: a row of view().
  virtual Status Remove(const DocRow& doc) = 0;
  // Adds a link between two paths, where documents may be missing. Returns: false if it is there
  // already, with the same weight and reason; other ones replace them. Requires: a relation name, a
  // weight from 0 to 1, two paths. The rows of the record are ignored, here and below.
  virtual Result<bool> PutLink(const LinkRecord& link) = 0;
  // Ends a link with the ends, relation and origin of the record. Returns: false if there is none.
  virtual Result<bool> RemoveLink(const LinkRecord& link) = 0;
  // Record a use or a review of the document at a path. With another store's id, the row that this
  // store recorded: false if it is there already; "": by this store, always recorded. `row.name` is
  // ignored.
  virtual Result<bool> PutUse(std::string_view path, UseRow row) = 0;
  virtual Result<bool> PutReview(std::string_view path, ReviewRow row) = 0;
  // Adds what another store recorded of the document at a path: a union, so the order of merges
  // does not matter. Uses are the same if their time and way are, reviews if their time is. Of two
  // links of the same ends, relation and origin the one with the greater weight stays, then the one
  // with the greater reason, then the older one. Returns: false if nothing was new.
  virtual Result<bool> Merge(std::string_view path, const DocumentRecords& history) = 0;
  // Records what this store knows of the note at a path on the branch that carries it.
  virtual Status PutSharedNote(std::string_view path, const SharedNote& note) = 0;
  // Makes the changes visible and durable. No call may follow. Errors: also Busy if the store
  // cannot be locked; then nothing is changed.
  virtual Status Commit() = 0;
};

// A store to which documents are written. Must be used on one thread.
class WritableStore {
 public:
  virtual ~WritableStore() = default;
  virtual const StoreSettings& settings() const = 0;
  // Opens the newest commit for reading. Requires: no batch exists. The store must outlive the
  // result.
  virtual Result<std::unique_ptr<const Snapshot>> BeginRead() = 0;
  // Begins a batch, after waiting for other writers. Errors: Busy if that takes too long. The store
  // must outlive the batch. Requires: no other batch exists.
  virtual Result<std::unique_ptr<WriteBatch>> BeginBatch() = 0;
};

}  // namespace recall
