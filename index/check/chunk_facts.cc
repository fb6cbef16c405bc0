#include "index/check/chunk_facts.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include "index/check/chunk_headings.h"
#include "index/chunk/chunk_check.h"
#include "index/embed/factory/builtin_embedders.h"
#include "index/ingest/ordered_pipeline.h"
#include "storage/fts5/fts_instance_hash.h"
#include "storage/tables/supplied_vectors.h"

namespace recall {
namespace {

constexpr size_t kFactsPieceChunks = 512;
constexpr size_t kFactsEmbedBatch = 64;
// Limits of the text and pieces in the pipeline.
constexpr int64_t kInFlightBytes = 16 << 20;
constexpr size_t kInFlightPieces = 256;

struct LoadedDoc {
  const CheckedDoc* doc = nullptr;
  std::string text;
  std::vector<ChunkRow> chunks;
  std::string supplied_vector;

  // Those of ComputeHeadings. Computed by the first worker that asks, for all pieces.
  const std::vector<std::string>& Headings(const ChunkOptions& options) const {
    std::call_once(headings_once,
                   [&] { headings = ComputeHeadings(text, doc->parser, options, chunks); });
    return headings;
  }
  mutable std::once_flag headings_once;
  mutable std::vector<std::string> headings;
};

struct FactsJob {
  std::shared_ptr<const LoadedDoc> loaded;
  size_t first = 0;
  size_t last = 0;  // exclusive
  int64_t bytes = 0;
};

struct BuiltFacts {
  DocumentPiece piece;
  int64_t bytes = 0;
};

std::string_view TextOf(const LoadedDoc& loaded, const ChunkRow& chunk) {
  return std::string_view(loaded.text).substr(chunk.start_byte, chunk.end_byte - chunk.start_byte);
}

// Adds the tokens of a column, which are separated by single spaces.
void AddTokens(std::string_view tokens, bool compound, ChunkFacts* facts) {
  for (uint64_t offset = 0; !tokens.empty(); ++offset) {
    const size_t end = std::min(tokens.find(' '), tokens.size());
    facts->lexicon_sum += FtsInstanceHash(FtsTermHash(tokens.substr(0, end)), compound, offset);
    ++facts->lexicon_tokens;
    tokens.remove_prefix(std::min(end + 1, tokens.size()));
  }
}

// The state of a thread. Copyable because std::function requires it; copies share the state.
class FactsWorker final {
 public:
  explicit FactsWorker(const IndexRecipe& recipe)
      : recipe_(&recipe), tokenizer_(std::make_shared<Tokenizer>()) {
    if (recipe.space()) embedder_ = recipe.space()->NewEmbedder();
  }

  BuiltFacts operator()(FactsJob job) {
    BuiltFacts built;
    built.bytes = job.bytes;
    DocumentPiece& piece = built.piece;
    const LoadedDoc& loaded = *job.loaded;
    piece.doc = loaded.doc;
    piece.last = job.last == loaded.chunks.size();
    piece.chunks.assign(loaded.chunks.begin() + static_cast<ptrdiff_t>(job.first),
                        loaded.chunks.begin() + static_cast<ptrdiff_t>(job.last));
    if (!loaded.doc->text_ok) return built;
    if (job.first == 0) CheckRows(loaded, &piece);
    CorrectHeadings(loaded, job.first, &piece);
    piece.facts.resize(piece.chunks.size());
    for (size_t i = 0; i < piece.chunks.size(); ++i) {
      const std::string_view text = TextOf(loaded, piece.chunks[i]);
      ChunkFacts& facts = piece.facts[i];
      facts.tokens = static_cast<uint32_t>(CountTokens(text));
      tokenizer_->Analyze(piece.chunks[i].heading, text, &facts.lexical);
      AddTokens(facts.lexical.body, false, &facts);
      AddTokens(facts.lexical.compound, true, &facts);
    }
    Embed(loaded, &piece);
    return built;
  }

