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

// Something to be kept in a model, under an id of model_format::SectionId.
struct ModelSection {
  uint32_t id;
  std::string bytes;
};

// The bytes of a model with these sections. Requires: ids are unique; 1 .. 64 sections.
std::string EncodeModel(std::vector<ModelSection> sections);

// A model's container, read in place: copies nothing, and allocates nothing but the table of
// sections. What the sections hold is the business of whoever asks for them; unknown ids are fine.
// Immutable: safe to use from several threads. The bytes must outlive it; they need no alignment.
class ModelFile final {
 public:
  // Checks the header, with its checksum, and where the sections lie; not their checksums.
  // Errors: Corruption; Unsupported for a newer version.
  static Result<ModelFile> Open(ByteSpan bytes);

  // None when there is no such section.
  std::optional<ByteSpan> Find(uint32_t id) const;
  // Compares a section with its checksum. Errors: Corruption; also when there is none.
  Status Verify(uint32_t id) const;
  // All sections.
  Status VerifyAll() const;

  // Depends on every byte of the model: the checksums of all sections are in it.
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
