#include "index/write/training/space_fill.h"

#include <algorithm>
#include <limits>
#include <string>

#include "index/base/text/tokenizer.h"
#include "storage/base/fixed_tasks.h"
#include "storage/documents/chunk_scan.h"
#include "storage/documents/live_scan.h"
#include "storage/tables/supplied_vectors.h"

namespace recall {
namespace {

// Embeds the live chunks of a store, piece by piece.
//
//   live rowids from next_row_ on
//     pieces of 2048 chunks:
//       Read     token counts; then one source of the vector for each chunk:
//                  a user-supplied vector of its document
//                  term lists, inverted from the full-text index (term_lists.h)
//                  heading and text
//       Embed    tasks of 64 chunks, by threads, each with an embedder of the pool
//
// Problem: reading and analysing all texts takes most of the time of a training. An LSA embedder
// needs only terms and counts, which the full-text index has already.
//
// Idea: for a large part of a store, invert the index once (TermLists) and embed from it; a chunk
// that the lists do not cover is read and analysed. Both ways give the same stems and thus the same
// vector. If less than one in kLeastShare chunks is wanted, a pass over the whole index would take
// longer.
//
// Invariants: output is by ascending rowid, and the vector of a chunk depends only on its text and
// the space: threads and pieces have no effect. Damaged text gives the zero vector, which matches
// nothing. After an error next_row_ is unchanged, so the same chunks are next.
//
// Cost: one pass over the index for counts and one for each window of lists, or one read of each
// text. Memory: one piece of texts, the term lists (128 MiB at most), and the vectors of the call.

// The number of chunks that are read, then embedded, at a time: enough for all threads, few enough
// to fit into memory.
constexpr size_t kFillPieceChunks = 2048;
constexpr size_t kTaskChunks = 64;
// Term lists take a pass over the whole index, which is worthwhile only for a large part of the
// chunks.
constexpr size_t kFewestLookedUp = 1024;
constexpr int64_t kLeastShare = 16;

}  // namespace

struct SpaceFill::Chunk {
  uint32_t row = 0;
  uint32_t tokens = 0;
  uint32_t lexical_tokens = 0;
  bool readable = false;
  std::string heading;
  std::string text;
  std::vector<float> given;  // the user-supplied vector of its document
  std::optional<std::vector<TermEmbedder::TermCount>> terms;  // if set, the text is not read
};

Result<Bitmap> LiveChunks(const ReadTransaction& transaction) {
  Bitmap live;
  RECALL_TRY(ScanLiveDocs(transaction, RowUnit::kChunks, [&](RowSpan rows) {
    if (rows.count > 0) live.AddRange(rows.first, rows.first + rows.count - 1);
  }));
  return live;
}

Result<std::vector<uint32_t>> SpaceFill::WaitingRows(const ReadTransaction& transaction) const {
  constexpr uint32_t kLast = std::numeric_limits<uint32_t>::max();
  if (next_row_ > kLast) return std::vector<uint32_t>();
  RECALL_ASSIGN(const Bitmap live, LiveChunks(transaction));
  return live.ValuesIn(static_cast<uint32_t>(next_row_), kLast);
}

Result<int64_t> SpaceFill::CountWaiting(const ReadTransaction& transaction) const {
  RECALL_ASSIGN(const std::vector<uint32_t> rows, WaitingRows(transaction));
  return static_cast<int64_t>(rows.size());
}

Result<std::vector<ChunkVector>> SpaceFill::Next(const ReadTransaction& transaction, size_t most) {
  RECALL_ASSIGN(const std::vector<uint32_t> rows, WaitingRows(transaction));
  std::vector<ChunkVector> vectors;
  const size_t end = std::min(most, rows.size());
  for (size_t begin = 0; begin < end; begin += kFillPieceChunks) {
    if (cancelled_->load(std::memory_order_relaxed)) return Fail(Status::Cancelled("interrupted"));
    const auto piece = std::span(rows).subspan(begin, std::min(kFillPieceChunks, end - begin));
    RECALL_TRY(ReadTerms(transaction, std::span(rows).subspan(begin)));
    RECALL_ASSIGN(std::vector<Chunk> chunks, Read(transaction, piece));
    RECALL_TRY(Embed(chunks, &vectors));
  }
  if (end > 0) next_row_ = uint64_t{rows[end - 1]} + 1;
  return vectors;
}

Status SpaceFill::ReadTerms(const ReadTransaction& transaction, std::span<const uint32_t> rows) {
  if (terms_missing_ || (terms_ && terms_->Has(rows.front()))) return Status::Ok();
  std::unique_ptr<Embedder> embedder = TakeEmbedder();
  if (const TermEmbedder* const of_terms = embedder->terms()) {
    const auto count = static_cast<int64_t>(rows.size());
    const bool many =
        rows.size() >= kFewestLookedUp && count * kLeastShare >= transaction.next_chunk();
    if (!terms_ && many) {
      RECALL_ASSIGN(terms_, TermLists::Open(transaction, *of_terms, rows, term_list_entries_));
    }
    bool loaded = terms_.has_value();
    if (loaded) {
      RECALL_ASSIGN(loaded, terms_->Load(transaction, *of_terms, rows.front()));
    }
    if (!loaded) terms_.reset();
  }
  // The chunks after this point are few.
  terms_missing_ = !terms_ || !terms_->Has(rows.front());
  GiveBack(std::move(embedder));
  return Status::Ok();
}

Result<std::vector<SpaceFill::Chunk>> SpaceFill::Read(const ReadTransaction& transaction,
                                                      std::span<const uint32_t> rows) {
  std::vector<Chunk> chunks(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) chunks[i].row = rows[i];
  const auto find = [&](uint32_t row) -> Chunk* {
    const auto found = std::ranges::lower_bound(chunks, row, {}, &Chunk::row);
    return found != chunks.end() && found->row == row ? &*found : nullptr;
  };
  const auto set = [&](uint32_t Chunk::*field) {
    return [&find, field](uint32_t row, int64_t value) {
      if (Chunk* chunk = find(row)) chunk->*field = static_cast<uint32_t>(value);
    };
  };
  const uint32_t first = rows.front();
  const uint32_t last = rows.back();
  RECALL_TRY(ScanChunkNumbers(transaction, ChunkNumber::kTokens, first, last, set(&Chunk::tokens)));
  RECALL_TRY(ScanChunkNumbers(transaction, ChunkNumber::kLexicalTokens, first, last,
                              set(&Chunk::lexical_tokens)));
  if (space_->is_user_supplied()) {
    RECALL_TRY(ScanSuppliedVectors(
        transaction.connection(), first, last, [&](uint32_t row, std::string_view record) {
          auto vector = DecodeSuppliedVector(record);
          Chunk* chunk = find(row);
          if (chunk && vector && vector->size() == space_->geometry().dim()) {
            chunk->given = *std::move(vector);
          }
        }));
  }
  if (terms_) {
    const auto look_up = [&](size_t i) { chunks[i].terms = terms_->Find(chunks[i].row); };
    if (!RunFixedTasks(threads_, chunks.size(), cancelled_, look_up)) {
      return Fail(Status::Cancelled("interrupted"));
    }
  }
  RECALL_TRY(ReadTexts(transaction, chunks));
  return chunks;
}

Status SpaceFill::ReadTexts(const ReadTransaction& transaction, std::vector<Chunk>& chunks) const {
  ChunkReader reader(transaction);
  for (Chunk& chunk : chunks) {
    if (chunk.terms) continue;
    const Status read = reader.ScanPassages(
        chunk.row, chunk.row, [&](uint32_t, std::string_view heading, std::string_view text) {
          chunk.heading = heading;
          chunk.text = text;
          chunk.readable = true;
        });
    // Damaged text is omitted; doctor reports it.
    if (!read.ok() && read.code() != StatusCode::kCorruption) return read;
  }
  return Status::Ok();
}

Status SpaceFill::Embed(std::vector<Chunk>& chunks, std::vector<ChunkVector>* out) {
  const size_t before = out->size();
  out->resize(before + chunks.size());
  const size_t tasks = (chunks.size() + kTaskChunks - 1) / kTaskChunks;
  std::vector<Status> done(tasks);
  std::atomic<bool> failed = false;
  const auto embed = [&](size_t task) {
    if (failed) return;
    const size_t begin = task * kTaskChunks;
    const size_t count = std::min(kTaskChunks, chunks.size() - begin);
    std::unique_ptr<Embedder> embedder = TakeEmbedder();
    done[task] =
        EmbedTask(std::span(chunks).subspan(begin, count), *embedder, out->data() + before + begin);
    if (!done[task].ok()) failed = true;
    GiveBack(std::move(embedder));
  };
  if (!RunFixedTasks(threads_, tasks, cancelled_, embed)) return Status::Cancelled("interrupted");
  for (const Status& status : done) RECALL_TRY(status);
  return Status::Ok();
}

Status SpaceFill::EmbedTask(std::span<const Chunk> chunks, Embedder& embedder,
                            ChunkVector* out) const {
  const size_t dim = space_->geometry().dim();
  Tokenizer tokenizer(kStemVersion);
  std::vector<LexicalText> lexical(chunks.size());
  std::vector<std::string_view> texts;
  std::vector<std::string_view> bodies;
  for (size_t i = 0; i < chunks.size(); ++i) {
    if (!chunks[i].readable) continue;
    texts.push_back(chunks[i].text);
    if (!embedder.TakesStems()) continue;
    tokenizer.Analyze(chunks[i].heading, chunks[i].text, &lexical[i]);
    bodies.push_back(lexical[i].body);
  }
  std::vector<float> values(texts.size() * dim);
  RECALL_TRY(EmbedAnalyzed(embedder, texts, bodies, values));
  const std::vector<float> nothing(dim);
  std::vector<float> of_terms(dim);
  size_t next = 0;
  for (size_t i = 0; i < chunks.size(); ++i) {
    const Chunk& chunk = chunks[i];
    std::span<const float> vector = nothing;
    if (chunk.readable) vector = std::span(values).subspan(next++ * dim, dim);
    if (chunk.terms) {
      embedder.terms()->EmbedTerms(*chunk.terms, of_terms);
      vector = of_terms;
    }
    if (!chunk.given.empty()) vector = chunk.given;
    out[i] = {chunk.row, chunk.lexical_tokens, chunk.tokens, space_->vectors().Quantize(vector)};
  }
  return Status::Ok();
}

std::unique_ptr<Embedder> SpaceFill::TakeEmbedder() {
  {
    const std::lock_guard lock(mutex_);
    if (!embedders_.empty()) {
      std::unique_ptr<Embedder> embedder = std::move(embedders_.back());
      embedders_.pop_back();
      return embedder;
    }
  }
  return space_->NewEmbedder();
}

void SpaceFill::GiveBack(std::unique_ptr<Embedder> embedder) {
  const std::lock_guard lock(mutex_);
  embedders_.push_back(std::move(embedder));
}

}  // namespace recall
