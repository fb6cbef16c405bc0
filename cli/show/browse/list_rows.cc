// A row tells what kind of document it is by a word, and what is marked by a sign, so that neither
// needs colours. From left to right: the sign, the score, the kind, the place or the title, and
// what the text says, with the words of the question emphasised. Rows are cut at their end.

#include "cli/show/browse/list_rows.h"

#include <algorithm>
#include <utility>

#include "cli/show/browse/document_rows.h"
#include "cli/show/browse/matched_words.h"
#include "cli/show/browse/session_rows.h"
#include "cli/show/output/metadata_tree.h"
#include "cli/show/output/number_text.h"
#include "cli/show/output/payload.h"

namespace recall {
namespace {

constexpr size_t kHeadedRows = 6;      // a lower place has no headings
constexpr size_t kScoredColumns = 30;  // a narrower place has no scores
constexpr size_t kRoomyColumns = 60;   // from here on kinds are not cut
constexpr size_t kKindColumns = 7;
constexpr size_t kCutKindColumns = 4;

// A row: a heading, or the hit with this index.
struct ListedRow {
  const ListSection* heading = nullptr;
  size_t hit = 0;
};

std::vector<ListedRow> ListedRows(const BrowseState& state, bool headed) {
  std::vector<ListedRow> rows;
  auto section = state.sections.begin();
  for (size_t i = 0; state.found && i < state.found->hits.size(); ++i) {
    for (; headed && section != state.sections.end() && section->first <= i; ++section) {
      rows.push_back({&*section, i});
    }
    rows.push_back({nullptr, i});
  }
  return rows;
}

class HitLine final {
 public:
  HitLine(const BrowseState& state, size_t index, size_t columns, const TextStyle& style)
      : state_(state),
        index_(index),
        columns_(columns),
        style_(style),
        hit_(state.found->hits[index]),
        words_(MatchedWords(state.listed ? "" : state.question.text, hit_)) {}

  ScreenRow Finish() && {
    AddLead();
    if (IsSession(hit_.doc)) {
      AddSession();
    } else if (const CardSummary card = CardOf(hit_.doc); card.kind == "note" && card.title) {
      AddNote(card);
    } else {
      AddFile();
    }
    return index_ == state_.chosen ? Chosen(std::move(row_), columns_)
                                   : Cut(std::move(row_), columns_);
  }

 private:
  void AddLead() {
    if (!state_.marks.empty()) {
      const std::string_view sign = style_.utf8 ? "● " : "* ";
      row_.push_back({std::string(IsMarked(state_.marks, hit_) ? sign : "  "), Paint::kStrong});
    }
    if (!state_.listed && columns_ >= kScoredColumns) {
      row_.push_back({FormatNumber("%.3f", hit_.score) + " ", Paint::kScore});
    }
    const size_t width = columns_ >= kRoomyColumns ? kKindColumns : kCutKindColumns;
    std::string kind = KindOf(hit_.doc).substr(0, width);
    kind.resize(width + 1, ' ');
    row_.push_back({std::move(kind), Paint::kDim});
  }

  void AddSession() {
    const SessionMeta meta = SessionMetaOf(hit_.doc);
    const std::string label = SessionLabel(meta);
    const bool fits = !label.empty() && DisplayColumns(label) <= Left();
    AddText(fits ? label : CutToColumns(ShownPlace(hit_, style_), Left(), true), Paint::kPath);
    if (const auto turn = TurnOfHeading(hit_.chunk.heading)) {
      Append(row_, "  " + EscapeLine(turn->role) + " " + std::to_string(turn->turn), Paint::kDim);
    }
    Append(row_, "  ", Paint::kPlain);
    AddText(meta.title, Paint::kPlain);
    if (hit_.snippet) AppendExcerpt(row_, *hit_.snippet, style_.utf8);
  }

