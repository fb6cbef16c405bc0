#include "storage/base/hosted.h"

#include <pthread.h>

#include <atomic>

namespace recall {
namespace {

std::atomic<bool> hosted = false;

}  // namespace

void BecomeHosted() { hosted.store(true, std::memory_order_relaxed); }

bool IsHosted() { return hosted.load(std::memory_order_relaxed); }

PlainLocale::PlainLocale() {
  if (!IsHosted()) return;
  static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", locale_t{});
  if (plain != locale_t{}) before_ = ::uselocale(plain);
}

PlainLocale::~PlainLocale() {
  if (before_ != locale_t{}) ::uselocale(before_);
}

QuietStart::QuietStart() {
  if (!IsHosted()) return;
  sigset_t all;
  sigfillset(&all);
  blocked_ = ::pthread_sigmask(SIG_SETMASK, &all, &before_) == 0;
}

QuietStart::~QuietStart() {
  if (blocked_) ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace recall
