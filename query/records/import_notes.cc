#include "query/records/import_notes.h"

namespace recall {
namespace {

struct NoteText {
  std::string_view what;
  std::string_view consequence;
};

// The texts, in the order of ImportNote.
constexpr NoteText kTexts[kImportNotes] = {
    {"chunks cut by other limits than this store's", "kept as they are until their file changes"},
    {"vectors of another embedder or vector space", "made anew by this store's embedder"},
    {"vectors that this store's embedder does not make of the text", "made anew"},
    {"vectors of another dimension", "made anew by this store's embedder"},
    {"documents whose text was put together from chunks",
     "its white space is not the original's; add the files again to have it"},
    {"places where text between two chunks is missing", "the documents are kept without it"},
    {"chunks that overlap the one before but differ from it", "kept whole, on lines of their own"},
    {"paths that are not normalised", "adding these files again makes a second document of each"},
    {"document ids that are not made of path and hash", "computed anew"},
    {"chunk ids that are not made of document id and offset", "computed anew"},
    {"hashes that are no SHA-256", "the hash of the text is taken instead"},
    {"token counts that do not fit the text", "counted anew"},
    {"times that cannot be read", "left unknown"},
    {"metadata that is not a JSON object", "kept as the value of \"meta\""},
    {"chunks without a word", "left out"},
    {"documents without chunks", "kept without text"},
    {"chunks whose document is not there", "left out"},
    {"documents given more than once", "the last one counts"},
    {"chunks given more than once", "the last one counts"},
};

}  // namespace

void ImportNotes::Add(ImportNote note, std::string_view where, int64_t count) {
  Entry& entry = entries_[static_cast<size_t>(note)];
  if (entry.count == 0) entry.first = std::string(where);
  entry.count += count;
}

void ImportNotes::Merge(const ImportNotes& other) {
  for (size_t i = 0; i < kImportNotes; ++i) {
    const Entry& from = other.entries_[i];
    if (from.count > 0) Add(static_cast<ImportNote>(i), from.first, from.count);
  }
}

std::vector<std::string> ImportNotes::Sentences() const {
  std::vector<std::string> sentences;
  for (size_t i = 0; i < kImportNotes; ++i) {
    const Entry& entry = entries_[i];
    if (entry.count == 0) continue;
    sentences.push_back(std::string(kTexts[i].what) + ": " + std::to_string(entry.count) +
                        " (first: " + entry.first + "); " + std::string(kTexts[i].consequence));
  }
  return sentences;
}

}  // namespace recall
