// Checks of the tables commit_log and doc_past, declared in document_check.h.

#include <algorithm>

#include "storage/check/document_check.h"
#include "storage/check/label_check.h"
#include "storage/history/commit_log.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

// A commit's row in commit_log contains the counts of the live documents after it. They can be
// recomputed from the documents alone: version v is live at commit s if v.added <= s and v is not
// removed at s. PastCounts sorts the versions once by added and once by removed and advances
// through both while it visits the commits in order, so all commits together cost O(versions log
// versions + commits).
//
// The bounds next_chunk and last_doc of a commit must separate the rows of versions added up to it
// from the rows of those added later; for the latter, suffix minima over the sorted versions are
// computed first (from_here_).

std::string CommitName(int64_t sequence) { return "commit " + std::to_string(sequence); }

// Recomputes the counts of past commits from the documents.
class PastCounts final {
 public:
  explicit PastCounts(const std::vector<CheckedDoc>& docs) {
    for (const CheckedDoc& doc : docs) {
      added_.push_back(&doc);
      if (doc.removed) removed_.push_back(&doc);
    }
    std::ranges::sort(added_, {}, [](const CheckedDoc* doc) { return doc->added; });
    std::ranges::sort(removed_, {}, [](const CheckedDoc* doc) { return *doc->removed; });
    // For each position in added_, the smallest rows among the versions from there on.
    from_here_.resize(added_.size() + 1, {kNone, kNone});
    for (size_t i = added_.size(); i-- > 0;) {
      const CheckedDoc& doc = *added_[i];
      from_here_[i] = from_here_[i + 1];
      from_here_[i].doc = std::min(from_here_[i].doc, doc.row);
      if (doc.chunk_count == 0) continue;
      from_here_[i].chunk = std::min<int64_t>(from_here_[i].chunk, doc.first_chunk);
    }
  }

  // Must be called with ascending numbers.
  void AdvanceTo(int64_t sequence) {
    for (; next_added_ < added_.size() && added_[next_added_]->added <= sequence; ++next_added_) {
      const CheckedDoc& doc = *added_[next_added_];
      Count(doc, 1);
      last_doc_ = std::max(last_doc_, doc.row);
      if (doc.chunk_count > 0) {
        chunk_end_ = std::max(chunk_end_, int64_t{doc.first_chunk} + doc.chunk_count);
      }
    }
    for (; next_removed_ < removed_.size() && *removed_[next_removed_]->removed <= sequence;
         ++next_removed_) {
      Count(*removed_[next_removed_], -1);
    }
  }

  // The reason why a row of commit_log contradicts the commit of the last AdvanceTo; empty if it
  // does not.
  std::string Objection(const CommitRecord& record) const {
    const auto differs = [](const char* name, int64_t stored, int64_t right) {
      return "it records " + std::to_string(stored) + " " + name + ", expected " +
             std::to_string(right);
    };
    const StoreCounts& stored = record.counts;
    if (stored.docs != counts_.docs) return differs("documents", stored.docs, counts_.docs);
    if (stored.chunks != counts_.chunks) return differs("chunks", stored.chunks, counts_.chunks);
    if (stored.tokens != counts_.tokens) return differs("tokens", stored.tokens, counts_.tokens);
    if (stored.lexical_tokens != counts_.lexical_tokens) {
      return differs("lexical tokens", stored.lexical_tokens, counts_.lexical_tokens);
    }
    if (stored.text_bytes != counts_.text_bytes) {
      return differs("bytes of text", stored.text_bytes, counts_.text_bytes);
    }
    const Bound& later = from_here_[next_added_];
    if (record.next_chunk < chunk_end_ || record.next_chunk > later.chunk) {
      return "its next chunk rowid " + std::to_string(record.next_chunk) +
             " does not separate its chunks from later ones";
    }
    if (record.last_doc < last_doc_ || record.last_doc >= later.doc) {
      return "its last document row " + std::to_string(record.last_doc) +
             " does not separate its documents from later ones";
    }
    return "";
  }

 private:
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  struct Bound {
    int64_t doc;
    int64_t chunk;
  };

  void Count(const CheckedDoc& doc, int64_t sign) {
    counts_.docs += sign;
    counts_.chunks += sign * doc.chunk_count;
    counts_.tokens += sign * doc.tokens;
    counts_.lexical_tokens += sign * doc.lexical_tokens;
    counts_.text_bytes += sign * doc.size;
  }

  std::vector<const CheckedDoc*> added_;
  std::vector<const CheckedDoc*> removed_;
  std::vector<Bound> from_here_;  // parallel to added_
  size_t next_added_ = 0;
  size_t next_removed_ = 0;
  StoreCounts counts_;
  int64_t last_doc_ = 0;
  int64_t chunk_end_ = 0;
};

