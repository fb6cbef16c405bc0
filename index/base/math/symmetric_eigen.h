#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace recall {

// All eigenvalues and eigenvectors of a small symmetric matrix.
struct SymmetricEigen {
  std::vector<double> values;   // descending
  std::vector<double> vectors;  // n x n by rows; row j is the unit vector of values[j]
};

// Householder's reduction to a tridiagonal matrix and the QL algorithm with implicit shifts
// (Bowdler, Martin, Reinsch, Wilkinson: "The QR and QL algorithms for symmetric matrices", 1968).
// The error is about n * 2^-53 of the largest eigenvalue. Uses only + - * / sqrt in a fixed order,
// so the bits are the same everywhere. About 5 n^3 operations: intended for n up to some hundreds.
// `matrix`: n x n, symmetric; only the lower triangle is read. Requires: finite.
SymmetricEigen ComputeSymmetricEigen(std::span<const double> matrix, size_t n);

}  // namespace recall
