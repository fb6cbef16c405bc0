#pragma once

#include <re2/re2.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>

namespace recall {

// A regular expression over bytes that is compiled when it is first needed. Thread-safe.
class LazyPattern final {
 public:
  // `text` must outlive it.
  explicit LazyPattern(std::string_view text) : text_(text) {}

  const RE2& get() const {
    if (const RE2* made = made_.load(std::memory_order_acquire)) return *made;
    const std::lock_guard lock(mutex_);
    if (!pattern_) {
      RE2::Options options(RE2::Quiet);
      options.set_encoding(RE2::Options::EncodingLatin1);
      pattern_ = std::make_unique<const RE2>(re2::StringPiece(text_.data(), text_.size()), options);
      made_.store(pattern_.get(), std::memory_order_release);
    }
    return *pattern_;
  }

 private:
  std::string_view text_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const RE2> pattern_;
  mutable std::atomic<const RE2*> made_ = nullptr;
};

}  // namespace recall
