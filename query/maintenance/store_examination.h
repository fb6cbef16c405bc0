#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "index/write/check/fulltext_check.h"
#include "index/write/check/index_check.h"
#include "query/maintenance/doctor_call.h"
#include "storage/check/check_run.h"
#include "storage/check/document_check.h"
#include "storage/check/file_check.h"
#include "storage/check/finding.h"
#include "storage/check/page_check.h"
#include "storage/sqlite/connection.h"

namespace recall {

// The repairs that change tables: all but that of pages.
inline constexpr Repair kTableRepairs[] = {
    Repair::kSchema,       Repair::kIndexes,       Repair::kKeys,     Repair::kHeadings,
    Repair::kTokenCounts,  Repair::kTombstones,    Repair::kLexicon,  Repair::kPostings,
    Repair::kForwardIndex, Repair::kMetadataIndex, Repair::kNotes,    Repair::kTextGrams,
    Repair::kVectors,      Repair::kModel,         Repair::kCounters, Repair::kHistory};

// Ends the transaction of a connection. A failed read may have ended it already.
Status EndTransaction(Connection& connection);

// The findings about a store in one transaction.
class StoreExamination final {
 public:
  static Result<std::unique_ptr<StoreExamination>> Make(const DoctorCall& call);

  const Findings& findings() const { return run_.findings(); }
  const FileFacts& file() const { return file_; }
  const DocumentFacts& documents() const { return documents_; }
  size_t segments() const { return segments_.size(); }
  const std::set<uint32_t>& damaged_pages() const { return damaged_pages_; }

  // Ends the transaction. The findings remain valid.
  Status Finish() { return EndTransaction(*connection_); }

  bool Repairs(Repair repair) const {
    return findings().Needs(repair) && findings().WhyNot(repair).empty();
  }
  bool RepairsTables() const {
    return std::ranges::any_of(kTableRepairs, [this](Repair repair) { return Repairs(repair); });
  }
  // Whether the active vector space and its model are sound, so that its vectors can be computed
  // again as they were.
  bool HasSoundSpace() const {
    constexpr FindingCode kOfSpaces[] = {FindingCode::kModel, FindingCode::kSegmentSpace,
                                         FindingCode::kMetaIdentity};
    return std::ranges::none_of(kOfSpaces, [this](auto code) { return findings().Has(code); }) &&
           !Repairs(Repair::kSchema);
  }
  // Whether there is no error but those of pages.
  bool IsSoundButForPages() const {
    return std::ranges::all_of(findings().groups(), [](const auto& group) {
      return group.first == FindingCode::kPageChecksum ||
             InfoOf(group.first).severity != Severity::kError;
    });
  }
  // The damaged pages whose contents other checks have compared with what they are derived from.
  Result<std::set<uint32_t>> ComparedPages() const {
    return SelectComparedPages(*connection_, damaged_pages_);
  }

 private:
  StoreExamination(std::unique_ptr<Connection> connection, const std::atomic<bool>* cancel)
      : connection_(std::move(connection)), run_(connection_.get(), cancel) {}

  static Result<std::unique_ptr<Connection>> OpenReader(const DoctorCall& call,
                                                        const std::string& file);

  // Opens connections for the checks beside those of this thread. Fewer, or none, are enough.
  std::vector<std::unique_ptr<Connection>> OpenReaders(const DoctorCall& call) const;

  // The checks of single structures run beside those of the documents.
  Status Examine(const DoctorCall& call);

  // Returns what the full-text index must contain, if that is known.
  Result<std::optional<FulltextCheck>> CheckRows(const DoctorCall& call);

  void ReportSizes(const std::vector<WrongContentSize>& wrong);

  void ForbidAll(std::span<const Repair> repairs, const char* reason) {
    for (const Repair repair : repairs) run_.findings().Forbid(repair, reason);
  }

  // Whether a model is missing or too old.
  void CheckTraining();
  void ForbidRepairs();

  std::unique_ptr<Connection> connection_;
  CheckRun run_;
  FileFacts file_;
  std::set<uint32_t> damaged_pages_;
  std::optional<StoreIdentity> identity_;
  DocumentFacts documents_;
  std::vector<CheckedSegment> segments_;
};

}  // namespace recall
