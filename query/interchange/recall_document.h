#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/vector_space/vector_space.h"
#include "query/records/import_source.h"

namespace recall {

// The lines of one document in our own layout, as they were read.
struct RawDocument {
  std::string file;
  int64_t doc_line_number = 0;
  std::string doc_line;
  std::string chunk_lines;  // without newlines
  struct End {
    size_t byte;  // in chunk_lines
    int64_t line_number;
  };
  std::vector<End> ends;  // one for each chunk line

  int64_t bytes() const {
    return static_cast<int64_t>(doc_line.size() + chunk_lines.size() + ends.size() * sizeof(End));
  }
};

// Reads and checks them: ids and hash are computed and compared, chunks held to the text, vectors
// to `space`. With `take_vectors` these are kept. Thread-safe.
// Errors: InvalidArgument that names the line.
Result<ImportedDocument> ParseRecallDocument(const RawDocument& raw, const VectorSpace& space,
                                             bool take_vectors);

}  // namespace recall
