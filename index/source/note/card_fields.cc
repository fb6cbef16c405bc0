#include "index/source/note/card_fields.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "index/source/chunk/front_matter.h"

namespace recall {
namespace {

// Which bytes of a card belong to which field.
//
//   title: Don't stack focus styles       <- a key at the start of a line; its value follows
//   recall_when:                          <- the value: everything up to the next such key
//     - creating new input component      # but no comments
//   tags: [css, focus]
//
// Problem: a YAML parser gives the values and not their places; the places are needed to tell which
// words of the first chunk are whose.
//
// Idea: words are all that counts, so quotes, dashes and brackets need not be understood, only left
// out by the tokenizer. What must be understood is where a key begins (only at the start of a line
// of the outermost map) and what is a comment: "#" after white space, unless it is within quotes or
// a block of text. Quotes open only where a scalar begins, so the apostrophe of "Don't" is none.
//
// Invariants: spans ascend, do not overlap, and lie within the lines of the front matter. The same
// bytes give the same spans forever, because stores contain the tokens.
//
// Cost: one pass over the front matter, which has at most 64 KiB.

constexpr std::pair<std::string_view, CardField> kKeys[] = {
    {"recall_when", CardField::kTrigger}, {"title", CardField::kTitle},
    {"tags", CardField::kTags},           {"topic_path", CardField::kTopic},
    {"summary", CardField::kSummary},
};

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Whether a key of the card, as it is written, is `normal`: letters may be capitals, '_' may be '-'
// or a space, and the key may be in quotes.
bool IsKey(std::string_view written, std::string_view normal) {
  const bool quoted = written.size() >= 2 && (written.front() == '"' || written.front() == '\'') &&
                      written.front() == written.back();
  if (quoted) written = written.substr(1, written.size() - 2);
  return std::ranges::equal(written, normal, [](char a, char b) {
    if (a >= 'A' && a <= 'Z') a = static_cast<char>(a - 'A' + 'a');
    return a == b || (b == '_' && (a == '-' || a == ' '));
  });
}

// The end of the key that begins at the start of a line, which is the offset of its colon; nothing
// if the line begins no key.
std::optional<size_t> EndOfKey(std::string_view line) {
  if (line.empty() || IsBlank(line.front())) return std::nullopt;
  constexpr std::string_view kNoKeys = "#-[]{},|>%@`&*!?";
  if (kNoKeys.find(line.front()) != std::string_view::npos) return std::nullopt;
  const bool quoted = line.front() == '"' || line.front() == '\'';
  size_t at = quoted ? line.find(line.front(), 1) : 0;
  if (at == std::string_view::npos) return std::nullopt;
  for (at = line.find(':', at); at != std::string_view::npos; at = line.find(':', at + 1)) {
    if (at + 1 == line.size() || IsBlank(line[at + 1])) return at;
  }
  return std::nullopt;
}

// Reads the value of one key.
class ValueReader final {
 public:
  ValueReader(CardField field, std::vector<CardSpan>* spans) : field_(field), spans_(spans) {}

  // Takes the next line, or its rest after the key: the bytes from `begin` on.
  void Read(std::string_view line, size_t begin) {
    const size_t first = std::min(line.find_first_not_of(" \t\r"), line.size());
    if (first == line.size()) return;
    if (is_first_ && (line[first] == '|' || line[first] == '>')) {
      // A block of text begins on the next line. Here is only how it is folded: ">-", "|2".
      is_first_ = false;
      is_block_ = true;
      return;
    }
    is_first_ = false;
    size_t end = is_block_ ? line.size() : WithoutComment(line, first);
    while (end > first && IsBlank(line[end - 1])) --end;
    if (end > first) spans_->push_back({field_, begin + first, begin + end});
  }

 private:
  // Returns the offset of the comment that ends the line. Keeps whether a quote is open.
  size_t WithoutComment(std::string_view line, size_t first) {
    bool scalar_begins = quote_ == 0;
    for (size_t at = first; at < line.size(); ++at) {
      const char c = line[at];
      if (quote_ != 0) {
        const bool doubled = quote_ == '\'' && line.substr(at).starts_with("''");
        const bool escaped = quote_ == '"' && c == '\\';
        if (doubled || escaped) {
          ++at;
        } else if (c == quote_) {
          quote_ = 0;
        }
        continue;
      }
      if (c == '#' && (at == first || IsBlank(line[at - 1]))) return at;
      if ((c == '"' || c == '\'') && scalar_begins) quote_ = c;
      const bool item = c == '-' && scalar_begins && at + 1 < line.size() && IsBlank(line[at + 1]);
      if (!IsBlank(c)) scalar_begins = item || c == '[' || c == ',' || c == '{';
    }
    return line.size();
  }

  CardField field_;
  std::vector<CardSpan>* spans_;
  bool is_first_ = true;
  bool is_block_ = false;
  char quote_ = 0;  // of the scalar that is open; 0: none
};

}  // namespace

std::vector<CardSpan> FindCardFields(std::string_view text) {
  std::vector<CardSpan> spans;
  const std::optional<FrontMatter> card = FindFrontMatter(text);
  if (!card) return spans;
  std::optional<ValueReader> value;
  const auto first = static_cast<size_t>(card->body.data() - text.data());
  for (size_t at = 0; at < card->body.size();) {
    const size_t end = std::min(card->body.find('\n', at), card->body.size());
    std::string_view line = card->body.substr(at, end - at);
    size_t begin = first + at;
    if (const std::optional<size_t> colon = EndOfKey(line)) {
      std::string_view key = line.substr(0, *colon);
      key = key.substr(0, key.find_last_not_of(" \t") + 1);
      const auto* const known =
          std::ranges::find_if(kKeys, [key](const auto& entry) { return IsKey(key, entry.first); });
      value.reset();
      if (known != std::end(kKeys)) value.emplace(known->second, &spans);
      line.remove_prefix(*colon + 1);
      begin += *colon + 1;
    }
    if (value) value->Read(line, begin);
    at = end + 1;
  }
  return spans;
}

}  // namespace recall
