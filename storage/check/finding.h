#pragma once

// The findings of a check of a store. docs/json.md has the same table for users.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// kError: an answer may be wrong or missing, or writing may fail. kWarning: the store works, but is
// not as it should be. kNote: nothing is wrong, but something can be improved.
enum class Severity : uint8_t { kError, kWarning, kNote };
std::string_view SeverityName(Severity severity);

// The repair of a finding: each recomputes derived data from primary rows. In the order of repairs.
enum class Repair : uint8_t {
  kNone,           // the damage is in primary data
  kPages,          // single wrong bits of pages
  kSchema,         // derived tables, and indexes
  kIndexes,        // SQLite's indexes
  kKeys,           // doc.key, chunk.key
  kHeadings,       // chunk.heading
  kTokenCounts,    // token counts of documents and chunks
  kMetadataIndex,  // doc_meta
  kNotes,          // card, activity, note_set
  kTextGrams,      // text_grams
  kTombstones,     // the bitmap of removed chunks
  kLexicon,        // the full-text index
  kPostings,       // posting_set, posting_list
  kForwardIndex,   // word_dictionary, chunk_words
  kVectors,        // segments and delta
  kModel,          // the LSA model and statistics, which are trained again
  kCounters,       // sums and next rows in meta
  kHistory,        // commit_log, doc_past and the horizon; older states expire
};

enum class FindingCode : uint8_t {
  kPageChecksum,
  kPageUnchecked,
  kSqliteDamage,
  kIndexDamage,
  kApplicationId,
  kFileFormat,
  kTableMissing,
  kTableChanged,
  kSchemaDrift,
  kForeignTable,
  kForeignTrigger,
  kMetaIdentity,
  kMetaCounter,
  kNextRow,
  kContentSizes,
  kHorizon,
  kCommitLog,
  kDocPast,
  kDocRow,
  kDocKey,
  kDocChunks,
  kDuplicatePath,
  kChunkOrphan,
  kChunkRow,
  kChunkHeading,
  kChunkKey,
  kTextMissing,
  kTextDamaged,
  kTextHash,
  kTextOrphan,
  kGivenVector,
  kExtraction,
  kSymbols,
  kLanguages,
  kTextGrams,
  kMetadataIndex,
  kNoteDrift,
  kNoteRecord,
  kTombstones,
  kTombstoneRatio,
  kTokenCounts,
  kTokenizer,
  kLexiconUnreadable,
  kLexiconMissing,
  kLexiconExtra,
  kLexiconDrift,
  kPostingList,
  kForwardIndex,
  kSegmentList,
  kSegmentHeader,
  kSegmentPage,
  kSegmentSpace,
  kSegmentRows,
  kTailRecord,
  kEmbedderUnknown,
  kVectorMissing,
  kVectorExtra,
  kVectorDrift,
  kVectorCounts,
  kSignatureDrift,
  kModel,
  kModelDue,
  kFreePages,
  kWalSize,
  kSqliteUntested,
};

struct FindingInfo {
  FindingCode code;
  std::string_view name;  // stable, because scripts branch on it
  Severity severity;
  Repair repair;
  std::string_view meaning;  // a sentence without its full stop
  std::string_view advice;   // what to do if --fix cannot repair it; may be empty
};
// In the order of FindingCode.
std::span<const FindingInfo> AllFindings();
const FindingInfo& InfoOf(FindingCode code);

// All findings of one code.
struct FindingGroup {
  struct Example {
    std::string where;  // "chunk rowid 17", "segment 3, page 2"
    std::string what;
  };
  FindingCode code{};
  int64_t count = 0;
  std::vector<Example> examples;  // the first kMaxExamples, in the order of the check
};

// Collects findings by code. Memory is bounded, however damaged the store is.
class Findings final {
 public:
  static constexpr size_t kMaxExamples = 10;

  void Add(FindingCode code, std::string where, std::string what, int64_t count = 1);
  // Counts more findings of a code without examples. Does nothing if `count` is 0.
  void AddMore(FindingCode code, int64_t count);
  // Adds all of `other`, after those that are there.
  void Append(const Findings& other);
  bool Has(FindingCode code) const { return groups_.contains(code); }
  // Whether any finding needs this repair.
  bool Needs(Repair repair) const;

  // Forbids a repair in this store; the first reason given is kept.
  void Forbid(Repair repair, std::string reason);
  // The reason why a repair is not possible; "" if it is.
  std::string WhyNot(Repair repair) const;

  // The findings, by code.
  const std::map<FindingCode, FindingGroup>& groups() const { return groups_; }

 private:
  std::map<FindingCode, FindingGroup> groups_;
  std::map<Repair, std::string> forbidden_;
};

}  // namespace recall
