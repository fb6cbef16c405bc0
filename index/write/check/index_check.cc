#include "index/write/check/index_check.h"

#include <limits>
#include <string>

#include "index/embed/factory/builtin_embedders.h"
#include "index/search/bitmap/bitmap.h"
#include "index/write/check/forward_check.h"
#include "index/write/check/space_check.h"
#include "storage/base/bytes.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

Result<std::string> ReadBitmap(Connection& connection) {
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT bitmap FROM tombstone WHERE id = 1"));
  RECALL_ASSIGN(const bool row, select.Step());
  return row ? std::string(AsText(select.ColumnBlob(0))) : std::string();
}

// The smallest member from `first` on. Requires: such a member exists.
uint32_t NextMember(const Bitmap& rows, uint32_t first) {
  uint32_t last = std::numeric_limits<uint32_t>::max();
  const uint32_t begin = first;
  while (first < last) {
    const uint32_t middle = first + (last - first) / 2;
    (rows.CountRange(begin, middle) > 0 ? last : first) =
        rows.CountRange(begin, middle) > 0 ? middle : middle + 1;
  }
  return first;
}

// A damaged bitmap may contain all 2^32 rowids, so it is not enumerated.
void ReportRows(CheckRun& run, const Bitmap& rows, const char* what) {
  auto left = static_cast<int64_t>(rows.Count());
  uint32_t from = 0;
  for (size_t i = 0; i < Findings::kMaxExamples && left > 0; ++i, --left) {
    const uint32_t row = NextMember(rows, from);
    run.findings().Add(FindingCode::kTombstones, ChunkRowName(row), what);
    from = row + 1;
  }
  run.findings().AddMore(FindingCode::kTombstones, left);
}

Status CompareTombstones(CheckRun& run, const DocumentFacts& facts) {
  RECALL_ASSIGN(const std::string bytes, ReadBitmap(run.connection()));
  RECALL_ASSIGN(const Bitmap stored, Bitmap::Parse(AsBytes(bytes)));
  Bitmap expected;
  for (const CheckedDoc& doc : facts.docs) {
    if (doc.live() || doc.chunk_count == 0) continue;
    expected.AddRange(doc.first_chunk, doc.first_chunk + doc.chunk_count - 1);
  }
  ReportRows(run, expected.AndNot(stored), "it is removed, but has no tombstone");
  ReportRows(run, stored.AndNot(expected), "it has a tombstone, but is not removed");
  return Status::Ok();
}

// Walks all chunks and, in parallel, their data in the indexes.
class IndexCheck final {
 public:
  IndexCheck(CheckRun& run, const DocumentFacts& facts, const std::vector<CheckedSegment>& segments,
             const IndexRecipe& recipe, const IndexCheckOptions& options)
      : run_(run),
        facts_(facts),
        recipe_(recipe),
        options_(options),
        vectors_(&run, recipe, segments),
        words_(run) {}

  Result<std::optional<FulltextCheck>> Run() {
    RECALL_TRY(Vectors(vectors_.Open()));
    RECALL_TRY(words_.Open());
    const Status walked = ForEachPiece(
        run_.connection(), facts_, recipe_,
        {.threads = options_.threads, .cancel = options_.cancel, .words = words_.numbers()},
        [this](const DocumentPiece& piece) { return Visit(piece); });
    RECALL_TRY(run_.Absorb(walked, FindingCode::kSqliteDamage, "table chunk"));
    if (!walked.ok()) return std::nullopt;
    // Data of a document or chunk whose own row is damaged is not a fault of the index.
    const Findings& findings = run_.findings();
    const bool report_extra = facts_.all_read && !findings.Has(FindingCode::kChunkOrphan) &&
                              !findings.Has(FindingCode::kDocChunks) &&
                              !findings.Has(FindingCode::kChunkRow);
    RECALL_TRY(Vectors(vectors_.Finish(report_extra)));
    if (report_extra) RECALL_TRY(words_.FindStrayRecords());
    if (!recipe_.knows_tokens()) return std::nullopt;
    if (!report_extra) lexicon_.IgnoreExtraRows();
    return std::move(lexicon_);
  }

