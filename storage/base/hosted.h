#pragma once

// Whether this code runs within a program of others, as librecall.so (cli/library). The process,
// its signals, its standard streams, its environment and its locale then belong to that program.

#include <signal.h>

#include "storage/base/thread_locale.h"

namespace recall {

// From now on this process is one of others. Cannot be undone. Thread-safe.
void BecomeHosted();
bool IsHosted();

// While it exists, in a process of others, this thread reads and writes numbers and texts as in the
// locale "C", which is that of the program `recall`. Otherwise it does nothing.
class PlainLocale final {
 public:
  PlainLocale();
  ~PlainLocale();
  PlainLocale(const PlainLocale&) = delete;
  PlainLocale& operator=(const PlainLocale&) = delete;

  // The locale of the thread outside, for calls of functions of the host.
  locale_t outside() const { return before_; }

 private:
  locale_t before_ = locale_t{};
};

// While it exists, in a process of others, new threads are started with all signals blocked, so
// that handlers of the host run on its own threads. Otherwise it does nothing.
class QuietStart final {
 public:
  QuietStart();
  ~QuietStart();
  QuietStart(const QuietStart&) = delete;
  QuietStart& operator=(const QuietStart&) = delete;

 private:
  sigset_t before_ = {};
  bool blocked_ = false;
};

}  // namespace recall