void ReportMissing(CheckRun& run, int64_t first, int64_t end) {
  if (first >= end) return;
  run.findings().Add(
      FindingCode::kCommitLog, CommitName(first),
      end - first == 1 ? "it is missing"
                       : "it and all commits before commit " + std::to_string(end) + " are missing",
      end - first);
}

Status CheckLog(CheckRun& run, const DocumentFacts& facts, int64_t present) {
  PastCounts past(facts.docs);
  RECALL_ASSIGN(Statement select, run.connection().Prepare("SELECT seq FROM commit_log "
                                                           "ORDER BY seq"));
  int64_t next = facts.horizon;
  for (;;) {
    RECALL_TRY(run.CheckCancelled());
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) break;
    const int64_t sequence = select.ColumnInt(0);
    if (sequence < facts.horizon || sequence > present) {
      run.findings().Add(FindingCode::kCommitLog, CommitName(sequence),
                         "it is outside the range of readable commits");
      continue;
    }
    ReportMissing(run, next, sequence);
    next = sequence + 1;
    const auto record = FindCommit(run.connection(), sequence);
    if (!record) {
      RECALL_TRY(run.Absorb(record.error(), FindingCode::kCommitLog, CommitName(sequence)));
      continue;
    }
    if (!facts.all_read) continue;
    past.AdvanceTo(sequence);
    const std::string objection = past.Objection(**record);
    if (objection.empty()) continue;
    run.findings().Add(FindingCode::kCommitLog, CommitName(sequence), objection);
  }
  ReportMissing(run, next, present + 1);
  return Status::Ok();
}

// Former labels must be valid, and belong to a version that was live before and after the commit
// that replaced them.
Status CheckPast(CheckRun& run, const DocumentFacts& facts, int64_t present) {
  RECALL_ASSIGN(const bool has_origins, RecordsOrigins(run.connection()));
  RECALL_ASSIGN(Statement select,
                run.connection().Prepare(
                    std::string("SELECT p.until_seq, p.doc, d.id IS NULL OR p.until_seq <= ?1 "
                                "OR p.until_seq > ?2 OR p.until_seq <= d.added_seq "
                                "OR p.until_seq > coalesce(d.removed_seq, ?2), "
                                "p.mtime, p.tag, p.source, p.meta, ") +
                    (has_origins ? "p.origin" : "'file'") +
                    " FROM doc_past AS p LEFT JOIN doc AS d ON d.id = p.doc "
                    "ORDER BY p.until_seq, p.doc"));
  select.BindInt(1, facts.horizon);
  select.BindInt(2, present);
  for (;;) {
    RECALL_TRY(run.CheckCancelled());
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    const bool misplaced = select.ColumnInt(2) != 0;
    const std::string invalid = LabelObjection(select, 3);
    if (!misplaced && invalid.empty()) continue;
    const std::string until = std::to_string(select.ColumnInt(0));
    run.findings().Add(FindingCode::kDocPast, "document row " + std::to_string(select.ColumnInt(1)),
                       misplaced ? "no readable commit before " + until + " contains it"
                                 : "before commit " + until + ", " + invalid);
  }
}

}  // namespace

Status CheckHistory(CheckRun& run, DocumentFacts* facts) {
  for (const char* table : {"meta", "doc", "commit_log", "doc_past"}) {
    if (!run.HasTable(table)) return Status::Ok();
  }
  const auto present = ReadMetaCounter(run.connection(), "commit_sequence");
  if (!present) return Status::Ok();  // reported by CheckCounters
  const auto horizon = ReadHorizon(run.connection());
  if (!horizon) {
    return run.Absorb(horizon.error(), FindingCode::kHorizon, "meta.snapshot_horizon");
  }
  if (!*horizon) return Status::Ok();
  if (**horizon > *present) {
    run.findings().Add(FindingCode::kHorizon, "meta.snapshot_horizon",
                       "found " + std::to_string(**horizon) + ", but the last commit is " +
                           std::to_string(*present));
    return Status::Ok();
  }
  facts->horizon = **horizon;
  RECALL_TRY(
      run.Absorb(CheckLog(run, *facts, *present), FindingCode::kSqliteDamage, "table commit_log"));
  return run.Absorb(CheckPast(run, *facts, *present), FindingCode::kSqliteDamage, "table doc_past");
}

Status RepairHistory(Connection& connection) {
  RECALL_TRY(connection.Execute("DELETE FROM commit_log; DELETE FROM doc_past"));
  return BeginHistory(connection);
}

}  // namespace recall
