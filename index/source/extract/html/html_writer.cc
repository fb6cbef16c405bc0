// Writes the tree of a page as Markdown, in one pass over the nodes.
//
// Text is collected into a line, which is written when a block begins or ends. What contains the
// line (list items, quotes, texts of terms) gives its prefix. `break_` is what must precede the
// next line: nothing, a new line, or an empty line.
//
// Invariant: spans begin where lines begin, so they are ascending and do not overlap.
//
// Cost: linear in the nodes and texts; a line is written with at most kMaxPrefixes prefixes.

#include "index/source/extract/html/html_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace recall {
namespace {

constexpr size_t kMaxPrefixes = 12;

// What is in a node, itself excluded.
enum HtmlContains : uint8_t {
  kHoldsTable = 1,
  kHoldsBlock = 2,      // headings, code, lists, quotes, definitions
  kHoldsParagraph = 4,  // p, div
};

int HeadingLevel(GumboTag tag) {
  switch (tag) {
    case GUMBO_TAG_H1:
      return 1;
    case GUMBO_TAG_H2:
      return 2;
    case GUMBO_TAG_H3:
      return 3;
    case GUMBO_TAG_H4:
      return 4;
    case GUMBO_TAG_H5:
      return 5;
    case GUMBO_TAG_H6:
      return 6;
    default:
      return 0;
  }
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
    case GUMBO_TAG_H1:
    case GUMBO_TAG_H2:
    case GUMBO_TAG_H3:
    case GUMBO_TAG_H4:
    case GUMBO_TAG_H5:
    case GUMBO_TAG_H6:
      return kHoldsBlock;
    case GUMBO_TAG_P:
    case GUMBO_TAG_DIV:
    case GUMBO_TAG_SECTION:
    case GUMBO_TAG_ARTICLE:
      return kHoldsParagraph;
    default:
      return 0;
  }
}

bool IsInlineTag(GumboTag tag) {
  switch (tag) {
    case GUMBO_TAG_A:
    case GUMBO_TAG_SPAN:
    case GUMBO_TAG_TIME:
    case GUMBO_TAG_IMG:
      return true;
    default:
      return false;
  }
}

// Bytes at which text is not copied as it is: white space, controls, and the first bytes of
// characters that may be blanks or have no width.
constexpr std::array<bool, 256> SpecialBytes() {
  std::array<bool, 256> special = {};
  for (size_t c = 0; c <= 0x20; ++c) special[c] = true;
  special[0x7F] = special[0xC2] = special[0xE2] = special[0xEF] = true;
  return special;
}
constexpr std::array<bool, 256> kSpecialBytes = SpecialBytes();

size_t WidthlessLength(std::string_view text, size_t i) {
  const std::string_view rest = text.substr(i, 3);
  if (rest.starts_with("\xC2\xAD")) return 2;  // soft hyphen
  if (rest == "\xE2\x80\x8B" || rest == "\xE2\x81\xA0" || rest == "\xEF\xBB\xBF") return 3;
  return 0;
}

size_t BlankLength(std::string_view text, size_t i) {
  const auto c = static_cast<uint8_t>(text[i]);
  if (c <= 0x20 || c == 0x7F) return 1;
  const std::string_view rest = text.substr(i, 3);
  if (rest.starts_with("\xC2\xA0") || rest.starts_with("\xC2\x85")) return 2;
  if (rest.size() == 3 && rest.starts_with("\xE2\x80")) {
    const auto last = static_cast<uint8_t>(rest[2]);
    if ((last >= 0x80 && last <= 0x8A) || last == 0xA8 || last == 0xA9 || last == 0xAF) return 3;
  }
  return 0;
}

// Whether Markdown would read the line as something that a paragraph is not.
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

class HtmlMarkdownWriter final {
 public:
  HtmlMarkdownWriter(const HtmlTree& tree, const std::vector<uint8_t>& skip,
                     const ElementLocator& locate, const ExtractLimits& limits,
                     Extraction* extraction)
      : tree_(tree),
        nodes_(tree.nodes()),
        skip_(skip),
        locate_(locate),
        limits_(limits),
        extraction_(extraction),
        out_(extraction->text) {}

