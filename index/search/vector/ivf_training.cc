#include "index/search/vector/ivf_training.h"

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

// Spherical k-means for the IVF lists of a vector space.
//
// Problem: a scan of the sign codes of ten million vectors reads hundreds of megabytes. If the
// vectors are partitioned by nearest centroid, a search can omit the partitions far from the query.
//
//   seeds      vectors at equal distances in the sample, one for each list
//   8 times    Assign: each vector to the list of the nearest centroid, by threads
//              Update: each centroid becomes the sum of the vectors of its list
//   at the end Assign, then Finish: count the vectors of each list, estimate their mean cosine
//              with its centroid, and order the lists
//
// Vectors have unit length, so the nearest centroid is the one with the largest cosine, and the
// length of a centroid has no effect: sums replace means, and Rounded() scales them to unit length.
//
// Invariants: Assign uses CoarseQuantizer::ListOf on centroids rounded to int8, exactly as a search
// and an insertion do later, so training optimises the partition that is really used. Sums are made
// by one thread, in the order of the sample, in double. Thus the same sample gives the same bytes
// for every CPU and number of threads. An empty list keeps its former centroid.
//
// Mean cosines: a list has about 20 vectors of the sample, and each of them has moved the centroid
// towards itself, so their cosines with it are greater than those of the other vectors of the
// store. Each vector is therefore compared with the sum of the others of its list. The estimate
// from few vectors is uncertain, so the mean of all lists counts as kPriorVectors more.
//
// Order of the lists: a greedy walk from the first list, each time to the most similar list that is
// left. Segments store sign codes in the order of lists, so the lists near one query are mostly
// stored in few contiguous byte ranges.
//
// Cost: (iterations + 1) x sample x lists x dim products of int8, in simd/kernels.h, of which
// ListOf omits most; the walk takes lists^2 x dim / 2 more. Source: Dhillon and Modha, 2001.

constexpr size_t kAssignTaskVectors = 256;
constexpr size_t kVectorsPerList = 4;
constexpr double kPriorVectors = 2;

class KMeans final {
 public:
  KMeans(std::span<const QuantizedVector> sample, uint32_t dim, const KMeansOptions& options,
         const std::atomic<bool>* cancel)
      : sample_(sample),
        dim_(dim),
        list_count_(std::clamp<size_t>(sample.size() / kVectorsPerList, 1,
                                       std::min(options.lists, CoarseQuantizer::kMostLists))),
        threads_(options.threads),
        cancel_(cancel),
        centroids_(list_count_ * dim),
        list_of_(sample.size()) {
    for (size_t list = 0; list < list_count_; ++list) {
      Add(sample_[list * sample_.size() / list_count_], Centroid(list));
    }
  }

  // Assigns each vector to the list of the nearest centroid.
  Status Assign() {
    const CoarseQuantizer quantizer(dim_, Rounded(), std::vector<uint32_t>(list_count_));
    const size_t tasks = (sample_.size() + kAssignTaskVectors - 1) / kAssignTaskVectors;
    const bool done = RunFixedTasks(threads_, tasks, cancel_, [&](size_t task) {
      const size_t end = std::min(sample_.size(), (task + 1) * kAssignTaskVectors);
      for (size_t i = task * kAssignTaskVectors; i < end; ++i) {
        list_of_[i] = quantizer.ListOf(sample_[i].values);
      }
    });
    return done ? Status::Ok() : Status::Cancelled("interrupted");
  }

  // Makes each centroid the sum of the vectors of its list. A list without vectors keeps its
  // centroid.
  void Update() {
    std::vector<double> former(centroids_.size());
    std::swap(former, centroids_);
    for (size_t i = 0; i < sample_.size(); ++i) Add(sample_[i], Centroid(list_of_[i]));
    for (size_t list = 0; list < list_count_; ++list) {
      const std::span<double> centroid = Centroid(list);
      if (std::ranges::all_of(centroid, [](double value) { return value == 0; })) {
        std::copy_n(former.begin() + static_cast<ptrdiff_t>(list * dim_), dim_, centroid.begin());
      }
    }
  }

  // Orders the lists so that similar lists are mostly neighbours (see Walk). The lists that a query
  // probes are then stored in few contiguous ranges of a segment.
  CoarseQuantizer Finish() const {
    std::vector<uint32_t> counts(list_count_);
    for (const uint16_t list : list_of_) ++counts[list];
    const std::vector<int8_t> centroids = Rounded();
    const std::vector<float> cosines = MeanCosines(counts);
    std::vector<int8_t> ordered_centroids;
    std::vector<uint32_t> ordered_counts;
    std::vector<float> ordered_cosines;
    for (const size_t list : Walk(centroids)) {
      const auto centroid = std::span(centroids).subspan(list * dim_, dim_);
      ordered_centroids.insert(ordered_centroids.end(), centroid.begin(), centroid.end());
      ordered_counts.push_back(counts[list]);
      ordered_cosines.push_back(cosines[list]);
    }
    return CoarseQuantizer(dim_, ordered_centroids, ordered_counts, ordered_cosines);
  }

