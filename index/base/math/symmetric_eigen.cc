#include "index/base/math/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "storage/base/check.h"

namespace recall {
namespace {

// All eigenvalues and eigenvectors of a small dense symmetric matrix A.
//
//   Reduce       A = Q T Q'     n - 1 Householder reflections, T tridiagonal
//   Diagonalise  T = P D P'     QL steps with Wilkinson's shift, rotations applied to the basis
//   sort         by descending eigenvalue, stable
//
// Reduce: reflection k makes column k zero below its first subdiagonal element. A <- H A H is a
// symmetric rank-2 update, so only the lower triangle is kept. Q is built backwards, from the last
// reflection, which then touches only rows and columns after k.
//
// Diagonalise: a QL step is a chain of plane rotations from the bottom to row l. Wilkinson's shift
// (the eigenvalue of the leading 2 x 2 block next to its corner) gives cubic convergence of below[l
// + 1]; when it is negligible, diagonal[l] is an eigenvalue. A negligible element in between
// divides the matrix, and the step works on the upper part only.
//
// Invariants: every transformation is orthogonal, so errors do not grow and the vectors remain
// orthonormal. Only + - * / sqrt in a fixed order: the same bits on every CPU. A limit of steps
// rules out a hang.
//
// Cost: about 5 n^3 operations; memory of three n x n matrices. Source: Bowdler, Martin, Reinsch
// and Wilkinson, 1968 (tred2 and tql2 of EISPACK).

// A = Q T Q', T tridiagonal.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> below;  // below[i] couples i - 1 and i; below[0] is 0
  std::vector<double> basis;  // row i: the i-th vector of Q
};

// Makes the reflection I - 2 v v' / v'v that maps column k, below its diagonal, to a multiple of
// the first unit vector. Only the lower triangle of `a` is kept up to date. Stores v, scaled to
// unit length, in `v`. Returns: the remaining element; `v` is zero if there is nothing to reflect.
double MakeReflection(const std::vector<double>& a, size_t n, size_t k, std::vector<double>* v) {
  std::fill(v->begin(), v->end(), 0.0);
  double scale = 0;
  for (size_t i = k + 1; i < n; ++i) scale = std::max(scale, std::fabs(a[i * n + k]));
  if (scale == 0) return 0;
  double square = 0;
  for (size_t i = k + 1; i < n; ++i) {
    (*v)[i] = a[i * n + k] / scale;
    square += (*v)[i] * (*v)[i];
  }
  const double head = (*v)[k + 1];
  const double length = std::sqrt(square);
  const double left = head > 0 ? -length : length;
  (*v)[k + 1] = head - left;
  const double norm = std::sqrt(square - head * head + (*v)[k + 1] * (*v)[k + 1]);
  for (size_t i = k + 1; i < n; ++i) (*v)[i] /= norm;
  return left * scale;
}

// a <- H a H for H = I - 2 v v', rows and columns after k: a - v w' - w v', w = 2 (p - (v'p) v).
void ApplyFromBothSides(const std::vector<double>& v, size_t n, size_t k, std::vector<double>* a,
                        std::vector<double>* w) {
  std::fill(w->begin(), w->end(), 0.0);
  for (size_t i = k + 1; i < n; ++i) {
    const double* row = a->data() + i * n;
    const double vi = v[i];
    double sum = row[i] * vi;
    for (size_t j = k + 1; j < i; ++j) {
      sum += row[j] * v[j];
      (*w)[j] += row[j] * vi;
    }
    (*w)[i] += sum;
  }
  double along = 0;
  for (size_t i = k + 1; i < n; ++i) along += v[i] * (*w)[i];
  for (size_t i = k + 1; i < n; ++i) (*w)[i] = 2 * ((*w)[i] - along * v[i]);
  for (size_t i = k + 1; i < n; ++i) {
    double* row = a->data() + i * n;
    for (size_t j = k + 1; j <= i; ++j) row[j] -= v[i] * (*w)[j] + (*w)[i] * v[j];
  }
}

Tridiagonal Reduce(std::span<const double> matrix, size_t n) {
  std::vector<double> a(matrix.begin(), matrix.end());
  Tridiagonal result{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n * n)};
  std::vector<std::vector<double>> reflections;
  std::vector<double> v(n);
  std::vector<double> w(n);
  for (size_t k = 0; k + 1 < n; ++k) {
    result.below[k + 1] = MakeReflection(a, n, k, &v);
    ApplyFromBothSides(v, n, k, &a, &w);
    reflections.push_back(v);
  }
  for (size_t i = 0; i < n; ++i) {
    result.diagonal[i] = a[i * n + i];
    result.basis[i * n + i] = 1;
  }
  // Q = H0 H1 ...; its transpose is built from the last reflection on, so that reflection k affects
  // only rows and columns after k.
  for (size_t k = reflections.size(); k-- > 0;) {
    const std::vector<double>& h = reflections[k];
    for (size_t i = k + 1; i < n; ++i) {
      double* row = result.basis.data() + i * n;
      double along = 0;
      for (size_t j = k + 1; j < n; ++j) along += row[j] * h[j];
      for (size_t j = k + 1; j < n; ++j) row[j] -= 2 * along * h[j];
    }
  }
  return result;
}

