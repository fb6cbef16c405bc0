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

// Pages that other replicas of the store on this machine have.
//
// The problem: a machine has several replicas of a store, so that its readers and writers do not
// wait for each other. Each would fetch the same pages.
//
// The idea: a page of a replica at an older epoch is also that of ours, unless an epoch in between
// wrote it. The server says which pages these are.
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
  // The pages that the epochs after `from` until `until` wrote. An error if the server does not
  // have the epoch `from`.
  using ChangesFn =
      std::function<Result<std::vector<uint32_t>>(const PageEpoch& from, int64_t until)>;

  // `others` must outlive this.
  explicit LocalCopies(std::span<const std::unique_ptr<ReplicaFiles>> others)
      : others_(others), known_(others.size()) {}

  // Copies pages to `replica`, whose epoch does not change meanwhile. Returns those that are left.
  std::vector<uint32_t> Copy(std::vector<uint32_t> numbers, ReplicaFiles& replica,
                             const ChangesFn& changes);

 private:
  using Pages = std::unordered_set<uint32_t>;
  // What was written between the epochs of the other replica and ours; null if that is unknown.
  struct Known {
    PageEpoch theirs;
    PageEpoch ours;
    std::shared_ptr<const Pages> changed;
  };
  std::shared_ptr<const Pages> ChangedBetween(size_t other, const PageEpoch& theirs,
                                              const PageEpoch& ours, const ChangesFn& changes);

  const std::span<const std::unique_ptr<ReplicaFiles>> others_;
  std::mutex mutex_;  // of the following
  std::vector<Known> known_;
};

}  // namespace recall
