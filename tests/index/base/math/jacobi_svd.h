#pragma once

// The oracle for the truncated SVD: a dense singular value decomposition in double precision, by
// one-sided Jacobi rotations (Hestenes, 1958).

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "index/base/math/sparse_matrix.h"

namespace recall {

struct DenseMatrix {
  size_t rows = 0;
  size_t columns = 0;
  std::vector<double> values;  // row by row

  double& at(size_t r, size_t c) { return values[r * columns + c]; }
  double at(size_t r, size_t c) const { return values[r * columns + c]; }
};

inline DenseMatrix ToDense(const SparseMatrix& matrix) {
  DenseMatrix dense{matrix.row_count(), matrix.column_count, {}};
  dense.values.resize(dense.rows * dense.columns);
  for (size_t r = 0; r < dense.rows; ++r) {
    for (uint64_t e = matrix.starts[r]; e < matrix.starts[r + 1]; ++e) {
      dense.at(r, matrix.columns[e]) = double{matrix.values[e]};
    }
  }
  return dense;
}

struct JacobiSvd {
  std::vector<double> values;  // descending
  DenseMatrix right;           // columns x columns; column j belongs to values[j]
};

inline JacobiSvd ComputeJacobiSvd(DenseMatrix a) {
  DenseMatrix v{a.columns, a.columns, std::vector<double>(a.columns * a.columns)};
  for (size_t i = 0; i < a.columns; ++i) v.at(i, i) = 1;
  const auto rotate = [](DenseMatrix* m, size_t p, size_t q, double c, double s) {
    for (size_t r = 0; r < m->rows; ++r) {
      const double x = m->at(r, p);
      const double y = m->at(r, q);
      m->at(r, p) = c * x - s * y;
      m->at(r, q) = s * x + c * y;
    }
  };
  // Columns whose dot product is below this are orthogonal up to rounding errors.
  double small = 0;
  for (const double x : a.values) small += 1e-15 * x * x;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t p = 0; p < a.columns; ++p) {
      for (size_t q = p + 1; q < a.columns; ++q) {
        double pp = 0, qq = 0, pq = 0;
        for (size_t r = 0; r < a.rows; ++r) {
          pp += a.at(r, p) * a.at(r, p);
          qq += a.at(r, q) * a.at(r, q);
          pq += a.at(r, p) * a.at(r, q);
        }
        if (std::fabs(pq) <= small) continue;
        changed = true;
        const double zeta = (qq - pp) / (2 * pq);
        const double t = (zeta < 0 ? -1 : 1) / (std::fabs(zeta) + std::sqrt(1 + zeta * zeta));
        const double c = 1 / std::sqrt(1 + t * t);
        rotate(&a, p, q, c, c * t);
        rotate(&v, p, q, c, c * t);
      }
    }
  }
  std::vector<double> lengths(a.columns);
  for (size_t j = 0; j < a.columns; ++j) {
    for (size_t r = 0; r < a.rows; ++r) lengths[j] += a.at(r, j) * a.at(r, j);
    lengths[j] = std::sqrt(lengths[j]);
  }
  std::vector<size_t> order(a.columns);
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t x, size_t y) { return lengths[x] > lengths[y]; });
  JacobiSvd svd{{}, {a.columns, a.columns, std::vector<double>(a.columns * a.columns)}};
  for (size_t j = 0; j < a.columns; ++j) {
    svd.values.push_back(lengths[order[j]]);
    for (size_t i = 0; i < a.columns; ++i) svd.right.at(i, j) = v.at(i, order[j]);
  }
  return svd;
}

}  // namespace recall
