#pragma once

// Documents, chunks and snippets, as the rows of answers have them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/search/filter/fields.h"
#include "query/types/source_check.h"

namespace recall {

// The value of a computed field (docs/rql.md, "Computed fields").
struct ComputedValue {
  FieldRef field;
  std::string json;  // a number, a text, an array of paths or null
};

struct DocView {
  std::string id;  // 64 hexadecimal digits
  std::string path;
  std::string mtime;  // RFC 3339; "" if unknown
  std::string hash;   // SHA-256 of the text
  std::optional<std::string> tag;
  std::optional<std::string> source;
  std::optional<std::string> meta_json;
  std::string parser;
  int64_t size = 0;
  int64_t tokens = 0;
  int64_t chunks = 0;
  std::string origin;                                // "file", "line", "member" or "import"
  std::optional<std::string> lang = {};              // ISO 639-1
  std::vector<ComputedValue> computed = {};          // those that were asked for
  SourceState source_state = SourceState::kCurrent;  // if the request asks for the check
  std::string note_state =
      {};  // of hits: "obsolete" or "expired" of a note that is no longer valid
};

// Where in its original file a text is from (docs/formats.md).
struct LocatorView {
  std::string kind;  // "page", "sheet", ...
  std::string from;  // as in `get path@FROM`: "p12", "Costs!B4:F9"
  std::string to;
  std::string text;  // for people: "pp. 12-13"
};

struct ChunkView {
  std::string id;
  std::string doc_id;
  uint64_t offset = 0;  // index of its first white-space token in the document
  uint64_t tokens = 0;
  uint64_t start_byte = 0;
  uint64_t end_byte = 0;
  uint32_t start_line = 0;
  uint32_t end_line = 0;
  std::string heading;
  std::string text;  // the bytes start_byte..end_byte of the document
  // SHA-256 of the whole lines start_line..end_line, without the newline that ends them, as exact
  // citations have it; "" unless citations were requested.
  std::string lines_hash = {};
  std::optional<LocatorView> locator = {};  // of a text that was extracted from another format
  // Values of fields that may be several (docs/rql.md, "Definitions and places"): those that were
  // asked for.
  std::vector<ComputedValue> parts = {};
};

// The bytes start .. end-1.
struct ByteRange {
  uint64_t start = 0;
  uint64_t end = 0;

  bool operator==(const ByteRange&) const = default;
};

// The part of a chunk that best shows why the chunk matches.
struct Snippet {
  std::string text;  // the bytes start_byte..end_byte of the document; whole characters
  uint64_t start_byte = 0;
  uint64_t end_byte = 0;
  uint32_t start_line = 0;
  uint32_t end_line = 0;
  std::vector<ByteRange> highlights;  // matches of the query in `text`: ascending, disjoint
};

// The beginning of the turn of a session in which the assistant answers a question.
struct TurnReply {
  uint32_t turn = 0;  // its number in the session
  std::string text;   // bytes of the document from start_line on; whole characters
  uint32_t start_line = 0;
  uint32_t end_line = 0;
};

}  // namespace recall