 private:
  // Checks all chunks of the document, because lines and offsets are counted from its start.
  static void CheckRows(const LoadedDoc& loaded, DocumentPiece* piece) {
    ChunkCheck check(loaded.text, loaded.doc->imported);
    for (const ChunkRow& chunk : loaded.chunks) {
      ChunkSpan span{.start_byte = chunk.start_byte,
                     .end_byte = chunk.end_byte,
                     .start_line = chunk.start_line,
                     .end_line = chunk.end_line,
                     .offset = chunk.offset,
                     .byte_in_token = chunk.byte_in_token,
                     .tokens = static_cast<uint32_t>(CountTokens(TextOf(loaded, chunk))),
                     .heading = {}};
      std::string objection = check.Objection(span);
      if (!objection.empty()) piece->objections.emplace_back(chunk.row, std::move(objection));
    }
  }

  // Headings are derived from the text, so the stored ones are never used. `first`: the index of
  // the piece's first chunk in the document.
  void CorrectHeadings(const LoadedDoc& loaded, size_t first, DocumentPiece* piece) const {
    const std::vector<std::string>& headings = loaded.Headings(recipe_->chunking());
    if (headings.empty()) return;
    for (size_t i = 0; i < piece->chunks.size(); ++i) {
      ChunkRow& chunk = piece->chunks[i];
      const std::string& right = headings[first + i];
      if (chunk.heading == right) continue;
      piece->wrong_headings.push_back({chunk.row, std::exchange(chunk.heading, right), right});
    }
  }

  void Embed(const LoadedDoc& loaded, DocumentPiece* piece) {
    if (!embedder_) return;
    const VectorSpace& space = recipe_->space()->vectors();
    const size_t dim = space.dim();
    if (!loaded.supplied_vector.empty()) return TakeSupplied(loaded, space, piece);
    std::vector<std::string_view> texts;
    std::vector<std::string_view> bodies;
    std::vector<float> vectors(kFactsEmbedBatch * dim);
    for (size_t begin = 0; begin < piece->chunks.size(); begin += kFactsEmbedBatch) {
      const size_t end = std::min(begin + kFactsEmbedBatch, piece->chunks.size());
      texts.clear();
      bodies.clear();
      for (size_t i = begin; i < end; ++i) {
        texts.push_back(TextOf(loaded, piece->chunks[i]));
        bodies.push_back(piece->facts[i].lexical.body);
      }
      const std::span<float> out(vectors.data(), texts.size() * dim);
      if (!EmbedAnalyzed(*embedder_, texts, bodies, out).ok()) return;
      for (size_t i = begin; i < end; ++i) {
        piece->facts[i].vector = space.Quantize(out.subspan((i - begin) * dim, dim));
      }
    }
  }

  // If the supplied vector is damaged, the facts have no vectors.
  static void TakeSupplied(const LoadedDoc& loaded, const VectorSpace& space,
                           DocumentPiece* piece) {
    const auto vector = DecodeSuppliedVector(loaded.supplied_vector);
    if (!vector || vector->size() != space.dim()) return;
    const QuantizedVector quantized = space.Quantize(*vector);
    for (ChunkFacts& facts : piece->facts) facts.vector = quantized;
  }

  const IndexRecipe* recipe_;
  std::shared_ptr<Tokenizer> tokenizer_;
  std::shared_ptr<Embedder> embedder_;
};

using FactsPipeline = OrderedPipeline<FactsJob, BuiltFacts, FactsWorker>;

// Reads documents and submits their pieces to the threads.
class PieceReader final {
 public:
  PieceReader(Connection& connection, const std::vector<CheckedDoc>& docs,
              const IndexRecipe& recipe, FactsPipeline& pipeline)
      : connection_(connection), docs_(docs), recipe_(recipe), pipeline_(pipeline) {}

