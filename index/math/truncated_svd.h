#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "index/math/sparse_matrix.h"
#include "storage/base/result.h"

namespace recall {

struct SvdOptions {
  uint32_t rank = 256;         // wanted; never more than rows or columns
  uint32_t oversampling = 20;  // extra directions that make the wanted ones better
  uint32_t iterations = 4;     // of the power method
  uint64_t seed = 1;
  uint32_t threads = 1;  // the result has the same bits with any number
  const std::atomic<bool>* cancel = nullptr;
};

// The largest singular values of a matrix and their right singular vectors.
struct TruncatedSvd {
  uint32_t rank = 0;           // min(wanted, rows, columns)
  std::vector<double> values;  // `rank` of them, descending, >= 0
  std::vector<float> vectors;  // column_count() x rank by rows: column j belongs to values[j]
};

// Randomised subspace iteration (Halko, Martinsson and Tropp, "Finding structure with randomness",
// SIAM Review 53, 2011, algorithms 4.4 and 5.1) on the shorter side, then the eigenvectors of the
// small matrix that is left. Only + - * / sqrt in an order fixed by the shape: the same bits on
// every CPU. Vectors are orthonormal; the component of largest magnitude (the first of equals) is
// positive. Values below a thousandth of the largest, and what lies beyond the rank of the matrix,
// are rounding errors: these values and vectors are zero.
// A matrix whose shorter side is at most rank + oversampling is decomposed without sampling.
// Memory: about (rows + columns) * (rank + oversampling) * 4 bytes, and the matrix twice.
// Errors: Cancelled. Requires: finite values.
Result<TruncatedSvd> ComputeTruncatedSvd(const SparseMatrix& matrix, const SvdOptions& options);

}  // namespace recall
