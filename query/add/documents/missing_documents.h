#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store/store.h"

namespace recall {

struct MissingFilesRequest {
  // True if the file or member of a document with this origin (DocRow::origin) does not exist.
  // Called again before the document is removed.
  std::function<bool(const std::string& path, std::string_view origin)> is_missing;
  const std::atomic<bool>* cancel = nullptr;  // removes nothing once it is true; may be null
  // If set, only documents with this tag and this source are removed.
  std::optional<std::string> tag;
  std::optional<std::string> source;
  // If set, only documents at or below these paths, or in archives there, are removed.
  std::optional<std::vector<std::string>> under;
  bool dry_run = false;
};

// Removes the documents whose files or members do not exist, in one commit. Returns: their paths,
// sorted. Errors: Cancelled.
Result<std::vector<std::string>> RemoveMissingDocuments(Store& store,
                                                        const MissingFilesRequest& request);

}  // namespace recall
