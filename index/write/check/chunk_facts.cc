#include "index/write/check/chunk_facts.h"

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "index/embed/factory/builtin_embedders.h"
#include "index/source/chunk/chunk_check.h"
#include "index/source/chunk/parser.h"
#include "index/source/extract/types/locator_record.h"
#include "index/source/note/document_tokenizer.h"
#include "index/write/check/expected_spans.h"
#include "storage/base/ordered_pipeline.h"
#include "storage/tables/extraction_table.h"
#include "storage/tables/supplied_vectors.h"

namespace recall {
namespace {

constexpr size_t kFactsPieceChunks = 512;
constexpr size_t kFactsBatch = 64;  // chunks that are embedded together
// Limits of the text and pieces in the pipeline.
constexpr int64_t kInFlightBytes = 16 << 20;
constexpr size_t kInFlightPieces = 256;

// A document as it is stored, and what its text says of all its chunks, which the first worker that
// asks computes for all pieces.
class LoadedDoc final {
 public:
  struct Analysis {
    CheckedText text;
    std::vector<ChunkSpan> spans;  // those of ComputeSpans
  };

  const CheckedDoc* doc = nullptr;
  std::optional<StoredText> stored;  // unset: the store has no texts
  std::vector<ChunkRow> chunks;
  std::optional<std::string> meta;
  std::string places;  // the record of its places; "" if it has none
  std::string supplied_vector;

  // A lock instead of std::call_once: when an exception passes through pthread_once, glibc loads
  // libgcc_s.so, and ends the process if there is not enough memory for that.
  const Analysis& Analyse(const ChunkOptions& options) const {
    const std::lock_guard lock(mutex_);
    if (!analysis_) analysis_ = MakeAnalysis(options);
    return *analysis_;
  }

 private:
  Analysis MakeAnalysis(const ChunkOptions& options) const {
    Analysis made;
    if (stored) made.text = CheckText(*doc, *stored);
    // The doctor does not parse source code, so it cannot say how it is cut.
    const bool parsed = doc->has_grammar && doc->parser == ParserName(Parser::kCode);
    if (made.text.text && !parsed) {
      const std::vector<uint64_t> page_starts = PageStartsOf(places, made.text.text->size());
      made.spans = ComputeSpans(*made.text.text, doc->parser, options, page_starts, chunks);
    }
    return made;
  }

  mutable std::mutex mutex_;
  mutable std::optional<Analysis> analysis_;
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

std::string_view TextOf(std::string_view text, const ChunkRow& chunk) {
  return text.substr(chunk.start_byte, chunk.end_byte - chunk.start_byte);
}

// The state of a thread. Copyable because std::function requires it; copies share the state.
class FactsWorker final {
 public:
  FactsWorker(const IndexRecipe& recipe, const PieceOptions& options)
      : recipe_(&recipe),
        keep_lexical_(options.keep_lexical),
        tokenizer_(std::make_shared<DocumentTokenizer>(
            recipe.knows_tokens() ? recipe.tokenizer_version() : kTokenizerVersion)) {
    if (recipe.space()) embedder_ = recipe.space()->NewEmbedder();
    if (options.words) words_ = std::make_shared<ForwardRecordWriter>(*options.words);
  }

