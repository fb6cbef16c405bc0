// Writes the tree of a page as Markdown, in one pass over the nodes.
//
// Text is collected into a line, which is written when a block begins or ends. HtmlLineWriter adds
// the prefixes of what contains the line, and the breaks before it.
//
// Invariant: spans begin where lines begin, so they are ascending and do not overlap.
//
// Cost: linear in the nodes and texts; a line is written with a bounded number of prefixes.

#include "index/source/extract/html/html_writer.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "index/source/extract/html/html_code_language.h"
#include "index/source/extract/html/html_line_writer.h"
#include "index/source/extract/html/html_table_cells.h"
#include "index/source/extract/html/html_white_space.h"

namespace recall {
namespace {

// What the descendants of a node are.
enum HtmlContains : uint8_t {
  kHoldsTable = 1,
  kHoldsBlock = 2,      // headings, code, lists, quotes, definitions
  kHoldsParagraph = 4,  // p, div
};

int HeadingLevel(GumboTag tag) {
  return tag >= GUMBO_TAG_H1 && tag <= GUMBO_TAG_H6 ? tag - GUMBO_TAG_H1 + 1 : 0;
}

uint8_t ContainedAs(GumboTag tag) {
  switch (tag) {
    case GUMBO_TAG_TABLE:
      return kHoldsTable;
    case GUMBO_TAG_PRE:
    case GUMBO_TAG_UL:
    case GUMBO_TAG_OL:
    case GUMBO_TAG_DL:
    case GUMBO_TAG_BLOCKQUOTE:
    case GUMBO_TAG_FIGURE:
      return kHoldsBlock;
    case GUMBO_TAG_P:
    case GUMBO_TAG_DIV:
    case GUMBO_TAG_SECTION:
    case GUMBO_TAG_ARTICLE:
      return kHoldsParagraph;
    default:
      return HeadingLevel(tag) != 0 ? kHoldsBlock : 0;
  }
}

bool IsInlineTag(GumboTag tag) {
  return tag == GUMBO_TAG_A || tag == GUMBO_TAG_SPAN || tag == GUMBO_TAG_TIME ||
         tag == GUMBO_TAG_IMG;
}

bool IsCellTag(GumboTag tag) { return tag == GUMBO_TAG_TD || tag == GUMBO_TAG_TH; }

bool IsListTag(GumboTag tag) { return tag == GUMBO_TAG_UL || tag == GUMBO_TAG_OL; }

// Returns whether Markdown would read the line as something other than a paragraph.
bool NeedsEscape(std::string_view line) {
  if (line.starts_with("```") || line.starts_with("~~~")) return true;
  if (line.starts_with('#')) {
    const size_t level = std::min(line.find_first_not_of('#'), line.size());
    return level <= 6 && (level == line.size() || line[level] == ' ');
  }
  if (line.starts_with('<')) {
    for (const std::string_view open : {"<!--", "<script", "<style", "<pre", "<textarea"}) {
      if (line.starts_with(open)) return true;
    }
  }
  return !line.empty() && (line[0] == '=' || line[0] == '-') &&
         line.find_first_not_of(line[0]) == line.npos;
}

// The length of the longest run of back quotes, at least 2.
size_t LongestTicks(std::string_view code) {
  size_t longest = 2;
  size_t run = 0;
  for (const char c : code) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

class HtmlMarkdownWriter final {
 public:
  HtmlMarkdownWriter(const HtmlTree& tree, const std::vector<uint8_t>& skip,
                     const ExtractLimits& limits, std::string* out)
      : tree_(tree), nodes_(tree.nodes()), skip_(skip), limits_(limits), out_(*out), lines_(out) {}

  // Returns false if it stopped because the text exceeds the limit.
  bool Run() {
    FindContents();
    const auto count = static_cast<int32_t>(nodes_.size());
    for (int32_t i = 0; i < count;) {
      while (!open_.empty() && Node(open_.back()).end <= i) LeaveTop();
      if (IsTooLong()) return false;
      if (Skipped(i)) {
        i = Node(i).end;
        continue;
      }
      i = Node(i).is_text() ? AddText(i) : Enter(i);
    }
    while (!open_.empty()) LeaveTop();
    Flush();
    return true;
  }

  // Appends a span for each element with a locator.
  void WriteSpans(const ElementLocator& locate, std::vector<LocatorSpan>* spans) const {
    const std::vector<HtmlLineWriter::Mark>& marks = lines_.marks();
    for (size_t i = 0; i < marks.size(); ++i) {
      const uint64_t end = i + 1 < marks.size() ? marks[i + 1].position : out_.size();
      if (marks[i].position >= end) continue;
      std::optional<Locator> locator = locate(marks[i].id);
      if (locator) spans->push_back({marks[i].position, end, std::move(*locator)});
    }
  }

 private:
  struct List {
    int32_t node;
    bool ordered;
    int64_t next;  // the number of the next item
    bool has_item;
  };

  const HtmlNode& Node(int32_t i) const { return nodes_[static_cast<size_t>(i)]; }
  bool Skipped(int32_t i) const { return !skip_.empty() && skip_[static_cast<size_t>(i)] != 0; }
  bool IsTooLong() const { return out_.size() > limits_.max_text_bytes; }
  uint8_t Contains(int32_t i) const { return contains_[static_cast<size_t>(i)]; }

  void FindContents() {
    contains_.assign(nodes_.size(), 0);
    for (size_t i = nodes_.size(); i-- > 1;) {
      if (nodes_[i].is_text()) continue;
      uint8_t& parent = contains_[static_cast<size_t>(nodes_[i].parent)];
      parent = static_cast<uint8_t>(parent | contains_[i] | ContainedAs(nodes_[i].tag));
    }
  }

  int32_t AddText(int32_t i) {
    Append(Node(i).text);
    return i + 1;
  }

  void Append(std::string_view text) {
    const bool was_empty = line_.empty();
    AppendCollapsedHtml(text, &pending_space_, &line_);
    if (was_empty && !line_.empty()) line_id_ = id_;
  }

  // Enters an element. Returns the next node.
  int32_t Enter(int32_t i) {
    const HtmlNode& node = Node(i);
    if (node.tag == GUMBO_TAG_HEAD) return node.end;
    NoteId(node);
    switch (node.tag) {
      case GUMBO_TAG_BR:
        if (heading_ == 0) {
          Flush();
          lines_.Break(1);
        } else {
          pending_space_ = true;
        }
        return node.end;
      case GUMBO_TAG_IMG:
        AppendImage(node);
        return node.end;
      case GUMBO_TAG_PRE:
        WritePre(i);
        return node.end;
      case GUMBO_TAG_TABLE:
        if (IsDataTable(i)) {
          WriteTable(i);
          return node.end;
        }
        break;
      case GUMBO_TAG_A:
        if (IsHeadingAnchor(tree_, i)) return node.end;
        break;
      default:
        break;
    }
    if (IsInlineTag(node.tag)) return i + 1;
    BeginBlock(i);
    open_.push_back(i);
    return i + 1;
  }

  void NoteId(const HtmlNode& node) {
    const std::string_view id = tree_.Attribute(node, "id");
    if (!id.empty()) id_ = id;
  }

  void AppendImage(const HtmlNode& node) {
    const std::string_view alt = tree_.Attribute(node, "alt");
    if (alt.empty()) return;
    pending_space_ = true;
    Append(alt);
    pending_space_ = true;
  }

  void BeginBlock(int32_t i) {
    const GumboTag tag = Node(i).tag;
    if (const int level = HeadingLevel(tag)) {
      Break(2);
      heading_ = level;
      return;
    }
    // A heading is one line, so the blocks in it are only words.
    if (heading_ != 0) {
      pending_space_ = true;
      return;
    }
    if (IsCellTag(tag)) {
      if (Contains(i) != 0) Break(2);
      pending_space_ = true;
    } else if (IsListTag(tag)) {
      BeginList(i);
    } else if (tag == GUMBO_TAG_LI) {
      Break(1);
      BeginItem(i);
    } else if (tag == GUMBO_TAG_DT) {
      Break(after_term_ ? 1 : 2);
      after_term_ = true;
    } else if (tag == GUMBO_TAG_DD) {
      Break(1);
      lines_.OpenTermText(i);
      after_term_ = false;
    } else {
      Break(tag == GUMBO_TAG_TR ? 1 : 2);
      if (tag == GUMBO_TAG_BLOCKQUOTE) lines_.OpenQuote(i);
    }
  }

  void BeginList(int32_t i) {
    Break(1);
    if (lists_.empty()) lines_.SetBreak(2);
    lists_.push_back({i, Node(i).tag == GUMBO_TAG_OL, ListStart(Node(i)), false});
  }

  int64_t ListStart(const HtmlNode& node) const {
    const std::string_view start = tree_.Attribute(node, "start");
    int64_t value = 1;
    std::from_chars(start.data(), start.data() + start.size(), value);
    return std::clamp<int64_t>(value, 0, 100'000'000);
  }

  void BeginItem(int32_t i) {
    std::string marker = "- ";
    bool is_first = false;
    if (!lists_.empty()) {
      List& list = lists_.back();
      is_first = lists_.size() == 1 && !list.has_item;
      list.has_item = true;
      if (list.ordered) marker = std::to_string(list.next++) + ". ";
    }
    lines_.OpenItem(i, std::move(marker), is_first);
  }

  void LeaveTop() {
    const int32_t i = open_.back();
    open_.pop_back();
    const GumboTag tag = Node(i).tag;
    if (HeadingLevel(tag) != 0) {
      WriteHeading();
      return;
    }
    if (heading_ != 0) {
      pending_space_ = true;
      return;
    }
    if (IsCellTag(tag)) {
      if (Contains(i) != 0) Break(2);
      pending_space_ = true;
      return;
    }
    const bool is_tight = tag == GUMBO_TAG_TR || tag == GUMBO_TAG_LI || tag == GUMBO_TAG_DT ||
                          tag == GUMBO_TAG_DD || (lists_.size() > 1 && IsListTag(tag));
    Break(is_tight ? 1 : 2);
    // A list inside a heading is written as plain text, so it may not be the last one of `lists_`.
    if (!lists_.empty() && lists_.back().node == i) lists_.pop_back();
    lines_.Close(i);
  }

  // Ends the line; the next one comes after `lines` new lines.
  void Break(int lines) {
    Flush();
    pending_space_ = false;
    lines_.Break(lines);
  }

  // Writes the heading that ends. A heading inside another one has ended the outer one before.
  void WriteHeading() {
    const int level = heading_;
    heading_ = 0;
    if (!line_.empty()) {
      const std::string line = std::exchange(line_, {});
      if (lines_.IsInQuote()) {
        lines_.Line(line, id_, true);
      } else {
        lines_.Line(std::string(static_cast<size_t>(level), '#') + ' ' + line, id_, false);
      }
      line_id_ = id_;
    }
    pending_space_ = false;
    lines_.SetBreak(2);
  }

  void Flush() {
    if (line_.empty()) return;
    if (heading_ == 0 && NeedsEscape(line_)) line_.insert(0, 1, '\\');
    lines_.Line(line_, line_id_, true);
    line_.clear();
    pending_space_ = false;
  }

  // Writes the text of a `pre` between fences; in a heading, as words.
  void WritePre(int32_t pre) {
    const bool in_heading = heading_ != 0;
    if (!in_heading) Break(2);
    std::string_view language = CodeLanguage(tree_, Node(pre));
    std::string code = ReadCode(pre, &language);
    if (in_heading) {
      Append(code);
      return;
    }
    if (language.empty()) language = ParentCodeLanguage(tree_, pre);
    code.resize(code.find_last_not_of("\n \t") + 1);
    const size_t start = std::min(code.find_first_not_of('\n'), code.size());
    if (start < code.size()) WriteFenced(std::string_view(code).substr(start), language);
  }

  // Returns the text of a `pre`. Sets `*language` to what an element in it names, if it is "".
  std::string ReadCode(int32_t pre, std::string_view* language) {
    std::string code;
    for (int32_t i = pre + 1; i < Node(pre).end;) {
      const HtmlNode& node = Node(i);
      if (Skipped(i)) {
        i = node.end;
        continue;
      }
      if (node.is_text()) {
        AppendHtmlCode(node.text, &code);
      } else {
        NoteId(node);
        if (node.tag == GUMBO_TAG_BR) code += '\n';
        if (!IsInlineTag(node.tag) && !code.empty() && code.back() != '\n') code += '\n';
        if (node.tag == GUMBO_TAG_IMG) code += tree_.Attribute(node, "alt");
        if (language->empty()) *language = CodeLanguage(tree_, node);
      }
      ++i;
    }
    return code;
  }

  void WriteFenced(std::string_view code, std::string_view language) {
    const std::string fence(std::max<size_t>(3, LongestTicks(code) + 1), '`');
    line_id_ = id_;
    lines_.Line(fence + std::string(language), line_id_, true);
    for (size_t start = 0; start < code.size();) {
      const size_t end = std::min(code.find('\n', start), code.size());
      std::string_view line = code.substr(start, end - start);
      while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
      lines_.SetBreak(1);
      if (line.empty()) {
        lines_.EmptyLine();
      } else {
        lines_.Line(line, line_id_, true);
      }
      start = end + 1;
      if (IsTooLong()) return;
    }
    lines_.Line(fence, line_id_, true);
    lines_.SetBreak(2);
  }

  // Returns whether a table is one of data: it has more than one row and column, and its cells
  // contain only text.
  bool IsDataTable(int32_t table) const {
    if (heading_ != 0 || (Contains(table) & (kHoldsTable | kHoldsBlock)) != 0) return false;
    const std::vector<HtmlTableRow> rows = HtmlTableRows(tree_, skip_, table);
    return rows.size() > 1 &&
           std::ranges::any_of(rows, [](const HtmlTableRow& row) { return row.cells.size() > 1; });
  }

  void WriteTable(int32_t table) {
    Break(2);
    for (int32_t i = table + 1; i < Node(table).end; i = Node(i).end) {
      if (Node(i).tag != GUMBO_TAG_CAPTION || Skipped(i)) continue;
      AppendCell(i);
      Break(2);
    }
    bool is_first = true;
    for (const HtmlTableRow& row : HtmlTableRows(tree_, skip_, table)) {
      if (WriteRow(row, is_first)) is_first = false;
    }
    lines_.SetBreak(2);
  }

  // Writes a row, and a line below it if it is the first one and consists of headings. Returns
  // whether the row has text; one without is not written.
  bool WriteRow(const HtmlTableRow& row, bool is_first) {
    NoteId(Node(row.node));
    line_id_ = id_;
    std::string line = "|";
    bool has_text = false;
    for (const int32_t cell : row.cells) {
      AppendCell(cell);
      has_text = has_text || !line_.empty();
      line += ' ';
      for (const char c : line_) {
        if (c == '|') line += '\\';
        line += c;
      }
      if (!line_.empty()) line += ' ';
      line += '|';
      line_.clear();
      pending_space_ = false;
    }
    if (!has_text) return false;
    lines_.Line(line, line_id_, true);
    const bool only_headings = std::ranges::all_of(
        row.cells, [&](int32_t cell) { return Node(cell).tag == GUMBO_TAG_TH; });
    if (is_first && only_headings) {
      line = "|";
      for (size_t i = 0; i < row.cells.size(); ++i) line += " --- |";
      lines_.Line(line, line_id_, true);
    }
    return true;
  }

  // Appends the text of a cell to the line, on one line.
  void AppendCell(int32_t cell) {
    NoteId(Node(cell));
    for (int32_t i = cell + 1; i < Node(cell).end;) {
      const HtmlNode& node = Node(i);
      if (Skipped(i) || (!node.is_text() && node.tag == GUMBO_TAG_A && IsHeadingAnchor(tree_, i))) {
        i = node.end;
        continue;
      }
      if (node.is_text()) {
        AppendCollapsedHtml(node.text, &pending_space_, &line_);
      } else {
        NoteId(node);
        if (!IsInlineTag(node.tag)) pending_space_ = true;
        if (node.tag == GUMBO_TAG_IMG) {
          pending_space_ = true;
          AppendCollapsedHtml(tree_.Attribute(node, "alt"), &pending_space_, &line_);
          pending_space_ = true;
        }
      }
      ++i;
    }
  }

  const HtmlTree& tree_;
  const std::vector<HtmlNode>& nodes_;
  const std::vector<uint8_t>& skip_;
  const ExtractLimits& limits_;
  std::string& out_;
  HtmlLineWriter lines_;
  std::vector<uint8_t> contains_;  // HtmlContains of each node
  std::vector<int32_t> open_;      // blocks
  std::vector<List> lists_;
  std::string line_;          // the text that is not yet written
  std::string_view line_id_;  // the id before its first character
  std::string_view id_;       // the last id so far
  bool pending_space_ = false;
  bool after_term_ = false;  // the last part of a definition list was a term
  int heading_ = 0;          // the level of the open heading; 0: there is none
};

}  // namespace

bool IsHeadingAnchor(const HtmlTree& tree, int32_t node) {
  const HtmlNode& link = tree.nodes()[static_cast<size_t>(node)];
  const std::string_view classes = tree.Attribute(link, "class");
  if (classes.find("headerlink") != classes.npos || classes.find("permalink") != classes.npos) {
    return true;
  }
  if (!tree.Attribute(link, "href").starts_with('#') || link.end > node + 2) return false;
  if (link.end == node + 1) return true;
  const std::string_view text = tree.nodes()[static_cast<size_t>(node) + 1].text;
  return text == "#" || text == "¶" || text == "§" || text == "🔗";
}

bool WriteHtmlMarkdown(const HtmlTree& tree, const std::vector<uint8_t>& skip,
                       const ElementLocator& locate, const ExtractLimits& limits,
                       Extraction* extraction) {
  HtmlMarkdownWriter writer(tree, skip, limits, &extraction->text);
  if (!writer.Run()) return false;
  writer.WriteSpans(locate, &extraction->spans);
  return extraction->text.size() <= limits.max_text_bytes;
}

}  // namespace recall
