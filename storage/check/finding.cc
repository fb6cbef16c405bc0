#include "storage/check/finding.h"

#include <utility>

namespace recall {
namespace {

constexpr Severity kError = Severity::kError;
constexpr Severity kWarning = Severity::kWarning;
constexpr Severity kNote = Severity::kNote;

constexpr std::string_view kRestoreBackup = "restore the store from a backup";
constexpr std::string_view kAddAgain =
    "recall rm --purge the document and recall add it again, or restore the store from a backup";
constexpr std::string_view kSalvage =
    "restore the store from a backup, or make a new store and add the files again";

constexpr FindingInfo kFindings[] = {
    {FindingCode::kSqliteDamage, "sqlite_damage", kError, Repair::kNone,
     "SQLite finds the file damaged", kSalvage},
    {FindingCode::kIndexDamage, "index_damage", kError, Repair::kIndexes,
     "an index of SQLite's does not fit its table", ""},
    {FindingCode::kApplicationId, "application_id", kError, Repair::kSchema,
     "the file is not marked as a store", ""},
    {FindingCode::kFileFormat, "file_format", kWarning, Repair::kNone,
     "the file is not laid out as Recall makes it",
     "it works; recall export and recall import into a new store make it as it should be"},
    {FindingCode::kTableMissing, "table_missing", kError, Repair::kNone, "a table is missing",
     kRestoreBackup},
    {FindingCode::kTableChanged, "table_changed", kError, Repair::kNone,
     "a table was made differently", kRestoreBackup},
    {FindingCode::kSchemaDrift, "schema_drift", kError, Repair::kSchema,
     "an index, or a table of what can be remade, is missing or was made differently", ""},
    {FindingCode::kForeignTable, "foreign_table", kWarning, Repair::kNone,
     "a table, index or view that is not Recall's", "drop it, unless you need it"},
    {FindingCode::kForeignTrigger, "foreign_trigger", kError, Repair::kNone,
     "a trigger, which a store never has; other programs would run it", "drop it"},
    {FindingCode::kMetaIdentity, "meta_identity", kError, Repair::kNone,
     "what the store is, as recorded when it was made, is missing or contradicts itself",
     kRestoreBackup},
    {FindingCode::kMetaCounter, "meta_counter", kError, Repair::kCounters,
     "a counter is not the sum over live documents", ""},
    {FindingCode::kNextRow, "next_row", kError, Repair::kCounters,
     "rows that are in use would be handed out again", ""},
    {FindingCode::kHorizon, "snapshot_horizon", kError, Repair::kHistory,
     "the oldest commit that can be read is none that was made", ""},
    {FindingCode::kCommitLog, "commit_log", kError, Repair::kHistory,
     "what is recorded of a commit is missing, or not what its documents sum up to", ""},
    {FindingCode::kDocPast, "doc_past", kError, Repair::kHistory,
     "an earlier label belongs to no version or no commit", ""},
    {FindingCode::kDocRow, "doc_row", kError, Repair::kNone, "a document's row is damaged",
     kRestoreBackup},
    {FindingCode::kDocKey, "doc_key", kError, Repair::kKeys,
     "the sort key of a document is not that of its id", ""},
    {FindingCode::kDocChunks, "doc_chunks", kError, Repair::kNone,
     "a document does not have the chunks its row names", kAddAgain},
    {FindingCode::kDuplicatePath, "duplicate_path", kError, Repair::kNone,
     "two live documents have the same path", "recall rm one of them by its id"},
    {FindingCode::kChunkOrphan, "chunk_orphan", kError, Repair::kNone,
     "a chunk belongs to no document", kRestoreBackup},
    {FindingCode::kChunkRow, "chunk_row", kError, Repair::kNone,
     "a chunk's row does not fit its document's text", kAddAgain},
    {FindingCode::kChunkKey, "chunk_key", kError, Repair::kKeys,
     "the sort key of a chunk is not that of its id", ""},
    {FindingCode::kTextMissing, "text_missing", kError, Repair::kNone,
     "a block of a document's text is missing", kAddAgain},
    {FindingCode::kTextDamaged, "text_damaged", kError, Repair::kNone,
     "a block of a document's text cannot be decompressed", kAddAgain},
    {FindingCode::kTextHash, "text_hash", kError, Repair::kNone,
     "a document's text is not the one its hash was made of", kAddAgain},
    {FindingCode::kTextOrphan, "text_orphan", kError, Repair::kNone,
     "a block of text belongs to no document", kRestoreBackup},
    {FindingCode::kGivenVector, "given_vector", kError, Repair::kNone,
     "a vector that came with a document is damaged, or belongs to none",
     "add the document again with its embedding, or restore the store from a backup"},
    {FindingCode::kMetadataIndex, "metadata_drift", kError, Repair::kMetadataIndex,
     "the index on metadata is not what live documents' metadata make", ""},
    {FindingCode::kTombstones, "tombstone_mismatch", kError, Repair::kTombstones,
     "the set of removed chunks is not that of removed documents", ""},
    {FindingCode::kTombstoneRatio, "tombstone_ratio", kNote, Repair::kNone,
     "more than half of all chunks are removed", "recall compact gives their space back"},
    {FindingCode::kTokenCounts, "token_counts", kError, Repair::kTokenCounts,
     "a token count is not that of the text", ""},
    {FindingCode::kTokenizer, "tokenizer_version", kError, Repair::kNone,
     "the store's tokens are of a version this program does not have",
     "use the program that made the store"},
    {FindingCode::kLexiconUnreadable, "fts_unreadable", kError, Repair::kLexicon,
     "the lexical index cannot be read", ""},
    {FindingCode::kLexiconMissing, "fts_missing", kError, Repair::kLexicon,
     "a chunk is not in the lexical index", ""},
    {FindingCode::kLexiconExtra, "fts_extra", kError, Repair::kLexicon,
     "the lexical index holds a row that no chunk has", ""},
    {FindingCode::kLexiconDrift, "fts_drift", kError, Repair::kLexicon,
     "the lexical index holds other tokens than the chunk's", ""},
    {FindingCode::kPostingList, "posting_list", kError, Repair::kPostings,
     "postings that lie ready are not those of the lexical index", ""},
    {FindingCode::kSegmentList, "segment_list", kError, Repair::kVectors,
     "vec_segment and vec_data do not fit each other", ""},
    {FindingCode::kSegmentHeader, "segment_header", kError, Repair::kVectors,
     "a segment's header is damaged", ""},
    {FindingCode::kSegmentPage, "segment_checksum", kError, Repair::kVectors,
     "a page of a segment is damaged", ""},
    {FindingCode::kSegmentSpace, "segment_space", kError, Repair::kVectors,
     "a segment's dimension, embedder or seed is not the store's", ""},
    {FindingCode::kSegmentRows, "segment_rows", kError, Repair::kVectors,
     "chunk rows of segments or tail are out of order", ""},
    {FindingCode::kTailRecord, "tail_record", kError, Repair::kVectors,
     "a vector in the tail is damaged", ""},
    {FindingCode::kEmbedderUnknown, "embedder_unknown", kError, Repair::kNone,
     "the store's embedder is not one of this program: its vectors can be neither checked nor "
     "remade",
     "use the program that made the store"},
    {FindingCode::kVectorMissing, "vector_missing", kError, Repair::kVectors,
     "a chunk of a live document or a kept snapshot has no vector", ""},
    {FindingCode::kVectorExtra, "vector_extra", kError, Repair::kVectors,
     "a vector of no chunk, or a second one of a chunk", ""},
    {FindingCode::kVectorDrift, "vector_drift", kError, Repair::kVectors,
     "a vector is not that of its chunk's text", ""},
    {FindingCode::kVectorCounts, "vector_counts", kError, Repair::kVectors,
     "token counts beside a vector are not the chunk's", ""},
    {FindingCode::kSignatureDrift, "signature_drift", kError, Repair::kVectors,
     "a signature is not that of its vector", ""},
    {FindingCode::kModel, "model_damaged", kError, Repair::kModel,
     "what was learnt of the store's texts cannot be read", ""},
    {FindingCode::kFreePages, "free_pages", kNote, Repair::kNone,
     "more than half of the file is free", "recall compact gives the space back"},
    {FindingCode::kWalSize, "wal_size", kNote, Repair::kNone,
     "many changes wait in the WAL: a reader of an old state may be holding it",
     "end programs that keep the store open for long"},
};

}  // namespace

std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "";
}

