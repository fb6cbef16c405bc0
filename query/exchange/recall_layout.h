#pragma once

// Recall's own export format, docs/format/export.md: a header line, then the documents by path,
// each followed by its chunks.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "index/embed/factory/embedding_space.h"
#include "query/add/records/json_record.h"

namespace recall {

inline constexpr std::string_view kExportType = "recall_export";
// Incremented when readers of the previous version would misread the file. New fields do not
// increment it.
inline constexpr int64_t kExportVersion = 1;

struct HeaderLine {
  enum : size_t {
    kType,
    kVersion,
    kStoreVersion,
    kVersionOfTokenizer,
    kEmbedder,
    kEmbedderVersion,
    kDim,
    kVectorSpace,
    kChunkTokens,
    kOverlapTokens,
    kDocs,
    kChunks,
  };
  static constexpr FieldSpec kFields[] = {
      {"type"},         {"version"},          {"store_version"}, {"tokenizer_version"},
      {"embedder"},     {"embedder_version"}, {"dim"},           {"vector_space"},
      {"chunk_tokens"}, {"overlap_tokens"},   {"docs"},          {"chunks"}};
};

// The value of DocLine::kLangBy where the language was given, not detected.
inline constexpr std::string_view kLanguageByUser = "user";

struct DocLine {
  enum : size_t {
    kType,
    kId,
    kPath,
    kMtime,
    kSize,
    kHash,
    kTag,
    kSource,
    kMeta,
    kParser,
    kChunks,
    kEmbedding,
    kRecords,
    kGrammar,
    kLang,
    kLangBy,
    kText,
  };
  static constexpr FieldSpec kFields[] = {
      {"type"},          {"id"},      {"path"},       {"mtime"},   {"size"},   {"hash"},
      {"tag"},           {"source"},  {"meta", true}, {"parser"},  {"chunks"}, {"embedding"},
      {"records", true}, {"grammar"}, {"lang"},       {"lang_by"}, {"text"}};
};

struct ChunkLine {
  enum : size_t {
    kType,
    kId,
    kDocId,
    kOffset,
    kByteInToken,
    kTokens,
    kStartByte,
    kEndByte,
    kStartLine,
    kEndLine,
    kHeading,
    kScale,
    kVector,
    kSymbols,
  };
  static constexpr FieldSpec kFields[] = {
      {"type"},    {"id"},         {"doc_id"},   {"offset"},       {"byte_in_token"},
      {"tokens"},  {"start_byte"}, {"end_byte"}, {"start_line"},   {"end_line"},
      {"heading"}, {"scale"},      {"vector"},   {"symbols", true}};
};

// Identifies the vector space of stored vectors. If two origins are equal, equal texts have vectors
// with the same bytes.
struct VectorOrigin {
  std::string embedder;
  std::string embedder_version;
  std::string space;  // 16 hexadecimal digits: dimension, rotation and quantisation

  bool operator==(const VectorOrigin&) const = default;
};
VectorOrigin OriginOf(const EmbeddingSpace& space);

}  // namespace recall
