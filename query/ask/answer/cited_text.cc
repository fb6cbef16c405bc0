// Finds the text of an exact citation.
//
// The problem: a citation has a path, line numbers and a hash of the lines, but not their text, and
// since it was printed the document may have been edited, moved or removed.
//
// The idea: look where the text most likely is, and accept only lines with the hash: the cited
// place, other lines of the document, the versions that snapshots still have, documents of the same
// name, all other documents by path. A version gives the text back, and with it a search for the
// documents that have it now.
//
// Invariant: a text is returned only if its hash has the cited prefix, so it is never another text.
//
// Cost: without an edit, one read of the document. Otherwise each window of as many lines is
// hashed, the nearest first, up to kMostHashedBytes in all; each removed version of the path is
// read, and, if the text is nowhere else, documents of the store until these bytes are used up, by
// reading or hashing.

#include "query/ask/answer/cited_text.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "query/ask/rows/whole_lines.h"

namespace recall {
namespace {

// Documents with the file name of a document that was moved are few, but "README.md" may be many.
constexpr size_t kMostNamesakes = 64;

struct Range {
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t first_line = 1;
};

std::string_view Within(std::string_view text, const Range& range) {
  return text.substr(range.start, range.end - range.start);
}

bool HasHash(std::string_view lines, const std::string& prefix) {
  return HashOfLines(lines).starts_with(prefix);
}

// Returns: the cited lines, if they have the cited hash and none is missing.
std::optional<Range> CitedRange(std::string_view text, const TextReference& cited) {
  const LineRange& lines = *cited.lines;
  const auto found = FindLines(text, lines.first, lines.last);
  if (!found) return std::nullopt;
  const Range range{found->first, found->second, lines.first};
  if (!HasHash(Within(text, range), cited.hash)) return std::nullopt;
  return range;
}

std::vector<uint64_t> LineStarts(std::string_view text) {
  std::vector<uint64_t> starts;
  for (size_t at = 0; at < text.size();) {
    starts.push_back(at);
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  return starts;
}

// The lines of a text, `count` at a time.
class Windows final {
 public:
  Windows(std::string_view text, uint64_t count)
      : text_(text), starts_(LineStarts(text)), count_(count) {
    starts_.push_back(text.size());
  }

  // Returns: the window nearest to line `near` that satisfies `same(lines)`. `allowance` bounds the
  // bytes that are examined, and is reduced by them.
  template <typename Same>
  std::optional<Range> Nearest(uint64_t near, uint64_t* allowance, const Same& same) const {
    const uint64_t lines = starts_.size() - 1;
    if (count_ == 0 || lines < count_) return std::nullopt;
    const uint64_t last = lines - count_ + 1;  // the last possible first line, from 1
    const uint64_t center = std::clamp<uint64_t>(near, 1, last);
    for (uint64_t away = 0; away < last; ++away) {
      for (const bool above : {true, false}) {
        if (away == 0 && !above) continue;
        if (above ? center <= away : center + away > last) continue;
        const uint64_t first = above ? center - away : center + away;
        const Range range{starts_[first - 1], starts_[first - 1 + count_], first};
        const uint64_t size = range.end - range.start;
        if (size > *allowance) {
          *allowance = 0;
          return std::nullopt;
        }
        *allowance -= size;
        if (same(Within(text_, range))) return range;
      }
    }
    return std::nullopt;
  }

 private:
  std::string_view text_;
  std::vector<uint64_t> starts_;  // and the size of the text
  uint64_t count_;
};

class CitationSearch final {
 public:
  CitationSearch(const TextsAndFacts& texts, const std::string& path, const TextReference& cited,
                 const SimilarTextSearch& search)
      : texts_(texts), path_(path), cited_(cited), search_(search) {}

  Result<CitedText> Find() {
    RECALL_ASSIGN(const std::optional<DocRow> live, texts_.FindDoc(path_));
    if (live) {
      RECALL_ASSIGN(auto found, InLiveVersion(*live));
      if (found) return *std::move(found);
    }
    RECALL_ASSIGN(auto old, InRemovedVersions());
    if (old) {
      RECALL_TRY(FindWhereItIsNow(*old));
      return *std::move(old);
    }
    RECALL_ASSIGN(auto renamed, InNamesakes());
    if (renamed) return *std::move(renamed);
    RECALL_ASSIGN(auto elsewhere, InAllDocuments());
    if (elsewhere) return *std::move(elsewhere);
    return Fail(live ? Changed() : Gone());
  }

 private:
  std::string Lines() const {
    if (!cited_.lines) return "";
    const LineRange& lines = *cited_.lines;
    return ":" + std::to_string(lines.first) + "-" +
           (lines.last ? std::to_string(*lines.last) : "");
  }

  Status Changed() const {
    return Status::CitationChanged(
        "the text cited as " + path_ + "@" + cited_.hash + Lines() + " has changed",
        "no snapshot has it any more; `recall get " + path_ + Lines() +
            "` prints what is there now");
  }

  Status Gone() const {
    return Status::CitationGone(
        "the document of the citation " + path_ + "@" + cited_.hash + Lines() + " is gone",
        "no snapshot has it any more; search for the words that you know");
  }

  // The number of lines of the citation; unset if it reaches to the end of the document.
  std::optional<uint64_t> Count() const {
    if (!cited_.lines || !cited_.lines->last) return std::nullopt;
    return *cited_.lines->last - cited_.lines->first + 1;
  }

  Result<std::string> WholeText(const DocRow& doc) const {
    return texts_.ReadText(doc, 0, static_cast<uint64_t>(doc.size));
  }

  // Returns: the cited lines of one version, or all of it, if they have the hash.
  Result<std::optional<CitedText>> InVersion(const DocRow& doc) const {
    if (!cited_.lines && !ToHex(doc.hash).starts_with(cited_.hash)) return std::nullopt;
    CitedText found;
    found.doc = doc;
    RECALL_ASSIGN(found.text, WholeText(doc));
    Range range{0, found.text.size(), 1};
    if (cited_.lines) {
      const auto lines = CitedRange(found.text, cited_);
      if (!lines) return std::nullopt;
      range = *lines;
    }
    found.start = range.start;
    found.end = range.end;
    return found;
  }

  // Returns: lines of `doc` that have the hash, nearest to the cited ones.
  Result<std::optional<CitedText>> MovedWithin(const DocRow& doc) {
    if (!cited_.lines) return InVersion(doc);
    // Lines up to the end of a document have no number of lines to look for.
    if (!Count()) return std::nullopt;
    CitedText found;
    found.doc = doc;
    RECALL_ASSIGN(found.text, WholeText(doc));
    const auto range = Windows(found.text, *Count())
                           .Nearest(cited_.lines->first, &allowance_, [&](std::string_view lines) {
                             return HasHash(lines, cited_.hash);
                           });
    if (!range) return std::nullopt;
    found.outcome = CitationOutcome::kMoved;
    found.start = range->start;
    found.end = range->end;
    found.now = PlaceOf(doc, range->first_line, *Count(), Within(found.text, *range));
    return found;
  }

  std::string PlaceOf(const DocRow& doc, uint64_t first_line, uint64_t count,
                      std::string_view lines) const {
    return ExactCitation(doc.path, HashOfLines(lines),
                         LineRange{first_line, first_line + count - 1});
  }

  Result<std::optional<CitedText>> InLiveVersion(const DocRow& live) {
    RECALL_ASSIGN(auto found, InVersion(live));
    if (found || !cited_.lines) return found;
    return MovedWithin(live);
  }

  Result<std::optional<CitedText>> InRemovedVersions() {
    RECALL_ASSIGN(const std::vector<DocRow> versions, texts_.FindRemovedVersions(path_));
    // The version that was cited may be purged, and a younger one have the lines elsewhere.
    for (const bool elsewhere : {false, true}) {
      if (elsewhere && !cited_.lines) break;  // whole versions have been compared
      for (const DocRow& version : versions) {
        RECALL_ASSIGN(auto found, elsewhere ? MovedWithin(version) : InVersion(version));
        if (!found) continue;
        found->outcome = CitationOutcome::kReplaced;
        found->now.clear();
        return found;
      }
    }
    return std::nullopt;
  }

  // Sets `old.now` to a live document that has the text of a removed version.
  Status FindWhereItIsNow(CitedText& old) {
    if (!search_) return {};
    std::string lines = old.text.substr(old.start, old.end - old.start);
    RECALL_ASSIGN(const std::vector<uint32_t> chunks, search_(lines));
    if (lines.ends_with('\n')) lines.pop_back();
    std::unordered_set<int64_t> seen;
    for (const uint32_t row : chunks) {
      RECALL_ASSIGN(const ChunkRow chunk, texts_.ReadChunk(row));
      if (!seen.insert(chunk.doc_row).second) continue;
      RECALL_ASSIGN(const DocRow doc, texts_.ReadDoc(chunk.doc_row));
      RECALL_ASSIGN(old.now, PlaceIn(doc, lines));
      if (!old.now.empty()) return {};
    }
    return {};
  }

  // Returns: the exact citation of `lines` in a live document; "" if it does not have them.
  Result<std::string> PlaceIn(const DocRow& doc, const std::string& lines) {
    if (!cited_.lines) {
      if (!ToHex(doc.hash).starts_with(cited_.hash)) return std::string();
      return ExactCitation(doc.path, ToHex(doc.hash), {});
    }
    RECALL_ASSIGN(const std::string text, WholeText(doc));
    const uint64_t count = std::max<uint64_t>(1, CountLines(lines));
    const auto range = Windows(text, count)
                           .Nearest(cited_.lines->first, &allowance_, [&](std::string_view window) {
                             if (window.ends_with('\n')) window.remove_suffix(1);
                             return window == lines;
                           });
    return range ? PlaceOf(doc, range->first_line, count, lines) : std::string();
  }

  // Searches documents with the same file name: the directory may have been renamed.
  Result<std::optional<CitedText>> InNamesakes() {
    const std::string_view name = std::string_view(path_).substr(path_.rfind('/') + 1);
    std::vector<std::string> paths;
    RECALL_TRY(texts_.ScanPaths(false, [&](const PathEntry& entry) {
      const std::string_view other = entry.path;
      if (other != path_ && other.substr(other.rfind('/') + 1) == name) paths.emplace_back(other);
      return paths.size() < kMostNamesakes;
    }));
    for (const std::string& path : paths) {
      RECALL_ASSIGN(const auto doc, texts_.FindDoc(path));
      if (!doc) continue;
      RECALL_ASSIGN(auto found, MovedTo(*doc));
      if (found) return found;
    }
    return std::nullopt;
  }

  // Searches every document, by path: the text may stand in one of another name, and only its hash
  // is known.
  Result<std::optional<CitedText>> InAllDocuments() {
    if (cited_.lines && !Count()) return std::nullopt;
    std::vector<int64_t> rows;
    RECALL_TRY(texts_.ScanPaths(false, [&](const PathEntry& entry) {
      if (entry.path != path_) rows.push_back(entry.doc_row);
      return true;
    }));
    for (const int64_t row : rows) {
      if (allowance_ == 0) break;
      RECALL_ASSIGN(const DocRow doc, texts_.ReadDoc(row));
      RECALL_ASSIGN(auto found, MovedTo(doc));
      if (found) return found;
    }
    return std::nullopt;
  }

  // Returns: the cited text in another document. One that is too small for so many lines is not
  // read, and what is read counts as examined.
  Result<std::optional<CitedText>> MovedTo(const DocRow& doc) {
    if (cited_.lines) {
      const auto size = static_cast<uint64_t>(doc.size);
      if (size + 1 < Count().value_or(0)) return std::nullopt;
      if (size > allowance_) {
        allowance_ = 0;
        return std::nullopt;
      }
      allowance_ -= size;
    }
    RECALL_ASSIGN(auto found, MovedWithin(doc));
    if (!found) return std::nullopt;
    found->outcome = CitationOutcome::kMoved;
    if (!cited_.lines) found->now = ExactCitation(doc.path, ToHex(doc.hash), {});
    return found;
  }

  const TextsAndFacts& texts_;
  const std::string& path_;
  const TextReference& cited_;
  const SimilarTextSearch& search_;
  uint64_t allowance_ = kMostHashedBytes;
};

}  // namespace

Result<CitedText> FindCitedText(const TextsAndFacts& texts, const std::string& path,
                                const TextReference& cited, const SimilarTextSearch& search) {
  return CitationSearch(texts, path, cited, search).Find();
}

}  // namespace recall
