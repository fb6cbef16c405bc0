#include "index/source/transcript/opencode_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace recall {

OpenCodeFiles OpenCodeFilesOf(const std::string& session_file) {
  const std::filesystem::path session(session_file);
  const std::filesystem::path directory = session.parent_path();
  const std::string id = session.stem().string();
  if (directory.filename() == "info") {
    const std::string root = directory.parent_path().string();
    return {root + "/message/" + id, root + "/part/" + id + "/"};
  }
  const std::string root = directory.parent_path().parent_path().string();
  return {root + "/message/" + id, root + "/part/"};
}

std::vector<std::string> JsonFilesIn(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::directory_iterator entries(directory, error), end; !error && entries != end;
       entries.increment(error)) {
    std::string path = entries->path().string();
    if (path.ends_with(".json")) files.push_back(std::move(path));
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace recall
