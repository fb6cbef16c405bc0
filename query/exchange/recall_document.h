#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/embed/vector_space/vector_space.h"
#include "query/add/records/import_source.h"

namespace recall {

// The lines of one document in Recall's own export format, not yet parsed.
struct RawDocument {
  std::string file;
  int64_t doc_line_number = 0;
  std::string doc_line;
  std::string chunk_lines;  // the lines joined without newlines
  struct End {
    size_t byte;  // in chunk_lines
    int64_t line_number;
  };
  std::vector<End> ends;  // one for each chunk line

  int64_t bytes() const {
    return static_cast<int64_t>(doc_line.size() + chunk_lines.size() + ends.size() * sizeof(End));
  }
};

// Parses and checks the lines: ids and hash are computed and compared, chunks are compared with the
// text, vectors must fit `space`. Vectors are kept only with `take_vectors`. Thread-safe. Errors:
// InvalidArgument with the line.
Result<ImportedDocument> ParseRecallDocument(const RawDocument& raw, const VectorGeometry& space,
                                             bool take_vectors);

}  // namespace recall
