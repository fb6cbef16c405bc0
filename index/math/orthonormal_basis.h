#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// A tall dense matrix by rows, and how many threads may work on it.
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

// X'X, columns x columns, symmetric: floats within 128 rows, doubles beyond, in an order that
// depends on the shape alone. Errors: Cancelled.
Result<std::vector<double>> ComputeNgram(const TallMatrix& x, const DenseWork& work);

// x <- x * factor (columns x columns by rows), in place. Errors: Cancelled.
Status MultiplyFromRight(const std::vector<float>& factor, const DenseWork& work, TallMatrix* x);

// How close to orthonormal the columns must come.
enum class Orthonormality : uint8_t {
  kStable,  // columns far from dependent: enough between two steps of a power iteration
  kExact,   // X'X is the identity up to the precision of float
};

// Replaces the columns by an orthonormal basis of the space they span; where they depend on each
// other (numerically: a direction below 2^-9 of the largest) random directions take the place of
// what is missing, so that the result always has full rank. Requires: rows >= columns.
// By Cholesky's factor of X'X, once or twice (Yamamoto et al., "Roundoff error analysis of the
// CholeskyQR2 algorithm", 2015); by eigenvectors of X'X when that has none (Stathopoulos and Wu,
// "A block orthogonalization procedure with constant synchronization requirements", 2002).
// Returns: whether the columns were independent. Errors: Cancelled.
Result<bool> Orthonormalise(Orthonormality quality, uint64_t seed, const DenseWork& work,
                            TallMatrix* x);

// +1 or -1 in every place, from `seed` and the place alone.
void FillWithSigns(uint64_t seed, size_t first_column, TallMatrix* x);

// What a cancelled training returns.
Status LsaCancelled();

}  // namespace recall
