// ExtractMetadata: front matter of any text is a JSON object with normalised keys, or nothing.

#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/fuzz_target.h"
#include "index/write/ingest/text_file.h"

namespace recall {

void FuzzOne(ByteSpan input) {
  const std::string_view text = AsText(input);
  const std::optional<std::string> metadata = ExtractMetadata(text).object;
  if (!metadata) return;
  const auto json = nlohmann::json::parse(*metadata, nullptr, /*allow_exceptions=*/false);
  RECALL_CHECK(json.is_object());
  for (const auto& [key, value] : json.items()) {
    for (const char c : key) {
      RECALL_CHECK(!(c >= 'A' && c <= 'Z') && c != ' ' && c != '-' && c != '\n');
    }
  }
  RECALL_CHECK(ExtractMetadata(text).object == metadata);
}

}  // namespace recall
