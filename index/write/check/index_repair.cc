#include "index/write/check/index_repair.h"

#include <utility>

#include "index/search/bitmap/bitmap.h"
#include "index/search/bitmap/tombstones.h"
#include "index/search/vector/vector_writer.h"
#include "storage/check/file_check.h"
#include "storage/fts5/fts_index.h"
#include "storage/tables/posting_table.h"

namespace recall {
namespace {

class IndexRebuild final {
 public:
  IndexRebuild(WriteTransaction& transaction, const DocumentFacts& facts, const IndexRecipe& recipe,
               const IndexRepair& repair)
      : transaction_(transaction), facts_(facts), recipe_(recipe), repair_(repair) {}

  Status Run(size_t threads, const std::atomic<bool>* cancel, const CheckProgressFn& progress) {
    if (repair_.tombstones) RECALL_TRY(SetTombstones());
    const bool rereads =
        repair_.headings || repair_.token_counts || repair_.lexicon || repair_.vectors;
    if (!rereads) return Status::Ok();
    RECALL_TRY(Clear());
    const int64_t total = facts_.live_chunks + facts_.removed_chunks;
    RECALL_TRY(ForEachPiece(transaction_.connection(), facts_, recipe_,
                            {.threads = threads, .cancel = cancel, .keep_lexical = repair_.lexicon},
                            [&](const DocumentPiece& piece) {
                              done_ += static_cast<int64_t>(piece.chunks.size());
                              if (progress) progress(done_, total);
                              return Visit(piece);
                            }));
    return FlushVectors();
  }

 private:
  Status SetTombstones() {
    Bitmap removed;
    for (const CheckedDoc& doc : facts_.docs) {
      if (doc.live() || doc.chunk_count == 0) continue;
      removed.AddRange(doc.first_chunk, doc.first_chunk + doc.chunk_count - 1);
    }
    return WriteTombstones(transaction_, removed);
  }

  Status Clear() {
    Connection& connection = transaction_.connection();
    if (!repair_.lexicon) return Status::Ok();
    RECALL_TRY(DeletePostingSets(connection));
    return RebuildFulltextIndex(connection);
  }

  Status Visit(const DocumentPiece& piece) {
    if (repair_.headings) RECALL_TRY(SetHeadings(piece));
    const bool known = !piece.facts.empty();
    for (size_t i = 0; i < piece.chunks.size(); ++i) {
      const ChunkRow& chunk = piece.chunks[i];
      const ChunkFacts* facts = known ? &piece.facts[i] : nullptr;
      if (facts != nullptr && repair_.token_counts) RECALL_TRY(SetCounts(chunk, *facts));
      if (facts != nullptr && repair_.lexicon) {
        RECALL_TRY(InsertFtsRow(transaction_.connection(), chunk.row, facts->lexical.body,
                                facts->lexical.compound));
      }
      if (repair_.vectors) RECALL_TRY(AddVector(chunk, facts));
    }
    chunks_of_doc_ += known ? piece.chunks.size() : 0;
    return piece.last ? FinishDocument(*piece.doc, piece.text_ok) : Status::Ok();
  }

  Status SetHeadings(const DocumentPiece& piece) {
    for (const WrongHeading& wrong : piece.wrong_headings) {
      RECALL_ASSIGN(Statement * update, transaction_.connection().Cached(
                                            "UPDATE chunk SET heading = ?2 WHERE id = ?1"));
      update->BindInt(1, wrong.chunk);
      update->BindText(2, wrong.expected);
      RECALL_TRY(update->Run());
    }
    return Status::Ok();
  }

  Status SetCounts(const ChunkRow& chunk, const ChunkFacts& facts) {
    tokens_ += facts.tokens;
    lexical_tokens_ += facts.stems;
    if (chunk.tokens == facts.tokens && chunk.lexical_tokens == facts.stems) {
      return Status::Ok();
    }
    RECALL_ASSIGN(Statement * update,
                  transaction_.connection().Cached(
                      "UPDATE chunk SET tokens = ?2, lexical_tokens = ?3 WHERE id = ?1"));
    update->BindInt(1, chunk.row);
    update->BindInt(2, facts.tokens);
    update->BindInt(3, facts.stems);
    return update->Run();
  }

