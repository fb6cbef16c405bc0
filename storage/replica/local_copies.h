#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "storage/base/result.h"
#include "storage/replica/replica_files.h"

namespace recall {

// Copies pages from other replicas of the same store on this machine.
//
// The problem: a machine has several replicas of a store, so that its readers and writers do not
// wait for each other. Each would fetch the same pages.
//
// The idea: a page of another replica, at an older epoch, is also the page of this replica unless
// an epoch in between wrote it. The server knows which pages were written in between.
//
// Invariant: a page is copied only if it was present, at the epoch that was compared, before and
// after it was read (ReplicaFiles::ReadPageOf). If the server does not have the other replica's
// epoch, nothing is copied from it.
//
// The cost: a request for each pair of epochs, unless they are equal; for each page, 64 KiB read
// and written.
//
// Thread-safe.
class LocalCopies final {
 public:
  // Returns the pages that epochs from.number + 1 .. until wrote. Errors: any, if the server does
  // not have the epoch `from`.
  using ChangesFn =
      std::function<Result<std::vector<uint32_t>>(const PageEpoch& from, int64_t until)>;

  // `others` must outlive this.
  explicit LocalCopies(std::span<const std::unique_ptr<ReplicaFiles>> others)
      : others_(others), known_(others.size()) {}

  // Copies pages to `replica`, whose epoch must not change meanwhile. Returns the numbers of the
  // pages that could not be copied.
  std::vector<uint32_t> Copy(std::vector<uint32_t> numbers, ReplicaFiles& replica,
                             const ChangesFn& changes);

 private:
  using Pages = std::unordered_set<uint32_t>;
  // The pages that were written between the epochs of the other replica and of this one. `changed`
  // is null if the server could not tell.
  struct Known {
    PageEpoch theirs;
    PageEpoch ours;
    std::shared_ptr<const Pages> changed;
  };
  std::shared_ptr<const Pages> ChangedBetween(size_t other, const PageEpoch& theirs,
                                              const PageEpoch& ours, const ChangesFn& changes);

  const std::span<const std::unique_ptr<ReplicaFiles>> others_;
  std::mutex mutex_;  // guards known_
  std::vector<Known> known_;
};

}  // namespace recall
