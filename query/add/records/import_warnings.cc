#include "query/add/records/import_warnings.h"

namespace recall {
namespace {

struct NoteText {
  std::string_view what;
  std::string_view consequence;
};

// The texts, in the order of ImportWarning.
constexpr NoteText kTexts[kImportWarnings] = {
    {"chunks that were cut with other settings than those of this store",
     "kept as they are until their file changes"},
    {"vectors of another embedder or vector space", "computed anew by the embedder of this store"},
    {"vectors that do not match the text", "computed anew"},
    {"vectors of another dimension", "computed anew by the embedder of this store"},
    {"documents whose text was assembled from chunks",
     "white space differs from the original; add the files again to restore it"},
    {"places where text between two chunks is missing", "the documents are kept without it"},
    {"chunks that overlap the previous chunk but differ from it",
     "kept whole, on lines of their own"},
    {"paths that are not normalised",
     "adding these files again creates a second document for each"},
    {"document ids that do not match path and hash", "computed anew"},
    {"chunk ids that do not match document id and offset", "computed anew"},
    {"hashes that are not SHA-256", "replaced by the hash of the text"},
    {"token counts that do not match the text", "counted anew"},
    {"times that cannot be read", "left unknown"},
    {"metadata that is not a JSON object", "kept as the value of \"meta\""},
    {"chunks without a word", "skipped"},
    {"documents without chunks", "kept without text"},
    {"chunks without a document", "skipped"},
    {"documents that occur more than once", "the last one is used"},
    {"chunks that occur more than once", "the last one is used"},
    {"sessions that `recall forget` deleted from this store", "left out"},
};

}  // namespace

void ImportWarnings::Add(ImportWarning note, std::string_view where, int64_t count) {
  Entry& entry = entries_[static_cast<size_t>(note)];
  if (entry.count == 0) entry.first = std::string(where);
  entry.count += count;
}

void ImportWarnings::Merge(const ImportWarnings& other) {
  for (size_t i = 0; i < kImportWarnings; ++i) {
    const Entry& from = other.entries_[i];
    if (from.count > 0) Add(static_cast<ImportWarning>(i), from.first, from.count);
  }
}

std::vector<std::string> ImportWarnings::Sentences() const {
  std::vector<std::string> sentences;
  for (size_t i = 0; i < kImportWarnings; ++i) {
    const Entry& entry = entries_[i];
    if (entry.count == 0) continue;
    sentences.push_back(std::string(kTexts[i].what) + ": " + std::to_string(entry.count) +
                        " (first: " + entry.first + "); " + std::string(kTexts[i].consequence));
  }
  return sentences;
}

}  // namespace recall
