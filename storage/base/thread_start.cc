#include "storage/base/thread_start.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#include "storage/base/hosted.h"
#include "storage/base/processor.h"

namespace recall {
namespace {

constexpr int64_t kNoShortage = std::numeric_limits<int64_t>::max();

// The number of threads that may still be started.
std::atomic<int64_t> threads_left{kNoShortage};

bool TakeOne() {
  if (threads_left.load(std::memory_order_relaxed) == kNoShortage) return true;
  return threads_left.fetch_sub(1) > 0;
}

}  // namespace

std::optional<std::thread> StartThread(std::function<void()> work) {
  if (!TakeOne()) return std::nullopt;
  const QuietStart quiet;
  try {
    if (!IsHosted()) return std::thread(std::move(work));
    return std::thread([work = std::move(work)] {
      const PlainLocale plain;
      work();
    });
  } catch (const std::system_error&) {
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

uint32_t UsableCpus() { return std::max(UsableProcessors(), 1u); }

ThreadShortage::ThreadShortage(int64_t threads) { threads_left = threads; }

ThreadShortage::~ThreadShortage() { threads_left = kNoShortage; }

}  // namespace recall
