#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace recall {

// A sparse matrix of floats in compressed row storage. Entry e of row r, for e in [starts[r],
// starts[r + 1]), is `values[e]` in column `columns[e]`; columns ascend within a row. Immutable
// while it is read: safe to read from several threads.
struct SparseMatrix {
  uint32_t column_count = 0;
  std::vector<uint64_t> starts = {0};  // row_count() + 1
  std::vector<uint32_t> columns;       // each < column_count
  std::vector<float> values;

  uint32_t row_count() const { return static_cast<uint32_t>(starts.size() - 1); }
  size_t entry_count() const { return values.size(); }
};

// The matrix with rows and columns exchanged. Two passes over the entries.
inline SparseMatrix Transpose(const SparseMatrix& matrix) {
  SparseMatrix result;
  result.column_count = matrix.row_count();
  result.starts.assign(size_t{matrix.column_count} + 1, 0);
  for (const uint32_t column : matrix.columns) ++result.starts[column + 1];
  for (size_t c = 0; c < matrix.column_count; ++c) result.starts[c + 1] += result.starts[c];
  std::vector<uint64_t> next(result.starts.begin(), result.starts.end() - 1);
  result.columns.resize(matrix.entry_count());
  result.values.resize(matrix.entry_count());
  for (uint32_t r = 0; r < matrix.row_count(); ++r) {
    for (uint64_t e = matrix.starts[r]; e < matrix.starts[r + 1]; ++e) {
      const uint64_t place = next[matrix.columns[e]]++;
      result.columns[place] = r;
      result.values[place] = matrix.values[e];
    }
  }
  return result;
}

}  // namespace recall
