#pragma once

// Links, and what is known of notes: their cards, uses and reviews. Writing: writable_store.h.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/search/snapshot/link_record.h"
#include "storage/base/result.h"
#include "storage/notes/activity_table.h"
#include "storage/notes/link_table.h"
#include "storage/notes/note_facts.h"

namespace recall {

// What was recorded of a path and does not follow from any text: the links that leave it, but for
// those of its text, its uses and its reviews. The names of the rows are not set.
struct DocumentRecords {
  std::vector<LinkRecord> links;
  std::vector<UseRow> uses;
  std::vector<ReviewRow> reviews;

  bool Empty() const { return links.empty() && uses.empty() && reviews.empty(); }
};

// A link as the names of its ends, numbers that stand for paths.
struct NamedLink {
  int64_t source = 0;
  int64_t target = 0;
  std::string_view relation;
  // The live documents at the two paths; unset if there is none: the end is missing.
  std::optional<int64_t> source_row = {};
  std::optional<int64_t> target_row = {};
};

// Reads them at one commit. All calls must be made on the thread of the snapshot. A store of a
// format without notes has none. Errors of all calls: Corruption, and those of the connection to
// the store.
class NoteRecords {
 public:
  virtual ~NoteRecords() = default;

  // Whether the store has, or has had, any note.
  virtual Result<bool> HasNotes() const = 0;
  // Whether the file still has a removed version of a private note, whatever the commit.
  virtual Result<bool> HasRemovedPrivateNotes() const = 0;
  // The links that leave (reach) a path, by relation, path of the other end, and origin.
  virtual Result<std::vector<LinkRecord>> LinksAt(LinkEnd end, std::string_view path) const = 0;
  // Links by relation, target and origin; uses and reviews by time.
  virtual Result<DocumentRecords> RecordsOf(std::string_view path) const = 0;
  // What is known of a live document, with the activity as of a time; nullopt if nothing is.
  virtual Result<std::optional<NoteFacts>> FindFacts(int64_t doc_row, UnixNanos as_of) const = 0;
  // The part of it on which the ranking of notes depends. Faster.
  virtual Result<std::optional<NoteState>> FindState(int64_t doc_row, UnixNanos as_of) const = 0;
  // Visits what is known of all live documents, in unspecified order.
  virtual Status ScanFacts(UnixNanos as_of,
                           const std::function<void(const NoteFacts&)>& visit) const = 0;
  // Visits all live links, in unspecified order. Memory: 16 bytes for each document of which
  // anything is known.
  virtual Status ScanLinks(const std::function<void(const NamedLink&)>& visit) const = 0;
  // The path that a name stands for. Requires: ScanLinks has visited the name.
  virtual Result<std::string> PathOf(int64_t name) const = 0;
};

}  // namespace recall