// Rotates rows i and i + 1 of the basis by the angle with this sine and cosine.
void Rotate(double sine, double cosine, size_t n, size_t i, std::vector<double>* basis) {
  double* low = basis->data() + i * n;
  double* high = low + n;
  for (size_t k = 0; k < n; ++k) {
    const double x = low[k];
    const double y = high[k];
    high[k] = sine * x + cosine * y;
    low[k] = cosine * x - sine * y;
  }
}

// One QL step with Wilkinson's shift on rows l..m. Requires: no off-diagonal element between them
// is zero.
void QlStep(size_t l, size_t m, size_t n, Tridiagonal* t) {
  std::vector<double>& d = t->diagonal;
  std::vector<double>& e = t->below;
  const double half = (d[l + 1] - d[l]) / (2 * e[l + 1]);
  const double root = std::sqrt(half * half + 1);
  double g = d[m] - d[l] + e[l + 1] / (half + (half < 0 ? -root : root));
  double sine = 1;
  double cosine = 1;
  double shift = 0;
  for (size_t i = m; i-- > l;) {
    const double f = sine * e[i + 1];
    const double b = cosine * e[i + 1];
    const double radius = std::sqrt(f * f + g * g);
    if (i + 1 < m) e[i + 2] = radius;
    if (radius == 0) {
      d[i + 1] -= shift;
      return;
    }
    sine = f / radius;
    cosine = g / radius;
    g = d[i + 1] - shift;
    const double r = (d[i] - g) * sine + 2 * cosine * b;
    shift = sine * r;
    d[i + 1] = g + shift;
    g = cosine * r - b;
    Rotate(sine, cosine, n, i, &t->basis);
  }
  d[l] -= shift;
  e[l + 1] = g;
}

// Reduces the off-diagonal to zero. Usually takes three steps for each eigenvalue.
void Diagonalise(size_t n, Tridiagonal* t) {
  constexpr int kMostSteps = 200;
  for (size_t l = 0; l < n; ++l) {
    for (int step = 0;; ++step) {
      size_t m = l;
      for (; m + 1 < n; ++m) {
        const double near = std::fabs(t->diagonal[m]) + std::fabs(t->diagonal[m + 1]);
        if (std::fabs(t->below[m + 1]) <= std::numeric_limits<double>::epsilon() * near) break;
      }
      // Convergence is proved for exact arithmetic; the bound only rules out a hang.
      if (m == l || step == kMostSteps) break;
      if (m + 1 < n) t->below[m + 1] = 0;
      QlStep(l, m, n, t);
    }
  }
}

}  // namespace

SymmetricEigen ComputeSymmetricEigen(std::span<const double> matrix, size_t n) {
  RECALL_CHECK(matrix.size() == n * n);
  Tridiagonal t = Reduce(matrix, n);
  Diagonalise(n, &t);
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t x, size_t y) { return t.diagonal[x] > t.diagonal[y]; });
  SymmetricEigen result;
  for (const size_t i : order) {
    result.values.push_back(t.diagonal[i]);
    const auto row = t.basis.begin() + static_cast<ptrdiff_t>(i * n);
    result.vectors.insert(result.vectors.end(), row, row + static_cast<ptrdiff_t>(n));
  }
  return result;
}

}  // namespace recall
