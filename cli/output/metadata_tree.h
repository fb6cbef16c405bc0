#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "storage/base/json_writer.h"

namespace recall {

// A document's metadata, as JSON and as text. What is no JSON counts as a string. The one place of
// the command line that reads JSON.
class MetadataTree final {
 public:
  // Nothing: there is no metadata.
  explicit MetadataTree(const std::optional<std::string>& json);
  ~MetadataTree();

  // What stands at `path`, keys from the outermost in; all of it for none. Null where there is
  // nothing.
  using Path = std::span<const std::string>;
  bool IsNull(Path path) const;
  void Write(Path path, JsonWriter& json) const;
  // A string as it is, "" for null, else JSON on one line.
  std::string Text(Path path) const;

 private:
  struct Root;

  std::unique_ptr<const Root> root_;
};

}  // namespace recall
