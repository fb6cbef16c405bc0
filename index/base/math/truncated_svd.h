#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "index/base/math/sparse_matrix.h"
#include "storage/base/result.h"

namespace recall {

struct SvdOptions {
  uint32_t rank = 256;         // wanted; never more than rows or columns
  uint32_t oversampling = 20;  // extra directions that improve the wanted ones
  uint32_t iterations = 4;     // iterations of the power method
  uint64_t seed = 1;
  uint32_t threads = 1;  // the result has the same bits for any number
  const std::atomic<bool>* cancel = nullptr;
};

// The largest singular values of a matrix and their right singular vectors.
struct TruncatedSvd {
  uint32_t rank = 0;           // min(wanted, rows, columns)
  std::vector<double> values;  // `rank` values, descending, >= 0
  std::vector<float> vectors;  // column_count() x rank by rows: column j belongs to values[j]
};

// Randomised subspace iteration (Halko, Martinsson and Tropp, "Finding structure with randomness",
// SIAM Review 53, 2011, algorithms 4.4 and 5.1) on the shorter side, then the eigenvectors of the
// remaining small matrix. Uses only + - * / sqrt in an order fixed by the shape: the same bits on
// every CPU. The vectors are orthonormal; their component of largest magnitude (the first of
// equals) is positive. Singular values below a thousandth of the largest, and those beyond the rank
// of the matrix, are rounding errors: these values and their vectors are zero. If the shorter side
// of the matrix is at most rank + oversampling, it is decomposed without sampling. Memory: about
// (rows + columns) * (rank + oversampling) * 4 bytes, and the matrix twice. Errors: Cancelled.
// Requires: finite values.
Result<TruncatedSvd> ComputeTruncatedSvd(const SparseMatrix& matrix, const SvdOptions& options);

// The same of the product `left` * `right`, which is not computed: it would have many more entries.
// Memory: besides, left.column_count * 96 * 4 bytes. Requires: left.column_count
// == right.row_count().
Result<TruncatedSvd> ComputeTruncatedSvd(const SparseMatrix& left, const SparseMatrix& right,
                                         const SvdOptions& options);

}  // namespace recall
