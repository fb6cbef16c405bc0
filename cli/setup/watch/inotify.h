#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace recall {

// The calls of inotify(7). Tests replace it to lose events and to run out of watches.
class Inotify {
 public:
  virtual ~Inotify() = default;

  // Readable when there are events; -1 if the system gave none.
  virtual int descriptor() const = 0;
  // Watches a directory. Returns: its watch descriptor; a negative errno.
  virtual int Add(const std::string& directory) = 0;
  virtual void Remove(int watch) = 0;
  // Reads pending events (struct inotify_event) without waiting. Returns: the number of bytes; 0 if
  // there are none.
  virtual int64_t Read(char* buffer, size_t bytes) = 0;
};

// That of the system.
std::unique_ptr<Inotify> OpenInotify();

}  // namespace recall