 private:
  // Reports once that vectors cannot be read, and then ignores them.
  Status Vectors(const Status& status) {
    if (!status.ok()) vectors_readable_ = false;
    return run_.Absorb(status, FindingCode::kSegmentPage, "vectors");
  }

  Status Visit(const DocumentPiece& piece) {
    ReportTextFaults(run_, *piece.doc, piece.text_faults);
    for (const auto& [row, objection] : piece.objections) {
      run_.findings().Add(FindingCode::kChunkRow, ChunkRowName(row), objection);
    }
    for (const WrongHeading& wrong : piece.wrong_headings) {
      run_.findings().Add(FindingCode::kChunkHeading, ChunkRowName(wrong.chunk),
                          "found '" + wrong.found + "', expected '" + wrong.expected + "'");
    }
    const bool known = !piece.facts.empty();
    for (size_t i = 0; i < piece.chunks.size(); ++i) {
      const ChunkRow& chunk = piece.chunks[i];
      const ChunkFacts* facts = known && recipe_.knows_tokens() ? &piece.facts[i] : nullptr;
      if (facts != nullptr) CountTokens(chunk, *facts);
      if (facts != nullptr && words_.numbers() != nullptr) {
        RECALL_TRY(words_.Compare(chunk.row, facts->words));
      }
      lexicon_.Expect(chunk.row, facts);
      if (vectors_readable_)
        RECALL_TRY(Vectors(
            vectors_.Expect(*piece.doc, chunk.row, facts_.NeedsVectors(*piece.doc), facts)));
    }
    chunks_of_doc_ += known ? piece.chunks.size() : 0;
    chunks_done_ += static_cast<int64_t>(piece.chunks.size());
    if (piece.last) FinishDocument(*piece.doc, piece.text_ok);
    if (options_.progress) {
      options_.progress(chunks_done_, facts_.live_chunks + facts_.removed_chunks);
    }
    return Status::Ok();
  }

  void CountTokens(const ChunkRow& chunk, const ChunkFacts& facts) {
    tokens_ += facts.tokens;
    lexical_tokens_ += facts.stems;
    if (chunk.tokens == facts.tokens && chunk.lexical_tokens == facts.stems) return;
    run_.findings().Add(FindingCode::kTokenCounts, ChunkRowName(chunk.row),
                        "found " + std::to_string(chunk.tokens) + " tokens and " +
                            std::to_string(chunk.lexical_tokens) + " stems, expected " +
                            std::to_string(facts.tokens) + " and " + std::to_string(facts.stems));
  }

  void FinishDocument(const CheckedDoc& doc, bool text_ok) {
    const bool all = chunks_of_doc_ == doc.chunk_count && recipe_.knows_tokens() && text_ok;
    if (all && (tokens_ != doc.tokens || lexical_tokens_ != doc.lexical_tokens)) {
      run_.findings().Add(FindingCode::kTokenCounts, "document row " + std::to_string(doc.row),
                          "found " + std::to_string(doc.tokens) + " tokens and " +
                              std::to_string(doc.lexical_tokens) + " stems, expected " +
                              std::to_string(tokens_) + " and " + std::to_string(lexical_tokens_));
    }
    chunks_of_doc_ = 0;
    tokens_ = 0;
    lexical_tokens_ = 0;
  }

  CheckRun& run_;
  const DocumentFacts& facts_;
  const IndexRecipe& recipe_;
  const IndexCheckOptions& options_;
  FulltextCheck lexicon_;
  SpaceCheck vectors_;
  ForwardCheck words_;
  bool vectors_readable_ = true;
  int64_t chunks_done_ = 0;
  // Totals of the current document:
  uint64_t chunks_of_doc_ = 0;
  int64_t tokens_ = 0;
  int64_t lexical_tokens_ = 0;
};

// A configured embedder may compute other vectors now, or may not be available here.
void ForbidRemaking(CheckRun& run, const std::string& embedder) {
  run.findings().Forbid(Repair::kVectors, "only the embedder \"" + embedder +
                                              "\" can compute the vectors: run `recall embed "
                                              "--again --as " +
                                              embedder + "`");
}

