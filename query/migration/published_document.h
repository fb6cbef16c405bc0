#pragma once

// Documents of recall 0.1, as its exports and its stores hold them: without their text, which is
// put together from the chunks.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/records/import_source.h"

namespace recall {

struct PublishedChunk {
  int64_t place = 0;  // its line or row
  std::string id;
  uint64_t offset = 0;
  uint32_t byte_in_token = 0;  // never in files of recall 0.1
  std::optional<int64_t> tokens;
  std::string text;       // words joined by single spaces, or text as it was
  std::string embedding;  // float32, little-endian; may be empty
};

struct PublishedDocument {
  int64_t place = 0;
  std::string id;
  std::string path;
  std::string mtime;  // RFC 3339; "" when unknown
  std::string hash;   // of the original text, hexadecimal
  std::optional<std::string> tag;
  std::optional<std::string> source;
  std::optional<std::string> meta;     // JSON text
  std::vector<PublishedChunk> chunks;  // by offset, then byte_in_token

  int64_t bytes() const;
};

// Puts the text of a document together from its chunks, by offset.
//
//   chunk 0, offset 0   a b c d
//   chunk 1, offset 3         d e f        begins with the last word of chunk 0
//   chunk 2, offset 6               g h    begins a line: nothing says what stood between
//
//   text                a b c d e f\ng h
//
// Each span holds exactly its chunk's text.
class TextRebuilder final {
 public:
  // Requires: in the order of (offset, byte_in_token), none twice.
  void Add(const PublishedChunk& chunk, std::string_view where, ImportNotes* notes);

  std::string& text() { return text_; }
  std::vector<ChunkSpan>& spans() { return spans_; }

 private:
  struct Token {
    uint64_t number;
    size_t start;
  };
  std::optional<size_t> FindOverlap(const PublishedChunk& chunk, size_t indentation) const;
  void CountTokensFrom(size_t from);
  void AppendSpan(const PublishedChunk& chunk, size_t start);

  std::string text_;
  std::vector<ChunkSpan> spans_;
  // Of the tokens that the next chunk may repeat: those since the last line was begun.
  std::vector<Token> tokens_;
  uint64_t next_token_ = 0;  // its number, when it is not a repeated one
  bool in_token_ = false;    // the text so far ends in a token, which may go on
  size_t line_at_ = 0;       // lines are counted up to here
  uint32_t line_ = 1;
};

// `place` is the document's. Thread-safe.
// Errors: InvalidArgument for what cannot be a document (a path that is empty).
Result<ImportedDocument> AssembleDocument(const PublishedDocument& published,
                                          const SourcePlace& place);

}  // namespace recall