  // Submits pieces up to the limits. A document larger than the limits is processed alone.
  Status Feed() {
    while (in_flight_ < kInFlightBytes && pipeline_.pending() < kInFlightPieces) {
      if (!loaded_ && next_ == docs_.size()) return Status::Ok();
      if (!loaded_) RECALL_TRY(Load());
      const size_t last = std::min(first_ + kFactsPieceChunks, loaded_->chunks.size());
      FactsJob job{loaded_, first_, last, 0};
      for (size_t i = first_; i < last; ++i) {
        const ChunkRow& chunk = loaded_->chunks[i];
        job.bytes += static_cast<int64_t>(chunk.end_byte - chunk.start_byte) + 256;
      }
      in_flight_ += job.bytes;
      pipeline_.Submit(std::move(job));
      first_ = last;
      if (last == loaded_->chunks.size()) loaded_.reset();
    }
    return Status::Ok();
  }

  void Took(const BuiltFacts& built) { in_flight_ -= built.bytes; }

 private:
  Status Load() {
    auto loaded = std::make_shared<LoadedDoc>();
    loaded->doc = &docs_[next_++];
    RECALL_ASSIGN(loaded->chunks, ReadCheckedChunks(connection_, *loaded->doc));
    if (loaded->doc->text_ok) {
      RECALL_ASSIGN(loaded->text, ReadCheckedText(connection_, *loaded->doc));
    }
    if (recipe_.space() != nullptr && recipe_.space()->is_user_supplied()) {
      RECALL_ASSIGN(loaded->supplied_vector, FindSuppliedVector(connection_, loaded->doc->row));
    }
    loaded_ = std::move(loaded);
    first_ = 0;
    return Status::Ok();
  }

  Connection& connection_;
  const std::vector<CheckedDoc>& docs_;
  const IndexRecipe& recipe_;
  FactsPipeline& pipeline_;
  size_t next_ = 0;  // index in docs_
  std::shared_ptr<const LoadedDoc> loaded_;
  size_t first_ = 0;  // index in the chunks of loaded_
  int64_t in_flight_ = 0;
};

}  // namespace

IndexRecipe::IndexRecipe(Connection& connection, const StoreSettings& settings)
    : seed_(settings.signature_seed),
      chunking_{settings.chunk_tokens, settings.overlap_tokens},
      knows_tokens_(settings.tokenizer_version == kTokenizerVersion) {
  const Status opened = OpenSpace(connection, settings);
  if (opened.ok()) return;
  space_ = nullptr;
  embedder_fault_ = std::string(opened.message());
}

Status IndexRecipe::OpenSpace(Connection& connection, const StoreSettings& settings) {
  RECALL_ASSIGN(const bool known, HasSpaces(connection));
  if (!known) {
    present_ = SpaceRow{.embedder = settings.embedder, .dim = settings.dim, .since = 0};
  } else {
    RECALL_ASSIGN(present_, FindSpaceAt(connection, std::numeric_limits<int64_t>::max()));
  }
  if (!present_) return Status::Corruption("no vector space is active");
  RECALL_ASSIGN(const auto space, EmbeddingSpace::OfRow(*present_, seed_));
  if (space->is_configured()) {
    // The first space of a store never has a configured embedder.
    configured_ = present_->since > 0;
    if (configured_) return Status::Ok();
    return CheckEmbedder(present_->embedder, present_->dim);
  }
  RECALL_TRY(space->Load(StoredModels(connection)));
  space_ = space;
  return Status::Ok();
}

Status ForEachPiece(Connection& connection, const std::vector<CheckedDoc>& docs,
                    const IndexRecipe& recipe, size_t threads, const std::atomic<bool>* cancel,
                    const PieceVisitor& visit) {
  FactsPipeline pipeline(std::max<size_t>(threads, 1), [&recipe] { return FactsWorker(recipe); });
  PieceReader reader(connection, docs, recipe, pipeline);
  for (;;) {
    if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) {
      return Status::Cancelled("interrupted");
    }
    RECALL_TRY(reader.Feed());
    if (pipeline.pending() == 0) return Status::Ok();
    const BuiltFacts built = pipeline.Take();
    reader.Took(built);
    RECALL_TRY(visit(built.piece));
  }
}

}  // namespace recall