  bool Run() {
    FindContents();
    if (!out_.empty() && !out_.ends_with('\n')) out_ += '\n';
    first_line_ = out_.empty();
    break_ = 2;
    const auto count = static_cast<int32_t>(nodes_.size());
    for (int32_t i = 0; i < count;) {
      while (!open_.empty() && nodes_[static_cast<size_t>(open_.back())].end <= i) LeaveTop();
      if (out_.size() > limits_.max_text_bytes) return false;
      if (Skipped(i)) {
        i = Node(i).end;
        continue;
      }
      i = Node(i).is_text() ? AddText(i) : Enter(i);
    }
    while (!open_.empty()) LeaveTop();
    Flush();
    WriteSpans();
    return out_.size() <= limits_.max_text_bytes;
  }

 private:
  struct Prefix {
    int32_t node;
    std::string marker;   // of the first line: "- ", ": "
    std::string further;  // of further lines
    bool waits;           // the first line is not yet written
    bool is_first_item;   // of a list that is in no other
  };
  struct List {
    int32_t node;
    bool ordered;
    int64_t next;
    bool has_item;
  };
  struct Mark {
    uint64_t position;
    std::string_view id;
  };

  const HtmlNode& Node(int32_t i) const { return nodes_[static_cast<size_t>(i)]; }
  bool Skipped(int32_t i) const { return !skip_.empty() && skip_[static_cast<size_t>(i)] != 0; }

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

