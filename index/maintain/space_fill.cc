#include "index/maintain/space_fill.h"

#include <algorithm>
#include <limits>
#include <string>

#include "index/latent/fixed_parallel.h"
#include "index/text/tokenizer.h"
#include "storage/chunk_scan.h"
#include "storage/live_scan.h"

namespace recall {
namespace {

// Read, then computed, at a time: enough for all threads, little enough to stay in memory.
constexpr size_t kPieceChunks = 2048;
constexpr size_t kTaskChunks = 64;

}  // namespace

struct SpaceFill::Chunk {
  uint32_t row = 0;
  uint32_t tokens = 0;
  uint32_t lexical_tokens = 0;
  bool readable = false;
  std::string heading;
  std::string text;
};

Result<Bitmap> LiveChunks(const ReadTransaction& transaction) {
  Bitmap live;
  RECALL_TRY(ScanLiveDocs(transaction, RowUnit::kChunks, [&](RowSpan rows) {
    if (rows.count > 0) live.AddRange(rows.first, rows.first + rows.count - 1);
  }));
  return live;
}

Result<std::vector<ChunkVector>> SpaceFill::Next(const ReadTransaction& transaction, size_t most) {
  RECALL_ASSIGN(const Bitmap live, LiveChunks(transaction));
  std::vector<ChunkVector> vectors;
  if (next_row_ > std::numeric_limits<uint32_t>::max()) return vectors;
  const std::vector<uint32_t> rows =
      live.ValuesIn(static_cast<uint32_t>(next_row_), std::numeric_limits<uint32_t>::max());
  const size_t end = std::min(most, rows.size());
  for (size_t begin = 0; begin < end; begin += kPieceChunks) {
    if (cancelled_->load(std::memory_order_relaxed)) return Fail(Status::Cancelled("interrupted"));
    const auto piece = std::span(rows).subspan(begin, std::min(kPieceChunks, end - begin));
    RECALL_ASSIGN(std::vector<Chunk> chunks, Read(transaction, piece));
    RECALL_TRY(Embed(chunks, &vectors));
    next_row_ = uint64_t{piece.back()} + 1;
  }
  return vectors;
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
  RECALL_TRY(ScanChunkHeadings(transaction, first, last, [&](uint32_t row, std::string_view text) {
    if (Chunk* chunk = find(row)) chunk->heading = text;
  }));
  ChunkReader reader(transaction);
  for (Chunk& chunk : chunks) {
    const Status read =
        reader.ScanTexts(chunk.row, chunk.row, [&](uint32_t, std::string_view text) {
          chunk.text = text;
          chunk.readable = true;
        });
    // What is damaged is the doctor's to say.
    if (!read.ok() && read.code() != StatusCode::kCorruption) return Fail(read);
  }
  return chunks;
}

Status SpaceFill::Embed(std::vector<Chunk>& chunks, std::vector<ChunkVector>* out) const {
  const size_t before = out->size();
  out->resize(before + chunks.size());
  const size_t dim = space_->vectors().dim();
  const auto embed = [&](size_t task) {
    const size_t begin = task * kTaskChunks;
    const size_t end = std::min(begin + kTaskChunks, chunks.size());
    const std::unique_ptr<Embedder> embedder = space_->NewEmbedder();
    Tokenizer tokenizer;
    LexicalText lexical;
    std::vector<float> values(dim);
    for (size_t i = begin; i < end; ++i) {
      const Chunk& chunk = chunks[i];
      std::ranges::fill(values, 0.0f);
      if (chunk.readable) {
        tokenizer.Analyze(chunk.heading, chunk.text, &lexical);
        const std::string_view text = chunk.text;
        const std::string_view body = lexical.body;
        if (!EmbedAnalyzed(*embedder, {&text, 1}, {&body, 1}, values).ok()) {
          std::ranges::fill(values, 0.0f);
        }
      }
      (*out)[before + i] = {chunk.row, chunk.lexical_tokens, chunk.tokens,
                            space_->vectors().Quantize(values)};
    }
  };
  const size_t tasks = (chunks.size() + kTaskChunks - 1) / kTaskChunks;
  if (RunFixedTasks(threads_, tasks, cancelled_, embed)) return Status::Ok();
  return Status::Cancelled("interrupted");
}

}  // namespace recall