std::span<const FindingInfo> AllFindings() { return kFindings; }

// In the order of FindingCode: InfoOf looks up by number.
static_assert([] {
  for (size_t i = 0; i < std::size(kFindings); ++i) {
    if (static_cast<size_t>(kFindings[i].code) != i) return false;
  }
  return true;
}());

const FindingInfo& InfoOf(FindingCode code) { return kFindings[static_cast<size_t>(code)]; }

void Findings::Add(FindingCode code, std::string where, std::string what, int64_t count) {
  FindingGroup& group = groups_[code];
  group.code = code;
  group.count += count;
  if (group.examples.size() < kMaxExamples) {
    group.examples.push_back({std::move(where), std::move(what)});
  }
}

void Findings::AddMore(FindingCode code, int64_t count) {
  if (count == 0) return;
  groups_[code].code = code;
  groups_[code].count += count;
}

bool Findings::Needs(Repair repair) const {
  for (const auto& [code, group] : groups_) {
    if (InfoOf(code).repair == repair) return true;
  }
  return false;
}

void Findings::Forbid(Repair repair, std::string reason) {
  forbidden_.emplace(repair, std::move(reason));
}

std::string Findings::WhyNot(Repair repair) const {
  if (repair == Repair::kNone) return "it lies in what everything else is made of";
  const auto found = forbidden_.find(repair);
  return found == forbidden_.end() ? std::string() : found->second;
}

}  // namespace recall