  Status FinishDocument(const CheckedDoc& doc, bool text_ok) {
    const bool all = chunks_of_doc_ == doc.chunk_count && text_ok && repair_.token_counts;
    const int64_t tokens = std::exchange(tokens_, 0);
    const int64_t lexical_tokens = std::exchange(lexical_tokens_, 0);
    chunks_of_doc_ = 0;
    if (!all || (tokens == doc.tokens && lexical_tokens == doc.lexical_tokens)) {
      return Status::Ok();
    }
    RECALL_ASSIGN(Statement * update,
                  transaction_.connection().Cached(
                      "UPDATE doc SET tokens = ?2, lexical_tokens = ?3 WHERE id = ?1"));
    update->BindInt(1, doc.row);
    update->BindInt(2, tokens);
    update->BindInt(3, lexical_tokens);
    return update->Run();
  }

  Status AddVector(const ChunkRow& chunk, const ChunkFacts* facts) {
    if (facts != nullptr && !facts->vector.values.empty()) {
      vectors_.push_back({chunk.row, facts->stems, facts->tokens, facts->vector});
    } else {
      const VectorSpace& space = recipe_.space()->vectors();
      const std::vector<float> nothing(space.dim());
      vectors_.push_back({chunk.row, chunk.lexical_tokens, chunk.tokens, space.Quantize(nothing)});
    }
    return vectors_.size() < kMaxSegmentVectors ? Status::Ok() : FlushVectors();
  }

  Status FlushVectors() {
    if (vectors_.empty()) return Status::Ok();
    RECALL_TRY(AppendVectors(transaction_, recipe_.space()->geometry(), vectors_));
    vectors_.clear();
    return Status::Ok();
  }

  WriteTransaction& transaction_;
  const DocumentFacts& facts_;
  const IndexRecipe& recipe_;
  const IndexRepair& repair_;
  std::vector<ChunkVector> vectors_;
  int64_t done_ = 0;
  // Totals of the current document:
  uint64_t chunks_of_doc_ = 0;
  int64_t tokens_ = 0;
  int64_t lexical_tokens_ = 0;
};

// Not segment by segment: the list of segments itself may be damaged.
Status DeleteVectors(Connection& connection) {
  return connection.Execute("DELETE FROM vec_segment; DELETE FROM vec_data; DELETE FROM vec_tail");
}

}  // namespace

Result<bool> HasSpaceOfEachVector(Connection& connection) {
  RECALL_ASSIGN(const int64_t strays,
                connection.QueryInt(
                    "SELECT count(*) FROM vec_tail WHERE space NOT IN (SELECT id FROM space)"));
  return strays == 0;
}

Status EmptySpaces(WriteTransaction& transaction, int64_t kept) {
  Connection& connection = transaction.connection();
  RECALL_TRY(DeleteVectors(connection));
  RECALL_ASSIGN(const std::vector<SpaceRow> spaces, ListSpaces(connection));
  for (const SpaceRow& row : spaces) {
    if (row.id != kept) RECALL_TRY(DeleteSpace(connection, row.id));
  }
  return Status::Ok();
}

Status ResetSpaces(WriteTransaction& transaction) {
  Connection& connection = transaction.connection();
  const StoreSettings& settings = transaction.settings();
  // Keeps the embedder of the active space if its vectors can be made from the texts, even if the
  // store was created with another one.
  const auto present = transaction.space();
  const bool needs_training =
      settings.embedder == kLsaEmbedder || (present && (*present)->embedder == kLsaEmbedder);
  RECALL_TRY(DeleteVectors(connection));
  RECALL_TRY(connection.Execute("DELETE FROM space"));
  if (needs_training) RECALL_TRY(connection.Execute("DELETE FROM model; DELETE FROM model_part"));
  SpaceRow row{.embedder = needs_training ? std::string(kLsaEmbedder) : settings.embedder,
               .version = "1",
               .dim = needs_training ? 0 : settings.dim,
               .since = transaction.counts().commit_sequence};
  RECALL_ASSIGN(row.id, InsertSpace(connection, row));
  transaction.UseSpace(row);
  return Status::Ok();
}

Status RepairIndexes(WriteTransaction& transaction, const DocumentFacts& facts,
                     const IndexRecipe& recipe, const IndexRepair& repair, size_t threads,
                     const std::atomic<bool>* cancel, const CheckProgressFn& progress) {
  return IndexRebuild(transaction, facts, recipe, repair).Run(threads, cancel, progress);
}

}  // namespace recall
