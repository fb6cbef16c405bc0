#include "cli/setup/watch/directory_watches.h"

#include <algorithm>
#include <cerrno>

#include "cli/setup/watch/watched_paths.h"

namespace recall {
namespace {

// The system names the directory of an event by its watch, and the watch follows the directory when
// it is renamed. Paths may therefore be out of date, in both directions:
//
// - An event of before a rename may be read when the directory is watched by its new path. It then
//   names the new path, which is where the file is.
// - A directory may have been put in the place of another one that is still watched by this path.
//   Watch() replaces the watch, so the path stands for what is there now.
//
// Whoever forgets a path must have it looked at again: the events of the time in between are lost.
// Interpret() does so, because it reports each path that it forgets.

}  // namespace

DirectoryWatches::Outcome DirectoryWatches::Watch(const std::string& directory) {
  const int watch = events_->Add(directory);
  if (watch < 0) {
    Forget(directory);
    switch (-watch) {
      case ENOENT:
      case ENOTDIR:
        return Outcome::kGone;
      case ENOSPC:
      case ENOMEM:
        return Outcome::kLimit;
      default:
        return Outcome::kRefused;
    }
  }
  const auto known = watch_of_.find(directory);
  if (known != watch_of_.end() && known->second == watch) return Outcome::kWatched;
  Forget(directory);
  watch_of_[directory] = watch;
  paths_of_[watch].push_back(directory);
  return Outcome::kWatched;
}

void DirectoryWatches::Forget(const std::string& directory) {
  const auto known = watch_of_.find(directory);
  if (known == watch_of_.end()) return;
  const int watch = known->second;
  watch_of_.erase(known);
  const auto paths = paths_of_.find(watch);
  if (paths == paths_of_.end()) return;
  std::erase(paths->second, directory);
  if (!paths->second.empty()) return;
  paths_of_.erase(paths);
  events_->Remove(watch);
}

std::vector<std::string> DirectoryWatches::WatchedBelow(const std::string& path) const {
  std::vector<std::string> found;
  if (watch_of_.contains(path)) found.push_back(path);
  const std::string below = WithSlash(path);
  for (auto at = watch_of_.lower_bound(below);
       at != watch_of_.end() && at->first.starts_with(below); ++at) {
    if (at->first != path) found.push_back(at->first);
  }
  return found;
}

void DirectoryWatches::ForgetBelow(const std::string& directory) {
  for (const std::string& path : WatchedBelow(directory)) Forget(path);
}

DirectoryWatches::Events DirectoryWatches::Read() {
  Events events;
  for (const DirectoryEvent& event : events_->Read()) Interpret(event, &events);
  return events;
}

void DirectoryWatches::Interpret(const DirectoryEvent& event, Events* events) {
  if (event.lost) {
    events->lost = true;
    return;
  }
  const auto known = paths_of_.find(event.watch);
  if (known == paths_of_.end()) return;  // it was forgotten, and its path is looked at again
  const std::vector<std::string> directories = known->second;
  if (event.watch_ended) {
    // The directory is gone, or its file system.
    paths_of_.erase(known);
    for (const std::string& directory : directories) watch_of_.erase(directory);
  }
  for (const std::string& directory : directories) {
    std::string path = event.name.empty() ? directory : WithSlash(directory).append(event.name);
    if (event.left) ForgetBelow(path);
    events->changes.push_back({std::move(path), event.unmounted});
  }
}

}  // namespace recall
