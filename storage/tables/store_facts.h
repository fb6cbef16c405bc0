#pragma once

// The settings that a store is made with, its counters, and how large it is: rows of the table
// `meta`.

#include <cstdint>
#include <optional>
#include <string>

namespace recall {

// Settings recorded when the store is made. They take precedence over all configuration.
struct StoreSettings {
  std::string embedder = "hash";
  uint32_t dim = 256;
  uint32_t chunk_tokens = 256;
  uint32_t overlap_tokens = 32;
  uint32_t tokenizer_version = 1;
  uint32_t signature_bits = 256;  // `ann_bits`
  uint64_t signature_seed = 42;   // `ann_seed`
  // The setting `notes_dir` where no configuration has one: "" or a directory below that of the
  // store.
  std::string notes_dir = {};
};

// Running totals over live (not removed) documents, maintained by the writer.
struct StoreCounts {
  int64_t commit_sequence = 0;
  // Of a store on a server: tells the commit from others of its number (snapshot_token.h).
  std::optional<uint16_t> commit_mark = {};
  int64_t docs = 0;
  int64_t chunks = 0;
  int64_t tokens = 0;          // whitespace tokens
  int64_t lexical_tokens = 0;  // tokens in the lexical index, for the average length
  int64_t text_bytes = 0;
};

// The bytes that the contents of the parts of a store take in its file, without the structure
// around them.
struct StoreSizes {
  int64_t text = 0;     // compressed
  int64_t lexical = 0;  // the full-text index, posting lists and the words of chunks
  int64_t vectors = 0;  // vectors of all spaces and the models that compute them

  bool operator==(const StoreSizes&) const = default;
};

}  // namespace recall
