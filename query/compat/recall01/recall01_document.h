#pragma once

// Documents of recall 0.1, as its exports and stores contain them: without their text, which is
// reconstructed from the chunks.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/add/records/import_source.h"

namespace recall {

struct Recall01Chunk {
  int64_t place = 0;  // its line or row number
  std::string id;
  uint64_t offset = 0;
  uint32_t byte_in_token = 0;  // always 0 in files of recall 0.1
  std::optional<int64_t> tokens;
  std::string text;       // words joined by single spaces, or the original text
  std::string embedding;  // float32, little-endian; may be empty
};

struct Recall01Document {
  int64_t place = 0;
  std::string id;
  std::string path;
  std::string mtime;  // RFC 3339; "" if unknown
  std::string hash;   // of the original text, hexadecimal
  std::optional<std::string> tag;
  std::optional<std::string> source;
  std::optional<std::string> meta;    // JSON text
  std::vector<Recall01Chunk> chunks;  // by offset, then byte_in_token

  int64_t bytes() const;
};

// Reconstructs the text of a document from its chunks, which overlap.
//
//   chunk 0, offset 0   a b c d
//   chunk 1, offset 3         d e f        begins with the last word of chunk 0
//   chunk 2, offset 6               g h    begins a new line: the original separator is unknown
//
//   text                a b c d e f\ng h
//
// Each span contains exactly the text of its chunk.
class TextRebuilder final {
 public:
  // Requires: chunks are added in the order of (offset, byte_in_token), each once.
  void Add(const Recall01Chunk& chunk, std::string_view where, ImportWarnings* notes);

  std::string& text() { return text_; }
  std::vector<ChunkSpan>& spans() { return spans_; }

 private:
  struct Token {
    uint64_t number;
    size_t start;
  };
  std::optional<size_t> FindOverlap(const Recall01Chunk& chunk, size_t indentation) const;
  void CountTokensFrom(size_t from);
  void AppendSpan(const Recall01Chunk& chunk, size_t start);

  std::string text_;
  std::vector<ChunkSpan> spans_;
  // The tokens that the next chunk may repeat: those since the last inserted newline.
  std::vector<Token> tokens_;
  uint64_t next_token_ = 0;  // the number of the next token that is not a repetition
  bool in_token_ = false;    // the text so far ends in a token, which may continue
  size_t line_at_ = 0;       // lines are counted up to this offset
  uint32_t line_ = 1;
};

// Converts a document of recall 0.1, whose position is `place`. Thread-safe. Errors:
// InvalidArgument for an invalid document, such as one with an empty path.
Result<ImportedDocument> AssembleDocument(const Recall01Document& published,
                                          const SourcePlace& place);

}  // namespace recall