  void AddNote(const CardSummary& card) {
    AddText(*card.title, Paint::kPath);
    Append(row_, NoteText(card.type.value_or(""), state_.state_of(index_)), Paint::kDim);
    if (card.summary) {
      Append(row_, "  ", Paint::kPlain);
      AddText(*card.summary, Paint::kPlain);
    } else if (hit_.snippet) {
      AppendExcerpt(row_, *hit_.snippet, style_.utf8);
    }
  }

  void AddFile() {
    // The numbers of lines are no words of the question.
    const std::string whole = ShownPlace(hit_, style_);
    const std::string lines = whole.substr(style_.DocPathText(hit_.doc.path).size());
    const std::string place = CutToColumns(whole, Left(), true);
    const bool has_lines = place.ends_with(lines);
    AddText(has_lines ? place.substr(0, place.size() - lines.size()) : "", Paint::kPath);
    Append(row_, has_lines ? lines : place, Paint::kPath);
    if (state_.listed) Append(row_, "  " + EscapeLine(hit_.doc.mtime.substr(0, 10)), Paint::kDim);
    if (!hit_.chunk.heading.empty()) {
      Append(row_, "  ", Paint::kPlain);
      AddText(hit_.chunk.heading, Paint::kPlain);
    }
    if (hit_.snippet) AppendExcerpt(row_, *hit_.snippet, style_.utf8);
  }

  void AddText(std::string_view text, Paint paint) { AppendWithMatches(row_, text, paint, words_); }

  size_t Left() const {
    const size_t used = WidthOf(row_);
    return columns_ > used ? columns_ - used : 0;
  }

  const BrowseState& state_;
  const size_t index_;
  const size_t columns_;
  const TextStyle& style_;
  const SearchHit& hit_;
  const std::vector<std::string> words_;
  ScreenRow row_;
};

}  // namespace

std::string KindOf(const DocView& doc) {
  if (doc.parser == "note" || doc.parser == "session" || doc.parser == "code") return doc.parser;
  if (!doc.meta_json) return "text";
  const MetadataTree meta(doc.meta_json);
  const std::string extractor = "extractor";
  const std::string format = "format";
  if (meta.IsNull({&extractor, 1})) return "text";  // of another format have both
  std::string name = meta.Text({&format, 1});
  if (name == "notebook") return "ipynb";
  const bool is_word = std::ranges::all_of(
      name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
  return name.empty() || name.size() > kKindColumns || !is_word ? "text" : name;
}

std::string ShownPlace(const SearchHit& hit, const TextStyle& style) {
  if (hit.chunk.end_line == 0) return style.DocPathText(hit.doc.path);
  return style.DocPathText(hit.doc.path) + ":" + std::to_string(hit.chunk.start_line) + "-" +
         std::to_string(hit.chunk.end_line);
}

size_t ListLength(const BrowseState& state) { return ListedRows(state, true).size(); }

std::vector<ScreenRow> ListRows(const BrowseState& state, size_t rows, size_t columns,
                                const TextStyle& style, ListView* view) {
  const std::vector<ListedRow> listed = ListedRows(state, rows >= kHeadedRows);
  const auto chosen = static_cast<size_t>(
      std::ranges::find_if(
          listed, [&](const ListedRow& row) { return !row.heading && row.hit == state.chosen; }) -
      listed.begin());
  KeepInView(listed.size(), chosen, rows, view);
  // The heading above the first hit is seen with it.
  const size_t first = view->first_row;
  if (rows > 1 && first > 0 && first == chosen && listed[first - 1].heading) --view->first_row;
  std::vector<ScreenRow> list;
  for (size_t i = view->first_row; i < listed.size() && list.size() < rows; ++i) {
    list.push_back(listed[i].heading ? Cut({{listed[i].heading->title, Paint::kStrong}}, columns)
                                     : HitLine(state, listed[i].hit, columns, style).Finish());
  }
  return list;
}

}  // namespace recall
