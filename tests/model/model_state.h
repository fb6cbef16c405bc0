#pragma once

// A model of a store in memory: a map of documents. Snapshots are copies.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "index/embed/vector_space/vector_space.h"
#include "index/search/lexical_query/lexical_query.h"
#include "index/source/note/document_tokenizer.h"
#include "index/write/ingest/document_builder.h"
#include "tests/index/search/filter/filter_oracle.h"

namespace recall {

struct ModelChunk {
  std::string id;
  ChunkRow row;  // `row` is the chunk's number in the model, by path and offset
  std::string text;
  std::vector<std::string> body;  // tokens
  std::vector<std::string> compound;
  uint32_t lexical_tokens = 0;
  std::vector<float> vector;  // a unit vector
};

struct ModelDoc {
  DocRow doc;
  std::string text;
  std::vector<ModelChunk> chunks;
};

// One state. Copies share their documents.
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

  // For the naive evaluator. Chunks are numbered by path and offset, documents by path.
  std::vector<OracleDoc> ForOracle() const;

 private:
  Docs docs_;
};

// Makes model documents of files with the product's own code for texts, chunks and tokens, which
// the model does not test.
class ModelBuilder final {
 public:
  ModelBuilder(uint32_t chunk_tokens, uint32_t overlap_tokens, uint32_t dim);
  // Reads the file `path` below `root`. `live` is the stored version of the document; it provides
  // the labels that the arguments leave unset.
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
  DocumentTokenizer document_tokenizer_{kTokenizerVersion};
};

}  // namespace recall
