#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Kinds of differences between the contents of a file and what was imported. The order is that of
// the warnings.
enum class ImportWarning : uint8_t {
  kChunkSizes,      // chunks cut with other limits than the store's
  kVectorSpace,     // vectors of another vector space; the store computes new ones
  kForeignVectors,  // vectors that the store's embedder does not compute for the text
  kVectorSize,
  kRebuiltText,
  kGap,
  kOverlapDiffers,
  kPathNotNormal,
  kDocId,
  kChunkId,
  kHash,
  kTokenCount,
  kMtime,
  kMeta,
  kEmptyChunk,
  kNoChunks,
  kLoneChunk,
  kDuplicateDoc,
  kDuplicateChunk,
  kForgotten,
};
inline constexpr size_t kImportWarnings = static_cast<size_t>(ImportWarning::kForgotten) + 1;

// Counts notes by kind and keeps the first position of each kind, so that a million notes of a kind
// become one warning.
class ImportWarnings final {
 public:
  // `where`: the position, such as "line 12", or a path.
  void Add(ImportWarning note, std::string_view where, int64_t count = 1);
  // Adds the notes of `other`, whose positions follow those of this object.
  void Merge(const ImportWarnings& other);
  std::vector<std::string> Sentences() const;

 private:
  struct Entry {
    int64_t count = 0;
    std::string first;
  };
  std::array<Entry, kImportWarnings> entries_;
};

}  // namespace recall
