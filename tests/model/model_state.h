#pragma once

// What a store must hold, kept in memory the plain way: a map of documents. Snapshots of it are
// copies.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "index/ingest/document_builder.h"
#include "index/lexical_query/lexical_query.h"
#include "index/vector_space/vector_space.h"
#include "tests/index/filter/filter_oracle.h"

namespace recall {

struct ModelChunk {
  std::string id;
  ChunkRow row;  // `row` is its place in the model, by path and offset
  std::string text;
  std::vector<std::string> body;  // tokens
  std::vector<std::string> compound;
  uint32_t lexical_tokens = 0;
  std::vector<float> vector;  // of unit length
};

struct ModelDoc {
  DocRow doc;
  std::string text;
  std::vector<ModelChunk> chunks;
};

// One state. Copies share the documents.
class ModelState final {
 public:
  using Docs = std::map<std::string, std::shared_ptr<const ModelDoc>>;
  const Docs& docs() const { return docs_; }
  void Put(ModelDoc doc) {
    const std::string path = doc.doc.path;
    docs_[path] = std::make_shared<const ModelDoc>(std::move(doc));
  }
  void Remove(const std::string& path) { docs_.erase(path); }

  struct Counts {
    int64_t docs = 0;
    int64_t chunks = 0;
    int64_t tokens = 0;
    int64_t lexical_tokens = 0;
    int64_t bytes = 0;
    bool operator==(const Counts&) const = default;
  };
  Counts Count() const;

  // For the naive evaluator: chunks are numbered by path and offset, documents by path.
  std::vector<OracleDoc> ForOracle() const;

 private:
  Docs docs_;
};

// Makes documents of files, as every command does: their text, chunks and tokens are not what the
// model is there to test.
class ModelBuilder final {
 public:
  ModelBuilder(uint32_t chunk_tokens, uint32_t overlap_tokens, uint32_t dim);
  // Of the file `path` below `root`. `live`: what the store has of it, whose labels stay where
  // there are no new ones.
  Result<ModelDoc> Build(const std::string& root, const std::string& path,
                         std::optional<UnixNanos> mtime, const ModelDoc* live,
                         const std::optional<std::string>& tag,
                         const std::optional<std::string>& source);
  Result<std::vector<float>> Embed(std::string_view text);
  LexicalQuery Parse(std::string_view text) { return ParseLexicalQuery(text, tokenizer_); }

 private:
  ChunkOptions chunking_;
  std::unique_ptr<Embedder> embedder_;
  TermBuilder terms_;
  Tokenizer tokenizer_;
};

}  // namespace recall