  BuiltFacts operator()(FactsJob job) {
    BuiltFacts built;
    built.bytes = job.bytes;
    DocumentPiece& piece = built.piece;
    const LoadedDoc& loaded = *job.loaded;
    const LoadedDoc::Analysis& analysis = loaded.Analyse(recipe_->chunking());
    piece.doc = loaded.doc;
    piece.first = job.first == 0;
    piece.last = job.last == loaded.chunks.size();
    piece.text_ok = analysis.text.text.has_value();
    if (piece.first) piece.text_faults = analysis.text.faults;
    piece.chunks.assign(loaded.chunks.begin() + static_cast<ptrdiff_t>(job.first),
                        loaded.chunks.begin() + static_cast<ptrdiff_t>(job.last));
    if (!piece.text_ok) return built;
    const std::string_view text = *analysis.text.text;
    if (piece.first) CheckRows(loaded, text, analysis.spans, &piece);
    const std::span<const ChunkSpan> spans =
        std::span(analysis.spans).subspan(analysis.spans.empty() ? 0 : job.first);
    CorrectHeadings(spans, &piece);
    piece.facts.resize(piece.chunks.size());
    tokenizer_->Begin(loaded.doc->path, loaded.doc->parser, loaded.meta, loaded.doc->language,
                      text);
    for (size_t begin = 0; begin < piece.chunks.size(); begin += kFactsBatch) {
      const size_t end = std::min(begin + kFactsBatch, piece.chunks.size());
      for (size_t i = begin; i < end; ++i) {
        const std::string_view chunk = TextOf(text, piece.chunks[i]);
        ChunkFacts& facts = piece.facts[i];
        facts.tokens = spans.empty() ? static_cast<uint32_t>(CountTokens(chunk)) : spans[i].tokens;
        Analyse(piece.chunks[i], chunk, &lexical_[i - begin], &facts);
      }
      Embed(loaded, text, begin, end, &piece);
      for (size_t i = begin; i < end && keep_lexical_; ++i) {
        piece.facts[i].lexical = lexical_[i - begin];
      }
    }
    return built;
  }

 private:
  // Checks all chunks of the document, because lines and offsets are counted from its start. Those
  // with the places of the spans, which were counted in the same way, need no further check.
  static void CheckRows(const LoadedDoc& loaded, std::string_view text,
                        std::span<const ChunkSpan> spans, DocumentPiece* piece) {
    if (!spans.empty() && std::ranges::equal(loaded.chunks, spans, HasPlaceOf)) return;
    ChunkCheck check(text, loaded.doc->imported);
    for (const ChunkRow& chunk : loaded.chunks) {
      ChunkSpan span{.start_byte = chunk.start_byte,
                     .end_byte = chunk.end_byte,
                     .start_line = chunk.start_line,
                     .end_line = chunk.end_line,
                     .offset = chunk.offset,
                     .byte_in_token = chunk.byte_in_token,
                     .tokens = static_cast<uint32_t>(CountTokens(TextOf(text, chunk))),
                     .heading = {}};
      std::string objection = check.Objection(span);
      if (!objection.empty()) piece->objections.emplace_back(chunk.row, std::move(objection));
    }
  }

  // Headings are derived from the text, so the stored ones are never used. `spans`: those of the
  // chunks of the piece; empty if they are not known.
  static void CorrectHeadings(std::span<const ChunkSpan> spans, DocumentPiece* piece) {
    if (spans.empty()) return;
    for (size_t i = 0; i < piece->chunks.size(); ++i) {
      ChunkRow& chunk = piece->chunks[i];
      const std::string& right = spans[i].heading;
      if (chunk.heading == right) continue;
      piece->wrong_headings.push_back({chunk.row, std::exchange(chunk.heading, right), right});
    }
  }

  void Analyse(const ChunkRow& row, std::string_view chunk, LexicalText* lexical,
               ChunkFacts* facts) {
    tokenizer_->Analyze(row.heading, row.start_byte, chunk, lexical);
    facts->stems = lexical->tokens;
    AddFtsTokens(lexical->body, false, &facts->in_index);
    AddFtsTokens(lexical->compound, true, &facts->in_index);
    if (words_) facts->words = words_->Write(row.heading, chunk);
  }

  // Embeds the chunks of a batch, which lexical_ is of.
  void Embed(const LoadedDoc& loaded, std::string_view text, size_t begin, size_t end,
             DocumentPiece* piece) {
    if (!embedder_) return;
    const VectorSpace& space = recipe_->space()->vectors();
    const size_t dim = space.dim();
    const std::span<ChunkFacts> facts = std::span(piece->facts).subspan(begin, end - begin);
    if (!loaded.supplied_vector.empty()) return TakeSupplied(loaded, space, facts);
    texts_.clear();
    bodies_.clear();
    for (size_t i = begin; i < end; ++i) {
      texts_.push_back(TextOf(text, piece->chunks[i]));
      bodies_.push_back(lexical_[i - begin].body);
    }
    vectors_.resize(facts.size() * dim);
    if (!EmbedAnalyzed(*embedder_, texts_, bodies_, vectors_).ok()) return;
    for (size_t i = 0; i < facts.size(); ++i) {
      facts[i].vector = space.Quantize(std::span(vectors_).subspan(i * dim, dim));
    }
  }

