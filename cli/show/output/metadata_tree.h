#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/json_writer.h"

namespace recall {

// The metadata of a document, as JSON and as text. Metadata that is not valid JSON is treated as a
// string. This is the only place of the command line that parses JSON.
class MetadataTree final {
 public:
  // `json` is unset if the document has no metadata.
  explicit MetadataTree(const std::optional<std::string>& json);
  ~MetadataTree();

  // A path consists of keys, outermost first; the empty path denotes the whole metadata. The value
  // is null if there is nothing at the path.
  using Path = std::span<const std::string>;
  bool IsNull(Path path) const;
  void Write(Path path, JsonWriter& json) const;
  // Writes the whole metadata without the outermost keys for which `leaves_out` is true.
  void WriteWithout(bool (*leaves_out)(std::string_view key), JsonWriter& json) const;
  // Writes an array: a list as it is, another value as its only item, nothing as an empty list.
  void WriteList(Path path, JsonWriter& json) const;
  // Returns: a string unchanged, "" for null, else JSON on one line.
  std::string Text(Path path) const;
  // Returns: the items of a list, each as by Text; another value as the only item, if it is no
  // null.
  std::vector<std::string> Texts(Path path) const;

 private:
  struct Root;

  std::unique_ptr<const Root> root_;
};

}  // namespace recall
