#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

// One section of a model, with an id of model_format::SectionId.
struct ModelSection {
  uint32_t id;
  std::string bytes;
};

// Encodes a model with these sections. Requires: ids are unique; 1 .. 64 sections.
std::string EncodeModel(std::vector<ModelSection> sections);

// The container format of a model, read in place: nothing is copied, and only the table of sections
// is allocated. The container does not interpret the sections, and it accepts unknown ids.
// Immutable: safe to use from several threads. The bytes must outlive it; they need no alignment.
class ModelFile final {
 public:
  // Checks the header with its checksum, and the offsets of the sections, but not the checksums of
  // the sections. Errors: Corruption; Unsupported for a newer version.
  static Result<ModelFile> Open(ByteSpan bytes);

  // The bytes of a section, if it exists.
  std::optional<ByteSpan> Find(uint32_t id) const;
  // Compares a section with its checksum. Errors: Corruption, also if there is no such section.
  Status Verify(uint32_t id) const;

  // A hash that depends on every byte of the model: it covers the checksums of all sections.
  uint64_t fingerprint() const { return fingerprint_; }

 private:
  struct Entry {
    uint32_t id;
    uint32_t checksum;
    ByteSpan bytes;
  };

  std::vector<Entry> entries_;  // ids ascend
  uint64_t fingerprint_ = 0;
};

}  // namespace recall
