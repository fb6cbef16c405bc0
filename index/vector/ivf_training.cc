#include "index/vector/ivf_training.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "simd/kernels.h"
#include "storage/base/check.h"
#include "storage/base/fixed_tasks.h"

namespace recall {
namespace {

constexpr size_t kTaskVectors = 256;
constexpr size_t kVectorsPerCell = 4;

class KMeans final {
 public:
  KMeans(std::span<const QuantizedVector> sample, uint32_t dim, const CoarseTraining& training,
         const std::atomic<bool>* cancel)
      : sample_(sample),
        dim_(dim),
        cells_(std::clamp<size_t>(sample.size() / kVectorsPerCell, 1,
                                  std::min(training.cells, CoarseQuantizer::kMostCells))),
        threads_(training.threads),
        cancel_(cancel),
        centres_(cells_ * dim),
        cell_of_(sample.size()) {
    for (size_t cell = 0; cell < cells_; ++cell) {
      Add(sample_[cell * sample_.size() / cells_], Centre(cell));
    }
  }

  // Puts each vector into the cell of the nearest centre.
  Status Assign() {
    const CoarseQuantizer quantizer(dim_, Rounded(), std::vector<uint32_t>(cells_));
    const size_t tasks = (sample_.size() + kTaskVectors - 1) / kTaskVectors;
    const bool done = RunFixedTasks(threads_, tasks, cancel_, [&](size_t task) {
      const size_t end = std::min(sample_.size(), (task + 1) * kTaskVectors);
      for (size_t i = task * kTaskVectors; i < end; ++i) {
        cell_of_[i] = quantizer.CellOf(sample_[i].values);
      }
    });
    return done ? Status::Ok() : Status::Cancelled("interrupted");
  }

  // Makes each centre the mean of its cell. A cell without vectors keeps its centre.
  void Update() {
    std::vector<double> former(centres_.size());
    std::swap(former, centres_);
    for (size_t i = 0; i < sample_.size(); ++i) Add(sample_[i], Centre(cell_of_[i]));
    for (size_t cell = 0; cell < cells_; ++cell) {
      const std::span<double> centre = Centre(cell);
      if (std::ranges::all_of(centre, [](double value) { return value == 0; })) {
        std::copy_n(former.begin() + static_cast<ptrdiff_t>(cell * dim_), dim_, centre.begin());
      }
    }
  }

  // Cells that are like each other come one after the other, as far as a walk to the likest that is
  // left makes them: what a question looks into lies in few stretches of a segment then.
  CoarseQuantizer Finish() const {
    std::vector<uint32_t> counts(cells_);
    for (const uint16_t cell : cell_of_) ++counts[cell];
    const std::vector<int8_t> centres = Rounded();
    std::vector<int8_t> ordered_centres;
    std::vector<uint32_t> ordered_counts;
    for (const size_t cell : Walk(centres)) {
      const auto centre = std::span(centres).subspan(cell * dim_, dim_);
      ordered_centres.insert(ordered_centres.end(), centre.begin(), centre.end());
      ordered_counts.push_back(counts[cell]);
    }
    return CoarseQuantizer(dim_, ordered_centres, ordered_counts);
  }

 private:
  std::span<double> Centre(size_t cell) { return std::span(centres_).subspan(cell * dim_, dim_); }

  void Add(const QuantizedVector& vector, std::span<double> to) const {
    for (size_t i = 0; i < dim_; ++i) {
      to[i] += static_cast<double>(vector.scale) * vector.values[i];
    }
  }

  // All cells, from the first one on, each followed by that of the rest whose centre is likest.
  std::vector<size_t> Walk(const std::vector<int8_t>& centres) const {
    std::vector<size_t> walk;
    std::vector<bool> left(cells_, true);
    std::vector<int32_t> likeness(cells_);
    for (size_t cell = 0; walk.size() < cells_;) {
      walk.push_back(cell);
      left[cell] = false;
      const auto centre = std::span(centres).subspan(cell * dim_, dim_);
      const std::vector<int16_t> query(centre.begin(), centre.end());
      DotI16I8Rows(query.data(), centres.data(), dim_, dim_, cells_, likeness.data());
      int64_t most = std::numeric_limits<int64_t>::min();
      for (size_t other = 0; other < cells_; ++other) {
        if (!left[other] || likeness[other] <= most) continue;
        most = likeness[other];
        cell = other;
      }
    }
    return walk;
  }

  // As unit vectors; the largest component of all becomes +-127.
  std::vector<int8_t> Rounded() const {
    std::vector<double> units(centres_.size());
    double largest = 0;
    for (size_t cell = 0; cell < cells_; ++cell) {
      const auto centre = std::span(centres_).subspan(cell * dim_, dim_);
      double square = 0;
      for (const double value : centre) square += value * value;
      const double factor = square > 0 ? 1 / std::sqrt(square) : 0;
      for (size_t i = 0; i < dim_; ++i) {
        units[cell * dim_ + i] = centre[i] * factor;
        largest = std::max(largest, std::fabs(centre[i] * factor));
      }
    }
    std::vector<int8_t> rounded(units.size());
    const double factor = largest > 0 ? 127 / largest : 0;
    for (size_t i = 0; i < units.size(); ++i) {
      const double scaled = std::clamp(units[i] * factor, -127.0, 127.0);
      rounded[i] = static_cast<int8_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
    }
    return rounded;
  }

  std::span<const QuantizedVector> sample_;
  uint32_t dim_;
  size_t cells_;
  uint32_t threads_;
  const std::atomic<bool>* cancel_;
  std::vector<double> centres_;  // of any length
  std::vector<uint16_t> cell_of_;
};

}  // namespace

Result<CoarseQuantizer> TrainCoarseQuantizer(std::span<const QuantizedVector> sample,
                                             const VectorSpace& space,
                                             const CoarseTraining& training,
                                             const std::atomic<bool>* cancel) {
  RECALL_CHECK(!sample.empty() && space.dim() > 0);
  KMeans means(sample, space.padded_dim(), training, cancel);
  for (uint32_t i = 0; i < training.iterations; ++i) {
    RECALL_TRY(means.Assign());
    means.Update();
  }
  RECALL_TRY(means.Assign());
  return means.Finish();
}

}  // namespace recall