  // If the supplied vector is damaged, the facts have no vectors.
  static void TakeSupplied(const LoadedDoc& loaded, const VectorSpace& space,
                           std::span<ChunkFacts> facts) {
    const auto vector = DecodeSuppliedVector(loaded.supplied_vector);
    if (!vector || vector->size() != space.dim()) return;
    const QuantizedVector quantized = space.Quantize(*vector);
    for (ChunkFacts& each : facts) each.vector = quantized;
  }

  const IndexRecipe* recipe_;
  bool keep_lexical_;
  std::shared_ptr<DocumentTokenizer> tokenizer_;
  std::shared_ptr<Embedder> embedder_;
  std::shared_ptr<ForwardRecordWriter> words_;
  // Of a batch; their memory is used again.
  std::array<LexicalText, kFactsBatch> lexical_;
  std::vector<std::string_view> texts_;
  std::vector<std::string_view> bodies_;
  std::vector<float> vectors_;
};

using FactsPipeline = OrderedPipeline<FactsJob, BuiltFacts, FactsWorker>;

// Reads documents and submits their pieces to the threads.
class PieceReader final {
 public:
  PieceReader(Connection& connection, const DocumentFacts& facts, const IndexRecipe& recipe,
              FactsPipeline& pipeline)
      : connection_(connection), facts_(facts), recipe_(recipe), pipeline_(pipeline) {}

  // Submits pieces up to the limits. A document larger than the limits is processed alone.
  Status Feed() {
    while (in_flight_ < kInFlightBytes && pipeline_.pending() < kInFlightPieces) {
      if (!loaded_ && next_ == facts_.docs.size()) return Status::Ok();
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
    loaded->doc = &facts_.docs[next_++];
    RECALL_ASSIGN(loaded->chunks, ReadCheckedChunks(connection_, *loaded->doc));
    RECALL_ASSIGN(loaded->meta, ReadCheckedMeta(connection_, *loaded->doc));
    const auto extraction = FindExtraction(connection_, loaded->doc->row);
    if (extraction && *extraction) loaded->places = (*extraction)->spans;
    if (facts_.has_texts) {
      RECALL_ASSIGN(loaded->stored, ReadStoredText(connection_, *loaded->doc));
    }
    if (recipe_.space() != nullptr && recipe_.space()->is_user_supplied()) {
      RECALL_ASSIGN(loaded->supplied_vector, FindSuppliedVector(connection_, loaded->doc->row));
    }
    loaded_ = std::move(loaded);
    first_ = 0;
    return Status::Ok();
  }

  Connection& connection_;
  const DocumentFacts& facts_;
  const IndexRecipe& recipe_;
  FactsPipeline& pipeline_;
  size_t next_ = 0;  // index among the documents
  std::shared_ptr<const LoadedDoc> loaded_;
  size_t first_ = 0;  // index in the chunks of loaded_
  int64_t in_flight_ = 0;
};

}  // namespace

IndexRecipe::IndexRecipe(Connection& connection, const StoreSettings& settings)
    : seed_(settings.signature_seed),
      chunking_{settings.chunk_tokens, settings.overlap_tokens},
      tokenizer_version_(settings.tokenizer_version) {
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

Status ForEachPiece(Connection& connection, const DocumentFacts& facts, const IndexRecipe& recipe,
                    const PieceOptions& options, const PieceVisitor& visit) {
  FactsPipeline pipeline(std::max<size_t>(options.threads, 1),
                         [&] { return FactsWorker(recipe, options); });
  PieceReader reader(connection, facts, recipe, pipeline);
  for (;;) {
    if (options.cancel != nullptr && options.cancel->load(std::memory_order_relaxed)) {
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
