#pragma once

#include <cstddef>

namespace recall {

// Wakes a thread that waits in poll(2), also from a signal handler: a pipe, both of whose ends
// never wait and are closed on exec.
class WakePipe final {
 public:
  WakePipe();
  ~WakePipe();
  WakePipe(const WakePipe&) = delete;
  WakePipe& operator=(const WakePipe&) = delete;

  // Whether the system gave the two descriptors. Without them, Wake has no effect.
  bool is_open() const { return ends_[0] >= 0; }
  // Readable from a call of Wake on, until Clear.
  int descriptor() const { return ends_[0]; }
  // Anything that is written to it has the effect of Wake.
  int wake_descriptor() const { return ends_[1]; }
  // Thread-safe and async-signal-safe; errno stays.
  void Wake() const;
  // Takes back all calls of Wake. Returns: how many there were; a full pipe takes no more.
  size_t Clear() const;

 private:
  int ends_[2] = {-1, -1};
};

}  // namespace recall