 private:
  std::span<double> Centroid(size_t list) {
    return std::span(centroids_).subspan(list * dim_, dim_);
  }

  void Add(const QuantizedVector& vector, std::span<double> to) const {
    for (size_t i = 0; i < dim_; ++i) {
      to[i] += static_cast<double>(vector.scale) * vector.values[i];
    }
  }

  // For each list, an estimate of the mean cosine of its vectors with its centroid, 0 .. 1.
  std::vector<float> MeanCosines(const std::vector<uint32_t>& counts) const {
    std::vector<double> sums(centroids_.size());
    for (size_t i = 0; i < sample_.size(); ++i) {
      Add(sample_[i], std::span(sums).subspan(list_of_[i] * dim_, dim_));
    }
    std::vector<double> cosines(list_count_);  // sums over the vectors of each list
    double all = 0;
    double compared = 0;
    for (size_t i = 0; i < sample_.size(); ++i) {
      const size_t list = list_of_[i];
      if (counts[list] < 2) continue;
      double product = 0;
      double square = 0;
      for (size_t d = 0; d < dim_; ++d) {
        const double own = static_cast<double>(sample_[i].scale) * sample_[i].values[d];
        const double rest = sums[list * dim_ + d] - own;
        product += own * rest;
        square += rest * rest;
      }
      const double cosine = square > 0 ? product / std::sqrt(square) : 0;
      cosines[list] += cosine;
      all += cosine;
      ++compared;
    }
    const double prior = compared > 0 ? all / compared : 0;
    std::vector<float> means(list_count_);
    for (size_t list = 0; list < list_count_; ++list) {
      const double vectors = counts[list] < 2 ? 0 : counts[list];
      const double mean = (cosines[list] + kPriorVectors * prior) / (vectors + kPriorVectors);
      means[list] = static_cast<float>(std::clamp(mean, 0.0, 1.0));
    }
    return means;
  }

  // A greedy walk over all lists: it begins at the first list, and each list is followed by the
  // list with the most similar centroid among those left.
  std::vector<size_t> Walk(const std::vector<int8_t>& centroids) const {
    std::vector<size_t> walk;
    std::vector<bool> left(list_count_, true);
    std::vector<int32_t> likeness(list_count_);
    for (size_t list = 0; walk.size() < list_count_;) {
      walk.push_back(list);
      left[list] = false;
      const auto centroid = std::span(centroids).subspan(list * dim_, dim_);
      const std::vector<int16_t> query(centroid.begin(), centroid.end());
      DotI16I8Rows(query.data(), centroids.data(), dim_, dim_, list_count_, likeness.data());
      int64_t most = std::numeric_limits<int64_t>::min();
      for (size_t other = 0; other < list_count_; ++other) {
        if (!left[other] || likeness[other] <= most) continue;
        most = likeness[other];
        list = other;
      }
    }
    return walk;
  }

  // The centroids as unit vectors, quantised by one scale: the largest component of all becomes
  // +-127.
  std::vector<int8_t> Rounded() const {
    std::vector<double> units(centroids_.size());
    double largest = 0;
    for (size_t list = 0; list < list_count_; ++list) {
      const auto centroid = std::span(centroids_).subspan(list * dim_, dim_);
      double square = 0;
      for (const double value : centroid) square += value * value;
      const double factor = square > 0 ? 1 / std::sqrt(square) : 0;
      for (size_t i = 0; i < dim_; ++i) {
        units[list * dim_ + i] = centroid[i] * factor;
        largest = std::max(largest, std::fabs(centroid[i] * factor));
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
  size_t list_count_;
  uint32_t threads_;
  const std::atomic<bool>* cancel_;
  std::vector<double> centroids_;  // not normalised
  std::vector<uint16_t> list_of_;
};

}  // namespace

Result<CoarseQuantizer> TrainCoarseQuantizer(std::span<const QuantizedVector> sample,
                                             const VectorGeometry& space,
                                             const KMeansOptions& options,
                                             const std::atomic<bool>* cancel) {
  RECALL_CHECK(!sample.empty() && space.dim() > 0);
  KMeans means(sample, space.padded_dim(), options, cancel);
  for (uint32_t i = 0; i < options.iterations; ++i) {
    RECALL_TRY(means.Assign());
    means.Update();
  }
  RECALL_TRY(means.Assign());
  return means.Finish();
}

}  // namespace recall
