#pragma once

// The chunks, ids and vectors that recall 0.1 made of a text (docs/format/export.md, "The published
// layout").

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "index/embed/hash/hash_embedder.h"
#include "storage/base/base64.h"
#include "storage/base/bytes.h"
#include "storage/base/ids.h"
#include "tests/query/exchange/transfer_fixture.h"

namespace recall {

struct OldChunk {
  std::string id;
  std::string doc_id;
  int64_t offset = 0;
  int64_t tokens = 0;
  std::string text;
  std::string embedding;  // float32, little-endian
};

struct OldDocument {
  std::string id;
  std::string path;
  std::string mtime;
  std::string hash;
  int64_t size = 0;
  std::optional<std::string> tag;
  std::optional<std::string> source;
  std::optional<std::string> meta;
  std::vector<OldChunk> chunks;
};

inline std::string OldEmbedding(const std::string& text, uint32_t dim = 256) {
  HashEmbedder embedder(dim);
  std::vector<float> vector(dim);
  const std::string_view view = text;
  EXPECT_OK(embedder.Embed({&view, 1}, vector));
  return {reinterpret_cast<const char*>(vector.data()), vector.size() * sizeof(float)};
}

// Makes chunks like the code parser of recall 0.1: blocks are separated by blank lines; windows of
// `size` words overlap by `overlap` and do not cross the end of a block.
inline OldDocument MakeOldDocument(const std::string& path, const std::string& text, size_t size,
                                   size_t overlap, uint32_t dim = 256) {
  OldDocument doc;
  doc.path = path;
  doc.hash = ToHex(Sha256(text));
  doc.id = ToHex(MakeDocId(path, Sha256(text)));
  doc.mtime = "2026-02-03T04:05:06.7Z";
  doc.size = static_cast<int64_t>(text.size());
  size_t words_before = 0;
  std::istringstream lines(text);
  std::vector<std::string> block;
  const auto end_block = [&] {
    for (size_t start = 0; start < block.size(); start += size - overlap) {
      const size_t end = std::min(start + size, block.size());
      OldChunk chunk;
      for (size_t i = start; i < end; ++i) chunk.text += (i > start ? " " : "") + block[i];
      chunk.doc_id = doc.id;
      chunk.offset = static_cast<int64_t>(words_before + start);
      chunk.tokens = static_cast<int64_t>(end - start);
      chunk.id = ToHex(Sha256(doc.id + ":" + std::to_string(chunk.offset)));
      chunk.embedding = OldEmbedding(chunk.text, dim);
      doc.chunks.push_back(std::move(chunk));
      if (end == block.size()) break;
    }
    words_before += block.size();
    block.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    bool blank = true;
    for (std::string word; words >> word; blank = false) block.push_back(word);
    if (blank) end_block();
  }
  end_block();
  return doc;
}

template <typename T>
nlohmann::ordered_json OrNull(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

inline std::string OldDocLine(const OldDocument& doc) {
  return nlohmann::ordered_json({{"type", "doc"},
                                 {"id", doc.id},
                                 {"path", doc.path},
                                 {"mtime", doc.mtime},
                                 {"size", doc.size},
                                 {"hash", doc.hash},
                                 {"tag", OrNull(doc.tag)},
                                 {"source", OrNull(doc.source)},
                                 {"meta", OrNull(doc.meta)}})
             .dump() +
         "\n";
}

inline std::string OldChunkLine(const OldChunk& chunk) {
  std::string embedding;
  AppendBase64(AsBytes(chunk.embedding), &embedding);
  return nlohmann::ordered_json({{"type", "chunk"},
                                 {"id", chunk.id},
                                 {"doc_id", chunk.doc_id},
                                 {"offset", chunk.offset},
                                 {"tokens", chunk.tokens},
                                 {"text", chunk.text},
                                 {"embedding", embedding}})
             .dump() +
         "\n";
}

// An export: all documents, then all chunks.
inline std::string OldExport(const std::vector<OldDocument>& docs) {
  std::string text;
  for (const OldDocument& doc : docs) text += OldDocLine(doc);
  for (const OldDocument& doc : docs) {
    for (const OldChunk& chunk : doc.chunks) text += OldChunkLine(chunk);
  }
  return text;
}

// Checks that the store has these documents with the chunks, ids and vectors of recall 0.1.
inline void ExpectHolds(Database& database, const std::vector<OldDocument>& docs) {
  for (const OldDocument& doc : docs) {
    SCOPED_TRACE(doc.path);
    auto whole = database.Get({doc.id, false});
    ASSERT_TRUE(whole.has_value()) << whole.error().ToString();
    EXPECT_EQ(whole->doc.id, doc.id);
    EXPECT_EQ(whole->doc.path, doc.path);
    EXPECT_EQ(whole->doc.hash, doc.hash);
    EXPECT_EQ(whole->doc.mtime, doc.mtime);
    EXPECT_EQ(whole->doc.tag, doc.tag);
    EXPECT_EQ(whole->doc.source, doc.source);
    EXPECT_EQ(whole->doc.meta_json, doc.meta);
    // One without text has a chunk for its name.
    EXPECT_EQ(whole->doc.chunks, std::max<int64_t>(static_cast<int64_t>(doc.chunks.size()), 1));
    for (const OldChunk& chunk : doc.chunks) {
      auto found = database.Get({chunk.id, false});
      ASSERT_TRUE(found.has_value()) << found.error().ToString();
      EXPECT_EQ(found->chunk.id, chunk.id);
      EXPECT_EQ(found->chunk.text, chunk.text);
      EXPECT_EQ(found->chunk.offset, static_cast<uint64_t>(chunk.offset));
      EXPECT_EQ(found->chunk.tokens, static_cast<uint64_t>(chunk.tokens));
    }
  }
}

}  // namespace recall