  // Enters an element. Returns: the next node.
  int32_t Enter(int32_t i) {
    const HtmlNode& node = Node(i);
    if (node.tag == GUMBO_TAG_HEAD) return node.end;
    NoteId(node);
    switch (node.tag) {
      case GUMBO_TAG_BR:
        if (heading_ == 0) {
          Flush();
          break_ = std::max(break_, 1);
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
    const HtmlNode& node = Node(i);
    if (const int level = HeadingLevel(node.tag)) {
      Break(2);
      heading_ = level;
      return;
    }
    // Of a heading's parts none is a block.
    if (heading_ != 0) {
      pending_space_ = true;
      return;
    }
    switch (node.tag) {
      case GUMBO_TAG_TD:
      case GUMBO_TAG_TH:
        if (contains_[static_cast<size_t>(i)] != 0) Break(2);
        pending_space_ = true;
        break;
      case GUMBO_TAG_TR:
        Break(1);
        break;
      case GUMBO_TAG_UL:
      case GUMBO_TAG_OL:
        Break(1);
        if (lists_.empty()) break_ = 2;
        lists_.push_back({i, node.tag == GUMBO_TAG_OL, ListStart(node), false});
        break;
      case GUMBO_TAG_LI:
        Break(1);
        BeginItem(i);
        break;
      case GUMBO_TAG_DT:
        Break(after_term_ ? 1 : 2);
        after_term_ = true;
        break;
      case GUMBO_TAG_DD:
        Break(1);
        prefixes_.push_back({i, ": ", "  ", true, false});
        after_term_ = false;
        break;
      case GUMBO_TAG_BLOCKQUOTE:
        Break(2);
        prefixes_.push_back({i, "> ", "> ", false, false});
        break;
      default:
        Break(2);
        break;
    }
  }

  int64_t ListStart(const HtmlNode& node) const {
    const std::string_view start = tree_.Attribute(node, "start");
    int64_t value = 1;
    std::from_chars(start.data(), start.data() + start.size(), value);
    return std::clamp<int64_t>(value, 0, 100'000'000);
  }

  void BeginItem(int32_t i) {
    Prefix prefix{i, "- ", "  ", true, false};
    if (!lists_.empty()) {
      List& list = lists_.back();
      prefix.is_first_item = lists_.size() == 1 && !list.has_item;
      list.has_item = true;
      if (list.ordered) {
        prefix.marker = std::to_string(list.next++) + ". ";
        prefix.further.assign(prefix.marker.size(), ' ');
      }
    }
    prefixes_.push_back(std::move(prefix));
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
    if (tag == GUMBO_TAG_TD || tag == GUMBO_TAG_TH) {
      if (contains_[static_cast<size_t>(i)] != 0) Break(2);
      pending_space_ = true;
      return;
    }
    const bool is_tight =
        tag == GUMBO_TAG_TR || tag == GUMBO_TAG_LI || tag == GUMBO_TAG_DT || tag == GUMBO_TAG_DD ||
        (!lists_.empty() && lists_.size() > 1 && (tag == GUMBO_TAG_UL || tag == GUMBO_TAG_OL));
    Break(is_tight ? 1 : 2);
    // A list in a heading is none, and a heading in that ends the heading around it.
    if (!lists_.empty() && lists_.back().node == i) lists_.pop_back();
    if (!prefixes_.empty() && prefixes_.back().node == i) prefixes_.pop_back();
  }

  // Ends the line; the next one comes after `lines` new lines.
  void Break(int lines) {
    Flush();
    pending_space_ = false;
    break_ = std::max(break_, lines);
  }

  void WriteHeading() {
    const int level = heading_;
    heading_ = 0;
    if (!line_.empty()) {
      bool in_quote = false;
      for (const Prefix& prefix : prefixes_) in_quote = in_quote || prefix.marker == "> ";
      std::string line = std::move(line_);
      line_.clear();
      line_id_ = id_;
      if (in_quote) {
        WriteLine(line, true);
      } else {
        line.insert(0, std::string(static_cast<size_t>(level), '#') + ' ');
        WriteLine(line, false);
      }
    }
    pending_space_ = false;
    break_ = 2;
  }

  void Flush() {
    if (line_.empty()) return;
    if (heading_ == 0 && NeedsEscape(line_)) line_.insert(0, 1, '\\');
    WriteLine(line_, true);
    line_.clear();
    pending_space_ = false;
  }

  // Writes what must precede a line, and notes where it begins.
  void BeginLine(bool with_prefix) {
    int lines = break_;
    if (with_prefix && !prefixes_.empty() && prefixes_.back().waits) {
      const Prefix& prefix = prefixes_.back();
      if (prefix.marker != ": ") lines = prefix.is_first_item ? 2 : 1;
      if (prefix.marker == ": ") lines = 1;
    }
    if (first_line_) lines = 0;
    // `out_` ends with the new line of the line before.
    if (lines == 2) {
      if (with_prefix && InQuote()) WritePrefixes(true);
      out_ += '\n';
    }
    first_line_ = false;
    break_ = 1;
    if (marks_.empty() || marks_.back().id != line_id_) {
      marks_.push_back({out_.size(), line_id_});
    }
    if (with_prefix) WritePrefixes(false);
  }

  bool InQuote() const {
    // An empty line in a quote keeps its mark only if the quote has begun.
    return quote_lines_ > 0 && !prefixes_.empty() && prefixes_.back().marker == "> ";
  }

  void WritePrefixes(bool empty_line) {
    const size_t count = std::min(prefixes_.size(), kMaxPrefixes);
    const size_t start = out_.size();
    bool quoted = false;
    for (size_t i = 0; i < count; ++i) {
      Prefix& prefix = prefixes_[i];
      if (empty_line) {
        out_ += prefix.further;
        continue;
      }
      quoted = quoted || prefix.marker == "> ";
      out_ += prefix.waits ? prefix.marker : prefix.further;
      prefix.waits = false;
    }
    for (size_t i = count; i < prefixes_.size(); ++i) prefixes_[i].waits = false;
    if (empty_line) {
      while (out_.size() > start && out_.back() == ' ') out_.pop_back();
    } else {
      quote_lines_ = quoted ? quote_lines_ + 1 : 0;
    }
  }

  void WriteLine(std::string_view line, bool with_prefix) {
    BeginLine(with_prefix);
    out_ += line;
    out_ += '\n';
  }

  // Code: the text of a `pre` as it is, between fences.
  void WritePre(int32_t pre) {
    const bool in_heading = heading_ != 0;
    if (!in_heading) Break(2);
    std::string code;
    std::string_view language = Language(Node(pre));
    for (int32_t i = pre + 1; i < Node(pre).end;) {
      const HtmlNode& node = Node(i);
      if (Skipped(i)) {
        i = node.end;
        continue;
      }
      if (node.is_text()) {
        AppendCode(node.text, &code);
      } else {
        NoteId(node);
        if (node.tag == GUMBO_TAG_BR) code += '\n';
        if (!IsInlineTag(node.tag) && !code.empty() && code.back() != '\n') code += '\n';
        if (node.tag == GUMBO_TAG_IMG) code += tree_.Attribute(node, "alt");
        if (language.empty()) language = Language(node);
      }
      ++i;
    }
    if (language.empty() && Node(pre).parent >= 0) language = ParentLanguage(pre);
    if (in_heading) {
      Append(code);
      return;
    }
    while (!code.empty() && (code.back() == '\n' || code.back() == ' ' || code.back() == '\t')) {
      code.pop_back();
    }
    size_t start = 0;
    while (start < code.size() && code[start] == '\n') ++start;
    if (start == code.size()) return;
    const std::string fence(std::max<size_t>(3, LongestTicks(code) + 1), '`');
    line_id_ = id_;
    WriteLine(fence + std::string(language), true);
    while (start < code.size()) {
      const size_t end = std::min(code.find('\n', start), code.size());
      std::string_view line(code.data() + start, end - start);
      while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
      break_ = 1;
      if (line.empty()) {
        out_ += '\n';
      } else {
        WriteLine(line, true);
      }
      start = end + 1;
      if (out_.size() > limits_.max_text_bytes) return;
    }
    WriteLine(fence, true);
    break_ = 2;
  }

  static void AppendCode(std::string_view text, std::string* code) {
    size_t run = 0;
    for (size_t i = 0; i < text.size();) {
      const auto c = static_cast<uint8_t>(text[i]);
      if (!kSpecialBytes[c] || c == '\n' || c == '\t' || c == ' ') {
        ++i;
        continue;
      }
      const size_t none = WidthlessLength(text, i);
      const size_t blank = none > 0 ? 0 : BlankLength(text, i);
      if (none == 0 && blank == 0) {
        ++i;
        continue;
      }
      code->append(text, run, i - run);
      if (c == '\r') {
        if (i + 1 >= text.size() || text[i + 1] != '\n') *code += '\n';
      } else if (blank > 0) {
        *code += ' ';
      }
      i += none + blank;
      run = i;
    }
    code->append(text, run);
  }

  static size_t LongestTicks(std::string_view code) {
    size_t longest = 2;
    size_t run = 0;
    for (const char c : code) {
      run = c == '`' ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    return longest;
  }

  static bool IsLanguageName(std::string_view name) {
    return !name.empty() && name.size() <= 24 && std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '+' || c == '#' || c == '-' || c == '_' || c == '.';
    });
  }

  // The language that the classes of a node name; "" if none.
  std::string_view Language(const HtmlNode& node) const {
    std::string_view classes = tree_.Attribute(node, "class");
    while (!classes.empty()) {
      const size_t end = std::min(classes.find_first_of(" \t\n"), classes.size());
      std::string_view name = classes.substr(0, end);
      classes.remove_prefix(std::min(end + 1, classes.size()));
      for (const std::string_view prefix :
           {"language-", "lang-", "highlight-source-", "highlight-", "brush:"}) {
        if (!name.starts_with(prefix)) continue;
        name.remove_prefix(prefix.size());
        if (IsLanguageName(name) && name != "default" && name != "none" && name != "text" &&
            name != "notranslate") {
          return name;
        }
        break;
      }
    }
    return {};
  }

  // Sphinx: div.highlight-python > div.highlight > pre.
  std::string_view ParentLanguage(int32_t pre) const {
    int32_t i = Node(pre).parent;
    for (int steps = 0; i >= 0 && steps < 2; ++steps, i = Node(i).parent) {
      const std::string_view language = Language(Node(i));
      if (!language.empty()) return language;
      // Other code in the same element makes that one's class say nothing about this.
      if (Node(i).tag != GUMBO_TAG_DIV && Node(i).tag != GUMBO_TAG_FIGURE) break;
    }
    return {};
  }

  // Whether a table is one of data: text alone in its cells, and more than one row and column.
  bool IsDataTable(int32_t table) const {
    if (heading_ != 0) return false;
    int64_t rows = 0;
    int64_t columns = 0;
    bool plain = (contains_[static_cast<size_t>(table)] & (kHoldsTable | kHoldsBlock)) == 0;
    ForEachRow(table, [&](int32_t row) {
      int64_t cells = 0;
      ForEachCell(row, [&](int32_t) { ++cells; });
      columns = std::max(columns, cells);
      ++rows;
    });
    return plain && rows > 1 && columns > 1;
  }

  template <typename Visit>
  void ForEachRow(int32_t table, Visit visit) const {
    for (int32_t i = table + 1; i < Node(table).end; i = Node(i).end) {
      if (Skipped(i) || Node(i).is_text()) continue;
      if (Node(i).tag == GUMBO_TAG_TR) visit(i);
      if (Node(i).tag != GUMBO_TAG_TBODY && Node(i).tag != GUMBO_TAG_THEAD &&
          Node(i).tag != GUMBO_TAG_TFOOT) {
        continue;
      }
      for (int32_t row = i + 1; row < Node(i).end; row = Node(row).end) {
        if (!Skipped(row) && Node(row).tag == GUMBO_TAG_TR) visit(row);
      }
    }
  }

  template <typename Visit>
  void ForEachCell(int32_t row, Visit visit) const {
    for (int32_t i = row + 1; i < Node(row).end; i = Node(i).end) {
      if (!Skipped(i) && (Node(i).tag == GUMBO_TAG_TD || Node(i).tag == GUMBO_TAG_TH)) visit(i);
    }
  }

  void WriteTable(int32_t table) {
    Break(2);
    for (int32_t i = table + 1; i < Node(table).end; i = Node(i).end) {
      if (Node(i).tag != GUMBO_TAG_CAPTION || Skipped(i)) continue;
      AppendCell(i);
      Break(2);
    }
    bool is_first = true;
    ForEachRow(table, [&](int32_t row) {
      NoteId(Node(row));
      line_id_ = id_;
      std::string line = "|";
      bool only_headings = true;
      int cells = 0;
      bool has_text = false;
      ForEachCell(row, [&](int32_t cell) {
        only_headings = only_headings && Node(cell).tag == GUMBO_TAG_TH;
        ++cells;
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
      });
      if (!has_text) return;
      WriteLine(line, true);
      if (is_first && only_headings) {
        line = "|";
        for (int i = 0; i < cells; ++i) line += " --- |";
        WriteLine(line, true);
      }
      is_first = false;
    });
    break_ = 2;
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

  void WriteSpans() {
    for (size_t i = 0; i < marks_.size(); ++i) {
      const uint64_t end = i + 1 < marks_.size() ? marks_[i + 1].position : out_.size();
      if (marks_[i].position >= end) continue;
      std::optional<Locator> locator = locate_(marks_[i].id);
      if (!locator) continue;
      extraction_->spans.push_back({marks_[i].position, end, std::move(*locator)});
    }
  }

  const HtmlTree& tree_;
  const std::vector<HtmlNode>& nodes_;
  const std::vector<uint8_t>& skip_;
  const ElementLocator& locate_;
  const ExtractLimits& limits_;
  Extraction* extraction_;
  std::string& out_;
  std::vector<uint8_t> contains_;
  std::vector<int32_t> open_;
  std::vector<Prefix> prefixes_;
  std::vector<List> lists_;
  std::vector<Mark> marks_;
  std::string line_;
  std::string_view line_id_;
  std::string_view id_;
  bool pending_space_ = false;
  bool first_line_ = true;
  bool after_term_ = false;
  int break_ = 2;
  int heading_ = 0;
  int quote_lines_ = 0;
};

}  // namespace

void AppendCollapsedHtml(std::string_view text, bool* pending_space, std::string* line) {
  size_t i = 0;
  while (i < text.size()) {
    size_t run = i;
    while (i < text.size() && !kSpecialBytes[static_cast<uint8_t>(text[i])]) ++i;
    if (i > run) {
      if (*pending_space && !line->empty()) *line += ' ';
      *pending_space = false;
      line->append(text, run, i - run);
    }
    if (i == text.size()) break;
    if (const size_t none = WidthlessLength(text, i)) {
      i += none;
    } else if (const size_t blank = BlankLength(text, i)) {
      *pending_space = true;
      i += blank;
    } else {
      if (*pending_space && !line->empty()) *line += ' ';
      *pending_space = false;
      *line += text[i++];
    }
  }
}

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
  return HtmlMarkdownWriter(tree, skip, locate, limits, extraction).Run();
}

}  // namespace recall
