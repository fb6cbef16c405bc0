#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "storage/store/store.h"

namespace recall {

struct MissingFilesRequest {
  // Whether a document's file is gone; asked again before it is removed.
  std::function<bool(const std::string& path)> is_missing;
  // Only documents with these labels, where they are set.
  std::optional<std::string> tag;
  std::optional<std::string> source;
  bool dry_run = false;
};

// Removes the documents whose files are gone, in one commit, and returns their paths, sorted.
Result<std::vector<std::string>> RemoveMissingDocuments(Store& store,
                                                        const MissingFilesRequest& request);

}  // namespace recall
