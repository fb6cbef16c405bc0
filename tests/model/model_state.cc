#include "tests/model/model_state.h"

#include <sstream>
#include <utility>

#include "index/embed/factory/builtin_embedders.h"
#include "index/write/ingest/text_file.h"
#include "query/types/open_types.h"
#include "query/types/store_types.h"

namespace recall {
namespace {

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; std::getline(stream, word, ' ');) words.push_back(word);
  return words;
}

ChunkRow RowOf(const ChunkSpan& span) {
  ChunkRow row;
  row.start_byte = span.start_byte;
  row.end_byte = span.end_byte;
  row.start_line = span.start_line;
  row.end_line = span.end_line;
  row.offset = span.offset;
  row.byte_in_token = span.byte_in_token;
  row.tokens = span.tokens;
  row.heading = span.heading;
  return row;
}

}  // namespace

ModelState::Counts ModelState::Count() const {
  Counts counts;
  for (const auto& [path, doc] : docs_) {
    counts.docs += 1;
    counts.chunks += static_cast<int64_t>(doc->chunks.size());
    counts.tokens += doc->doc.tokens;
    counts.lexical_tokens += doc->doc.lexical_tokens;
    counts.bytes += doc->doc.size;
  }
  return counts;
}

std::vector<OracleDoc> ModelState::ForOracle() const {
  std::vector<OracleDoc> docs;
  uint32_t next = 0;
  for (const auto& [path, doc] : docs_) {
    OracleDoc& out = docs.emplace_back();
    out.doc = doc->doc;
    out.doc.row = static_cast<int64_t>(docs.size()) - 1;
    for (const ModelChunk& chunk : doc->chunks) {
      out.chunks.push_back(chunk.row);
      out.chunks.back().row = next++;
      out.texts.push_back(chunk.text);
      out.parts.emplace_back();  // the documents of the model are neither code nor extracted
    }
  }
  return docs;
}

namespace {

StoreSettings HashSettings(uint32_t dim) {
  StoreSettings settings;
  settings.dim = dim;
  settings.signature_seed = CreateOptions().ann_seed;
  return settings;
}

}  // namespace

ModelBuilder::ModelBuilder(uint32_t chunk_tokens, uint32_t overlap_tokens, uint32_t dim)
    : chunking_{chunk_tokens, overlap_tokens},
      embedder_(*MakeEmbedder("hash", dim)),
      terms_(*EmbeddingSpace::OfEmbedder("hash", HashSettings(dim), nullptr), kTokenizerVersion) {}

Result<std::vector<float>> ModelBuilder::Embed(std::string_view text) {
  std::vector<float> vector(embedder_->identity().dim);
  RECALL_TRY(embedder_->Embed({&text, 1}, vector));
  return vector;
}

Result<ModelDoc> ModelBuilder::Build(const std::string& root, const std::string& path,
                                     std::optional<UnixNanos> mtime, const ModelDoc* live,
                                     const std::optional<std::string>& tag,
                                     const std::optional<std::string>& source) {
  BuildOptions options;
  options.store_root = root;
  options.chunking = chunking_;
  options.extract_meta = true;
  options.max_file_bytes = 1 << 20;
  options.tag = tag ? tag : live ? live->doc.tag : std::nullopt;
  options.source = source ? source : live ? live->doc.source : std::nullopt;
  FoundFile file;
  file.doc_path = path;
  file.mtime = mtime;
  PreparedDocument prepared = BuildDocument(file, std::nullopt, options, terms_);
  if (!prepared.fault.reason.empty()) return Fail(Status::Internal(prepared.fault.reason));
  ModelDoc model;
  model.doc = prepared.doc;
  RECALL_ASSIGN(model.text, ReadTextFile(root + "/" + path, options.max_file_bytes));
  model.doc.chunk_count = static_cast<uint32_t>(prepared.spans.size());
  for (size_t i = 0; i < prepared.spans.size(); ++i) {
    ModelChunk& chunk = model.chunks.emplace_back();
    chunk.row = RowOf(prepared.spans[i]);
    chunk.id = ToHex(MakeChunkId(model.doc.id, chunk.row.offset, chunk.row.byte_in_token));
    chunk.text = model.text.substr(chunk.row.start_byte, chunk.row.end_byte - chunk.row.start_byte);
    LexicalText lexical;
    document_tokenizer_.Begin(path, model.doc.parser, model.doc.meta, model.doc.language.code,
                              model.text);
    document_tokenizer_.Analyze(chunk.row.heading, chunk.row.start_byte, chunk.text, &lexical);
    chunk.body = Words(lexical.body);
    chunk.compound = Words(lexical.compound);
    chunk.lexical_tokens = lexical.tokens;
    chunk.row.lexical_tokens = lexical.tokens;
    RECALL_ASSIGN(chunk.vector, Embed(chunk.text));
    model.doc.tokens += chunk.row.tokens;
    model.doc.lexical_tokens += lexical.tokens;
  }
  return model;
}

}  // namespace recall
