#include "storage/check/finding.h"

#include <utility>

namespace recall {
namespace {

constexpr Severity kError = Severity::kError;
constexpr Severity kWarning = Severity::kWarning;
constexpr Severity kNote = Severity::kNote;

constexpr std::string_view kRestoreBackup = "restore the store from a backup";
constexpr std::string_view kAddAgain =
    "remove the document with recall rm --purge and add it again, or restore the store from a "
    "backup";
constexpr std::string_view kSalvage =
    "restore the store from a backup; or export it and import the documents into a new store; or "
    "create a new store and add the files again";

constexpr FindingInfo kFindings[] = {
    {FindingCode::kPageChecksum, "page_checksum", kError, Repair::kPages,
     "a page does not match its checksum: it is damaged, or another program wrote it",
     "restore the store from a backup; or, if you know what changed the pages and the other checks "
     "find no error, run recall doctor --fix --accept-pages"},
    {FindingCode::kPageUnchecked, "page_unchecked", kNote, Repair::kNone,
     "pages have no checksum, so a search does not notice damage to them",
     "recall compact adds the checksums"},
    {FindingCode::kSqliteDamage, "sqlite_damage", kError, Repair::kNone,
     "SQLite reports that the file is damaged", kSalvage},
    {FindingCode::kIndexDamage, "index_damage", kError, Repair::kIndexes,
     "an SQLite index does not match its table", ""},
    {FindingCode::kApplicationId, "application_id", kError, Repair::kSchema,
     "the application_id of the file is not that of a store", ""},
    {FindingCode::kFileFormat, "file_format", kWarning, Repair::kNone,
     "the file does not have the SQLite settings of a store",
     "the store works; recall export and recall import into a new store correct this"},
    {FindingCode::kTableMissing, "table_missing", kError, Repair::kNone, "a table is missing",
     kRestoreBackup},
    {FindingCode::kTableChanged, "table_changed", kError, Repair::kNone,
     "the definition of a table is not that of this format", kRestoreBackup},
    {FindingCode::kSchemaDrift, "schema_drift", kError, Repair::kSchema,
     "an index or a rebuildable table is missing, or its definition is not that of this format",
     ""},
    {FindingCode::kForeignTable, "foreign_table", kWarning, Repair::kNone,
     "a table, index or view does not belong to Recall", "drop it, unless you need it"},
    {FindingCode::kForeignTrigger, "foreign_trigger", kError, Repair::kNone,
     "the file has a trigger; a store never has one, and other programs would run it", "drop it"},
    {FindingCode::kMetaIdentity, "meta_identity", kError, Repair::kNone,
     "a setting recorded at the creation of the store is missing, invalid or contradictory",
     kRestoreBackup},
    {FindingCode::kMetaCounter, "meta_counter", kError, Repair::kCounters,
     "a counter does not equal the sum over the live documents", ""},
    {FindingCode::kNextRow, "next_row", kError, Repair::kCounters,
     "rowids that are in use would be assigned again", ""},
    {FindingCode::kContentSizes, "content_sizes", kWarning, Repair::kCounters,
     "the recorded sizes of texts, indexes or vectors, which recall stats shows, are not those of "
     "the tables",
     ""},
    {FindingCode::kHorizon, "snapshot_horizon", kError, Repair::kHistory,
     "the recorded oldest readable commit does not exist", ""},
    {FindingCode::kCommitLog, "commit_log", kError, Repair::kHistory,
     "the record of a commit is missing or does not match its documents", ""},
    {FindingCode::kDocPast, "doc_past", kError, Repair::kHistory,
     "a former label is invalid, or belongs to no document version or to no commit", ""},
    {FindingCode::kDocRow, "doc_row", kError, Repair::kNone, "the row of a document is damaged",
     kRestoreBackup},
    {FindingCode::kDocKey, "doc_key", kError, Repair::kKeys,
     "the sort key of a document does not match its id", ""},
    {FindingCode::kDocChunks, "doc_chunks", kError, Repair::kNone,
     "a document does not have the chunks that its row lists", kAddAgain},
    {FindingCode::kDuplicatePath, "duplicate_path", kError, Repair::kNone,
     "two live documents have the same path", "remove one of them by its id with recall rm"},
    {FindingCode::kChunkOrphan, "chunk_orphan", kError, Repair::kNone,
     "a chunk belongs to no document", kRestoreBackup},
    {FindingCode::kChunkRow, "chunk_row", kError, Repair::kNone,
     "the row of a chunk does not match the text of its document", kAddAgain},
    {FindingCode::kChunkHeading, "chunk_heading", kError, Repair::kHeadings,
     "the heading of a chunk is not the one in the text of its document", ""},
    {FindingCode::kChunkKey, "chunk_key", kError, Repair::kKeys,
     "the sort key of a chunk does not match its id", ""},
    {FindingCode::kTextMissing, "text_missing", kError, Repair::kNone,
     "a block of a document's text is missing", kAddAgain},
    {FindingCode::kTextDamaged, "text_damaged", kError, Repair::kNone,
     "a block of a document's text cannot be decompressed", kAddAgain},
    {FindingCode::kTextHash, "text_hash", kError, Repair::kNone,
     "the text of a document does not match its hash", kAddAgain},
    {FindingCode::kTextOrphan, "text_orphan", kError, Repair::kNone,
     "a block of text belongs to no document", kRestoreBackup},
    {FindingCode::kGivenVector, "given_vector", kError, Repair::kNone,
     "a user-supplied vector is damaged or belongs to no document",
     "add the document again with its embedding, or restore the store from a backup"},
    {FindingCode::kExtraction, "extraction", kError, Repair::kNone,
     "what is recorded of an extracted text is damaged or belongs to no document",
     "add the file again with --reextract, or restore the store from a backup"},
    {FindingCode::kSymbols, "symbols", kError, Repair::kNone,
     "a definition of source code is damaged or belongs to no chunk", kAddAgain},
    {FindingCode::kLanguages, "languages", kError, Repair::kNone,
     "the language of a document is damaged or belongs to no document",
     "add the document again with --lang detect, or restore the store from a backup"},
    {FindingCode::kTextGrams, "text_grams", kError, Repair::kTextGrams,
     "the trigrams of a document are not those of its text", ""},
    {FindingCode::kMetadataIndex, "metadata_drift", kError, Repair::kMetadataIndex,
     "the metadata index does not match the metadata of the live documents", ""},
    {FindingCode::kNoteDrift, "note_drift", kError, Repair::kNotes,
     "what is derived of notes does not match their cards, uses and reviews", ""},
    {FindingCode::kNoteRecord, "note_record", kError, Repair::kNone,
     "a link, a use or a review is damaged", kRestoreBackup},
    {FindingCode::kTombstones, "tombstone_mismatch", kError, Repair::kTombstones,
     "the tombstones do not match the removed documents", ""},
    {FindingCode::kTombstoneRatio, "tombstone_ratio", kNote, Repair::kNone,
     "more than half of all chunks are removed", "recall compact frees their space"},
    {FindingCode::kTokenCounts, "token_counts", kError, Repair::kTokenCounts,
     "a token count does not match the text", ""},
    {FindingCode::kTokenizer, "tokenizer_version", kError, Repair::kNone,
     "the store was indexed with a tokenizer version that this program does not have",
     "use the version of recall that created the store"},
    {FindingCode::kLexiconUnreadable, "fts_unreadable", kError, Repair::kLexicon,
     "the full-text index cannot be read", ""},
    {FindingCode::kLexiconMissing, "fts_missing", kError, Repair::kLexicon,
     "a chunk is missing from the full-text index", ""},
    {FindingCode::kLexiconExtra, "fts_extra", kError, Repair::kLexicon,
     "the full-text index has a row without a chunk", ""},
    {FindingCode::kLexiconDrift, "fts_drift", kError, Repair::kLexicon,
     "the full-text index does not match the text of a chunk", ""},
    {FindingCode::kPostingList, "posting_list", kError, Repair::kPostings,
     "a precomputed posting list does not match the full-text index", ""},
    {FindingCode::kForwardIndex, "forward_index", kError, Repair::kForwardIndex,
     "the forward index does not match the text of a chunk", ""},
    {FindingCode::kSegmentList, "segment_list", kError, Repair::kVectors,
     "the tables vec_segment and vec_data do not match", ""},
    {FindingCode::kSegmentHeader, "segment_header", kError, Repair::kVectors,
     "the header of a segment is damaged", ""},
    {FindingCode::kSegmentPage, "segment_checksum", kError, Repair::kVectors,
     "a page of a segment is damaged", ""},
    {FindingCode::kSegmentSpace, "segment_space", kError, Repair::kVectors,
     "the dimension, embedder or seed of a segment is not that of the store", ""},
    {FindingCode::kSegmentRows, "segment_rows", kError, Repair::kVectors,
     "the chunk rowids of segments or delta are out of order", ""},
    {FindingCode::kTailRecord, "tail_record", kError, Repair::kVectors,
     "a vector in the delta is damaged", ""},
    {FindingCode::kEmbedderUnknown, "embedder_unknown", kError, Repair::kNone,
     "this program does not have the embedder of the store, and cannot check or rebuild its "
     "vectors",
     "use the version of recall that created the store"},
    {FindingCode::kVectorMissing, "vector_missing", kError, Repair::kVectors,
     "a chunk of a live document or a readable snapshot has no vector", ""},
    {FindingCode::kVectorExtra, "vector_extra", kError, Repair::kVectors,
     "a vector belongs to no chunk, or a chunk has two vectors", ""},
    {FindingCode::kVectorDrift, "vector_drift", kError, Repair::kVectors,
     "a vector does not match the text of its chunk", ""},
    {FindingCode::kVectorCounts, "vector_counts", kError, Repair::kVectors,
     "the token counts stored with a vector do not match its chunk", ""},
    {FindingCode::kSignatureDrift, "signature_drift", kError, Repair::kVectors,
     "a sign code does not match its vector", ""},
    {FindingCode::kModel, "model_damaged", kError, Repair::kModel,
     "the data trained on the texts of the store cannot be read", ""},
    {FindingCode::kModelDue, "model_due", kNote, Repair::kModel,
     "the model is not trained on the texts of the store, as after an interrupted ingest",
     "recall add trains it"},
    {FindingCode::kFreePages, "free_pages", kNote, Repair::kNone,
     "more than half of the file is free", "recall compact frees the space"},
    {FindingCode::kWalSize, "wal_size", kNote, Repair::kNone,
     "the write-ahead log is large; a reader of an old snapshot may prevent a checkpoint",
     "end programs that keep the store open for long"},
    {FindingCode::kSqliteUntested, "sqlite_untested", kNote, Repair::kNone,
     "the SQLite library is of a version that was not tested; it is used only through its public "
     "interface, which is slower",
     "`recall version --verbose` shows the tested versions"},
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

// In the order of FindingCode, because InfoOf uses the code as index.
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

void Findings::Append(const Findings& other) {
  for (const auto& [code, group] : other.groups_) {
    int64_t count = group.count;
    for (const auto& [where, what] : group.examples) {
      Add(code, where, what, std::exchange(count, 0));
    }
    AddMore(code, count);
  }
  for (const auto& [repair, reason] : other.forbidden_) Forbid(repair, reason);
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
  if (repair == Repair::kNone) return "the damage is in primary data, which cannot be rebuilt";
  const auto found = forbidden_.find(repair);
  return found == forbidden_.end() ? std::string() : found->second;
}

}  // namespace recall
