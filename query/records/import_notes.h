#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Deviations of an import from the contents of its file. The order is the order of the warnings.
enum class ImportNote : uint8_t {
  kChunkSizes,      // chunks were cut with limits different from the store's
  kVectorSpace,     // vectors of another vector space
  kForeignVectors,  // vectors that differ from those of the store's embedder for the same text
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
};
inline constexpr size_t kImportNotes = static_cast<size_t>(ImportNote::kDuplicateChunk) + 1;

// Counts notes by kind and keeps the first position of each kind, so that a file with a million
// deviations causes only one warning per kind.
class ImportNotes final {
 public:
  // `where` is "line 12" or a path.
  void Add(ImportNote note, std::string_view where, int64_t count = 1);
  // Adds the notes of `other`, which come later than those of this object.
  void Merge(const ImportNotes& other);
  std::vector<std::string> Sentences() const;

 private:
  struct Entry {
    int64_t count = 0;
    std::string first;
  };
  std::array<Entry, kImportNotes> entries_;
};

}  // namespace recall