void CheckVectorRecipe(CheckRun& run, const StoreSettings& settings, const IndexRecipe& recipe) {
  if (recipe.is_configured()) return ForbidRemaking(run, recipe.present()->embedder);
  const std::string recorded =
      "embedder " + settings.embedder + ", " + std::to_string(settings.dim) + " dimensions";
  if (const Status own = CheckEmbedder(settings.embedder, settings.dim); !own.ok()) {
    run.findings().Add(FindingCode::kEmbedderUnknown, recorded, std::string(own.message()));
    return ForbidRemaking(run, settings.embedder);
  }
  const bool needs_training = settings.embedder == kLsaEmbedder;
  if (recipe.space() == nullptr) {
    const auto code = needs_training ? FindingCode::kModel : FindingCode::kSegmentSpace;
    run.findings().Add(code, "the active vector space", recipe.embedder_fault());
    return;
  }
  // A store keeps the embedder it was created with until another one replaces it. A trained space
  // has as many dimensions as its texts allow.
  const SpaceRow& row = recipe.space()->row();
  const bool first = row.since == 0;
  if (!first || (row.embedder == settings.embedder && (needs_training || row.dim == settings.dim)))
    return;
  run.findings().Add(FindingCode::kMetaIdentity, "meta.embedder, meta.dim",
                     recorded + ", but the vectors are of " + row.embedder + ", " +
                         std::to_string(row.dim) + " dimensions");
}

// The signature has a bit for each dimension and for those that fill up its last word.
void CheckDimension(CheckRun& run, const StoreSettings& settings) {
  const std::string dimensions = std::to_string(settings.dim) + " dimensions";
  if (!VectorGeometry::Supports(settings.dim)) {
    run.findings().Add(FindingCode::kMetaIdentity, "meta.dim",
                       "found " + dimensions + ", but vectors have 8 to 4096");
    run.findings().Forbid(Repair::kVectors, "the dimension of the vectors is unknown");
    return;
  }
  const uint32_t bits = VectorGeometry(settings.dim, settings.signature_seed).padded_dim();
  if (settings.signature_bits == bits) return;
  run.findings().Add(FindingCode::kMetaIdentity, "meta.dim, meta.signature_bits",
                     "found " + std::to_string(settings.signature_bits) +
                         " signature bits, expected " + std::to_string(bits) + " for " +
                         dimensions);
  run.findings().Forbid(Repair::kVectors,
                        "the dimension of the vectors is uncertain, because meta contradicts "
                        "itself");
}

}  // namespace

Status CheckRecipe(CheckRun& run, const StoreIdentity& identity, const IndexRecipe& recipe) {
  const StoreSettings& settings = identity.settings;
  CheckVectorRecipe(run, settings, recipe);
  CheckDimension(run, settings);
  if (recipe.knows_tokens()) return Status::Ok();
  run.findings().Add(FindingCode::kTokenizer, "meta.tokenizer_version",
                     "found " + std::to_string(settings.tokenizer_version) +
                         ", this program has 1 to " + std::to_string(kTokenizerVersion));
  for (const Repair repair : {Repair::kLexicon, Repair::kTokenCounts, Repair::kVectors}) {
    run.findings().Forbid(
        repair, "the store was indexed with a tokenizer version that this program does not have");
  }
  return Status::Ok();
}

Status CheckTombstones(CheckRun& run, const DocumentFacts& facts) {
  if (!facts.all_read || !run.HasTable("tombstone")) return Status::Ok();
  if (facts.removed_chunks >= 1000 && facts.removed_chunks > facts.live_chunks) {
    run.findings().Add(FindingCode::kTombstoneRatio, "chunks",
                       std::to_string(facts.removed_chunks) + " of " +
                           std::to_string(facts.removed_chunks + facts.live_chunks) +
                           " are removed");
  }
  return run.Absorb(CompareTombstones(run, facts), FindingCode::kTombstones, "tombstone");
}

Result<std::optional<FulltextCheck>> CheckIndexes(CheckRun& run, const DocumentFacts& facts,
                                                  const std::vector<CheckedSegment>& segments,
                                                  const IndexRecipe& recipe,
                                                  const IndexCheckOptions& options) {
  return IndexCheck(run, facts, segments, recipe, options).Run();
}

}  // namespace recall
