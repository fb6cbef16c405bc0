#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// A tall dense matrix, stored by rows.
struct TallMatrix {
  size_t rows = 0;
  size_t columns = 0;         // a multiple of 16, so that kernels have no remainders
  std::vector<float> values;  // rows x columns

  float* row(size_t r) { return values.data() + r * columns; }
  const float* row(size_t r) const { return values.data() + r * columns; }
};

struct DenseWork {
  uint32_t threads = 1;
  const std::atomic<bool>* cancel = nullptr;
};

// The Gram matrix X'X, columns x columns, symmetric. Sums are floats within 128 rows and doubles
// beyond, in an order that depends only on the shape. Errors: Cancelled.
Result<std::vector<double>> ComputeGram(const TallMatrix& x, const DenseWork& work);

// x <- x * factor (columns x columns by rows), in place. Errors: Cancelled.
Status MultiplyFromRight(const std::vector<float>& factor, const DenseWork& work, TallMatrix* x);

// The required orthonormality of the columns.
enum class Orthonormality : uint8_t {
  kStable,  // columns far from dependent: enough between two steps of a power iteration
  kExact,   // X'X is the identity up to the precision of float
};

// Replaces the columns by an orthonormal basis of the space they span. If they are linearly
// dependent (numerically: a direction below 2^-9 of the largest), random directions replace the
// missing ones, so the result always has full rank. Requires: rows >= columns. Uses the Cholesky
// factor of X'X, once or twice (Yamamoto et al., "Roundoff error analysis of the CholeskyQR2
// algorithm", 2015), or the eigenvectors of X'X if the factor does not exist (Stathopoulos and Wu,
// "A block orthogonalization procedure with constant synchronization requirements", 2002). Returns:
// whether the columns were independent. Errors: Cancelled.
Result<bool> Orthonormalise(Orthonormality quality, uint64_t seed, const DenseWork& work,
                            TallMatrix* x);

// Sets every element from column `first_column` on to +1 or -1, depending only on `seed` and its
// position.
void FillWithSigns(uint64_t seed, size_t first_column, TallMatrix* x);

// The status of a cancelled training.
Status LsaCancelled();

}  // namespace recall
