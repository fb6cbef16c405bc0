#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/system_form.h"

namespace recall {

// What happened in a watched directory, or to it.
struct DirectoryEvent {
  int watch = -1;
  std::string name;   // of the entry; "": the directory itself
  bool lost = false;  // some events are missing; the other fields say nothing
  bool left = false;  // the directory, or the directory that the entry is, was moved or deleted
  bool watch_ended = false;  // the system has removed the watch
  bool unmounted = false;
};

// The system's events of directories: those of inotify(7) on Linux; none in the POSIX form. Tests
// replace them, to lose events and to run out of watches. Not thread-safe.
class DirectoryEvents {
 public:
  virtual ~DirectoryEvents() = default;

  // Readable when there are events; -1 if there will be none.
  virtual int descriptor() const = 0;
  // Watches a directory. Returns: its watch, the same for one that is watched already; a negative
  // errno: EOPNOTSUPP if the system has no events.
  virtual int Add(const std::string& directory) = 0;
  virtual void Remove(int watch) = 0;
  // Takes the pending events, without waiting.
  virtual std::vector<DirectoryEvent> Read() = 0;
  // Why there are none, in words for users, if descriptor() is -1.
  virtual std::string_view missing() const = 0;
};

namespace linux_form {
std::unique_ptr<DirectoryEvents> OpenDirectoryEvents();
bool ChangesWithoutEvents(const std::string& directory);
int64_t DefaultPollMicros();
}  // namespace linux_form

namespace posix_form {
std::unique_ptr<DirectoryEvents> OpenDirectoryEvents();
// Whether files of this directory may change without an event: network and user-space file systems.
bool ChangesWithoutEvents(const std::string& directory);
// How often directories are listed of which there are no events.
int64_t DefaultPollMicros();
}  // namespace posix_form

using system_form::ChangesWithoutEvents;
using system_form::DefaultPollMicros;
using system_form::OpenDirectoryEvents;

}  // namespace recall
