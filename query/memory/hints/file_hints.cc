// What is known of a file: what changes with it, the notes that link to it, then those that name
// it.
//
// A note names a file by its path, or by the end of its path. A name alone ("index.ts") counts only
// if the store has no other file of that name.
//
// Cost: an index lookup for the links, a lexical search for the words of the name, and, if a note
// has the name alone, a scan of the paths.

#include <algorithm>
#include <set>

#include "index/base/paths/doc_path.h"
#include "query/ask/answer/search.h"
#include "query/ask/rows/note_state.h"
#include "query/ask/rows/views.h"
#include "query/memory/hints/hint_of_document.h"
#include "query/memory/hints/hint_sources.h"
#include "storage/base/ascii.h"
#include "storage/notes/note_card.h"

namespace recall {
namespace {

constexpr size_t kMostNotesOfFile = 5;
constexpr size_t kNotesWithName = 32;

bool IsPartOfName(char c) {
  return IsAsciiAlnum(c) || c == '_' || c == '-' || c == '.' || c == '/' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

// Whether `name` is in the text and no part of a longer name. "./src/a.cc" has "src/a.cc".
bool HasName(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    size_t begin = at;
    if (begin >= 2 && text.substr(begin - 2, 2) == "./") begin -= 2;
    const size_t end = at + name.size();
    const bool begins = begin == 0 || !IsPartOfName(text[begin - 1]);
    // A full stop behind a name may end a sentence.
    const bool ends =
        end == text.size() || !IsPartOfName(text[end]) ||
        (text[end] == '.' && (end + 1 == text.size() || !IsPartOfName(text[end + 1])));
    if (begins && ends) return true;
  }
  return false;
}

// The ends of a path that have two parts at least, the longest first: "a/b/c", "b/c".
std::vector<std::string> LongNamesOf(std::string_view path) {
  std::vector<std::string> names;
  while (path.find('/') != path.npos) {
    names.emplace_back(path);
    path.remove_prefix(path.find('/') + 1);
  }
  return names;
}

// The filter of documents with this file name, in any directory.
std::string FilterOfFileName(std::string_view name) {
  std::string pattern = "**/";
  for (const char c : name) {
    if (std::string_view("\\*?[]{}!").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
    if (c == '\'') pattern += c;
  }
  return "doc.path GLOB '" + pattern + "'";
}

class NotesOfFile final {
 public:
  NotesOfFile(const HintTools& tools, const HintRequest& request, HintPacker& packer)
      : tools_(tools),
        request_(request),
        packer_(packer),
        path_(DocPathOf(AbsoluteLexicalPath(request.file), tools.store_root)),
        name_(path_.substr(path_.rfind('/') + 1)) {}

  // Returns: whether there is any.
  Result<bool> Offer() {
    RECALL_TRY(OfferLinked());
    RECALL_TRY(OfferNaming());
    return found_;
  }

 private:
  Status OfferLinked() {
    RECALL_ASSIGN(const auto links, tools_.snapshot.notes().LinksAt(LinkEnd::kTarget, path_));
    RowReader rows(tools_.snapshot.texts());
    for (const LinkRecord& link : links) {
      if (IsFull()) break;
      RECALL_ASSIGN(const auto doc, tools_.snapshot.texts().FindDoc(link.source));
      if (!doc || doc->parser != kNoteParser || doc->chunk_count == 0) continue;
      const UnixNanos now = request_.as_of.value_or(WallClockNanos());
      if (!StateOfInvalidNote(*doc, now).empty() || IsPrivateCard(doc->meta.value_or(""))) continue;
      RECALL_ASSIGN(const auto first, rows.Read(doc->first_chunk));
      RECALL_ASSIGN(
          const std::string text,
          tools_.snapshot.texts().ReadText(*doc, first.chunk.start_byte, first.chunk.end_byte));
      OfferNote(MakeDocView(*doc), text);
    }
    return {};
  }

  Status OfferNaming() {
    if (name_.empty() || name_.find('"') != name_.npos) return {};
    SearchRequest search;
    search.text = "\"" + name_ + "\"";
    search.mode = SearchMode::kLexical;
    search.expand_words = false;
    search.k = kNotesWithName;
    search.scope.filter = kTellableNote;
    search.scope.as_of = request_.as_of;
    RECALL_ASSIGN(const SearchResponse found,
                  RunSearch(tools_.snapshot, tools_.deps, search, tools_.commit_token));
    const std::vector<std::string> long_names = LongNamesOf(AbsoluteLexicalPath(request_.file));
    for (const SearchHit& hit : found.hits) {
      if (IsFull()) break;
      bool names = std::ranges::any_of(
          long_names, [&](const std::string& name) { return HasName(hit.chunk.text, name); });
      if (!names && HasName(hit.chunk.text, name_)) {
        RECALL_ASSIGN(names, IsOnlyOne());
      }
      if (names) OfferNote(hit.doc, hit.chunk.text);
    }
    return {};
  }

  // Whether the store has no other document with this file name.
  Result<bool> IsOnlyOne() {
    if (!is_only_one_) {
      Scope scope;
      scope.filter = FilterOfFileName(name_);
      RECALL_ASSIGN(
          const ResolvedScope same,
          ResolveScope(tools_.snapshot.filters(), scope, tools_.commit_token, FilterDomain::kDocs));
      is_only_one_ = same.set && same.set->Count() <= 1;
    }
    return *is_only_one_;
  }

  void OfferNote(const DocView& doc, std::string_view text) {
    if (doc.path == path_ || !offered_.insert(doc.path).second) return;
    found_ = true;
    packer_.Offer(HintOfNote(doc, text));
  }

  bool IsFull() const { return packer_.hints().size() >= offered_before_ + kMostNotesOfFile; }

  const HintTools& tools_;
  const HintRequest& request_;
  HintPacker& packer_;
  const size_t offered_before_ = packer_.hints().size();
  const std::string path_;
  const std::string name_;
  std::set<std::string> offered_;
  std::optional<bool> is_only_one_;
  bool found_ = false;
};

}  // namespace

Result<std::string> OfferNotesOfFile(const HintTools& tools, const HintRequest& request,
                                     HintPacker& packer) {
  if (request.file.empty()) return "the event names no file";
  RECALL_TRY(OfferChangesWithFile(tools, request, packer));
  RECALL_ASSIGN(const bool found, NotesOfFile(tools, request, packer).Offer());
  if (!packer.hints().empty()) return "";
  return found ? "the notes on the file are known, or do not fit"
               : "no note is about the file, and no "
                 "sessions say what changes with it";
}

}  // namespace recall
