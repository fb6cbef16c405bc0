#pragma once

// Requests and reports of notes, links, uses and reviews. query/database/database.h contains the
// functions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index/search/snapshot/link_record.h"
#include "index/source/note/note_draft.h"
#include "index/source/secrets/secret_settings.h"
#include "index/write/ingest/outcome_counts.h"
#include "query/types/document_scope.h"
#include "query/types/row_views.h"
#include "query/types/store_summary.h"
#include "storage/base/clock.h"
#include "storage/notes/note_card.h"

namespace recall {

// ---- Save -------------------------------------------------------------------------------------

struct SaveRequest {
  NoteDraft note = {};  // `created` and `updated` are set by Save, unless they are given
  std::optional<std::string> id =
      {};                // unset: that of the title, with "-2" and so on if it is taken
  bool replace = false;  // an existing note with the id gets a new version
  // A target, a note: it gets the text of `note` under the card that it has. The other members of
  // `note` are ignored.
  std::optional<std::string> rewrite = {};
  // Refuse to save a note if another one is at least this near and says it in nearly the same
  // words.
  std::optional<double> unless_near = {};
  std::vector<std::pair<std::string, std::string>> links = {};  // relation and target
  std::optional<std::string> supersedes = {};                   // a target, which is retired
  bool extract_triggers = true;  // if the note has none and its context no keywords
  // A directory below that of the store, absolute or relative to it: a new note becomes the file
  // <id>.md there, and the document of this path. "": it is in the store alone, at notes/<id>.md.
  // Unset: that which the store records; then private notes are not written to files.
  std::optional<std::string> notes_dir = {};
  std::optional<UnixNanos> at = {};  // unset: now
  SecretPolicy secrets = SecretPolicy::kWarn;
  SecretSettings secret_settings = {};  // for SecretPolicy::kRedact and kSkip
  bool dry_run = false;
  // With `rewrite`: the text begins with a card, which replaces the one that the note has.
  bool rewrites_card = false;
  // With `rewrite`: DocView::hash of the version that the text was made of. Another version stays.
  std::optional<std::string> based_on = {};
};

// A document that is near to a text.
struct NearDocument {
  DocView doc;
  // From 0 to 1: the cosine of the texts times the share of their words that the model knows, or
  // `likeness` if that is more and they are nearly the same.
  double score = 0;
  double likeness = 0;  // share of the words that they have in common in the same order
};

// A note that says another thing about the same subject than one that is saved.
struct Contradiction {
  DocView doc;
  std::string old_text;  // what it says, in a few words: "port 8080"
  std::string new_text;  // what the other one says in its place
};

struct SaveReport {
  std::string id = {};
  DocView doc;             // as it is stored; of a dry run as it would be
  bool replaced = false;   // an older version was there
  bool unchanged = false;  // the same note was there already, perhaps with another time of change;
                           // nothing was written
  bool summary_cut = false;
  std::vector<std::string> extracted_triggers = {};
  std::vector<NearDocument> near = {};  // at most 5, nearest first, without the note itself
  // At most 5, the nearest first, without those that the note supersedes.
  std::vector<Contradiction> contradicts = {};
  std::vector<LinkRecord> links = {};  // that were made
  std::optional<UnixNanos> due = {};   // of the first review; unset if it was scheduled before
  std::vector<std::string> warnings = {};
};

// ---- Links ------------------------------------------------------------------------------------

struct LinkRequest {
  std::string source = {};  // targets, as in GetRequest without lines
  std::string target = {};
  std::string relation = "related";
  double weight = 1;
  std::optional<std::string> reason = {};
  std::optional<UnixNanos> at = {};
  bool dry_run = false;
};

struct NearLinksRequest {
  std::vector<std::string> sources = {};  // empty: all notes
  double least = 0.7;                     // NearDocument::score
  std::optional<UnixNanos> at = {};
  bool dry_run = false;
};
inline constexpr size_t kMostNearLinks = 5;  // of a note

struct LinkReport {
  std::vector<LinkRecord> links = {};  // that were made or changed
  int64_t unchanged = 0;               // that were there already
};

struct UnlinkRequest {
  std::string source = {};
  std::string target = {};
  std::optional<std::string> relation = {};  // unset: all
  bool dry_run = false;
};

struct UnlinkReport {
  std::vector<LinkRecord> links = {};     // that were removed
  std::vector<LinkRecord> in_texts = {};  // that stay, because the text of the source contains them
};

enum class LinkDirection { kBoth, kOut, kIn };

struct LinksRequest {
  std::string target = {};
  int64_t depth = 1;  // 1 to 3
  LinkDirection direction = LinkDirection::kBoth;
  std::optional<std::string> relation = {};  // unset: all
  std::string snapshot = {};                 // as in Scope
  std::optional<UnixNanos> as_of = {};
};

struct LinkedDocument {
  std::string path = {};
  std::string title = {};  // of its card; "": none
  std::string type = {};
  bool missing = false;  // there is no such document
  bool obsolete = false;
  int64_t depth = 0;                    // 0: the target
  std::optional<Lifecycle> state = {};  // of a note
};

struct LinksReport {
  std::vector<LinkedDocument> documents = {};  // the target first, then by depth and path
  std::vector<LinkRecord> links = {};  // among these, by source, relation, target and origin
  // min(100, 2 (2 d1 + d2 + .5 d3)), d1 to d3: the number of documents at these distances over
  // links of either direction.
  double centrality = 0;
  UnixNanos as_of = 0;
  StoreSummary store;
};

// ---- Uses and reviews -------------------------------------------------------------------------

struct UseRequest {
  std::vector<std::string> targets = {};
  std::string how = "used";
  std::optional<UnixNanos> at = {};
};

struct UseReport {
  std::vector<std::pair<std::string, int64_t>> used =
      {};  // paths, and how often they were used in all
};

// The algorithms of intervals (docs/notes.md).
enum class ReviewAlgorithm { kSm2, kGeometric };

// Its name, which users type and the log of reviews stores.
constexpr std::string_view NameOf(ReviewAlgorithm algorithm) {
  return algorithm == ReviewAlgorithm::kSm2 ? "sm2" : "rekall";
}

struct ReviewRequest {
  std::string target = {};
  int64_t quality = 0;  // 0 to 5
  ReviewAlgorithm algorithm = ReviewAlgorithm::kSm2;
  int64_t first_easiness = 250;  // in hundredths, of a document that was never reviewed
  std::optional<UnixNanos> at = {};
};

struct ReviewReport {
  DocView doc;
  int64_t quality = 0;
  int64_t interval_days = 0;
  int64_t easiness = 250;  // in hundredths
  int64_t repetitions = 0;
  int64_t reviews = 0;
  UnixNanos due = 0;
};

struct DueRequest {
  Scope scope = {};
  size_t limit = 10;
  size_t fresh = 0;  // at most this many notes for which no review was ever scheduled
};

struct DueDocument {
  DocView doc;
  std::optional<UnixNanos> due = {};  // unset: no review was ever scheduled
  int64_t overdue_days = 0;
  int64_t interval_days = 0;
  int64_t easiness = 250;
  int64_t reviews = 0;
};

struct DueReport {
  std::vector<DueDocument> documents = {};  // the most urgent first
  int64_t total = 0;                        // that are due
  UnixNanos as_of = 0;
  std::string filter = {};
  StoreSummary store;
};

// ---- Life -------------------------------------------------------------------------------------

struct RetireRequest {
  std::string target = {};
  std::optional<std::string> by = {};  // a target, which supersedes it
  std::optional<UnixNanos> at = {};
  bool dry_run = false;
};

struct RetireReport {
  DocView doc;
  std::optional<LinkRecord> link = {};
  bool unchanged = false;  // it was obsolete already
};

struct StaleRequest {
  Scope scope = {};
  std::optional<int64_t> days = {};    // notes that nobody used, reviewed or changed for so long
  std::optional<double> at_risk = {};  // notes with less consolidation
  size_t limit = 1000;
};

struct StatesRequest {
  std::vector<std::string> paths = {};  // of documents
  std::string snapshot = {};            // as in Scope
  std::optional<UnixNanos> as_of = {};
};
using NoteStates = std::vector<std::optional<Lifecycle>>;
struct StatesReport {
  NoteStates states = {};  // in the order of the paths; unset where there is no note
  StoreSummary store;
};

struct StaleDocument {
  DocView doc;
  Lifecycle state = Lifecycle::kFresh;
  bool conflict = false;                  // it keeps the other text of a conflict
  std::optional<UnixNanos> touched = {};  // the last change or review
  std::optional<UnixNanos> used_at = {};
  std::optional<double> consolidation = {};
};

// Without `days` and `at_risk`: the notes that are stale or expired, and those of conflicts.
struct StaleReport {
  std::vector<StaleDocument> documents =
      {};  // by time of the last change, use or review, then path
  int64_t total = 0;
  UnixNanos as_of = 0;
  std::string filter = {};
  StoreSummary store;
};

}  // namespace recall
