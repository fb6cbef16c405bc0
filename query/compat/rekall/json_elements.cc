#include "query/compat/rekall/json_elements.h"

#include "storage/base/json_scanner.h"

namespace recall {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

class JsonSplitter final {
 public:
  JsonSplitter(std::string_view text, int64_t line) : text_(text), line_(line) {}

  Result<std::vector<JsonElement>> Split() {
    SkipBlanks();
    const char open = Peek();
    if (open != '[' && open != '{') return Fail(Fault("expected an array or an object"));
    const char close = open == '[' ? ']' : '}';
    ++at_;
    std::vector<JsonElement> elements;
    SkipBlanks();
    if (Peek() == close) return End(std::move(elements));
    for (;;) {
      JsonElement element;
      SkipBlanks();
      if (open == '{') RECALL_TRY(ReadName(&element.name));
      SkipBlanks();
      element.line = line_;
      RECALL_TRY(ReadValue(&element.value));
      elements.push_back(element);
      SkipBlanks();
      const char next = Peek();
      if (next != ',' && next != close) return Fail(Fault("expected ',' or the end of the list"));
      if (next == close) return End(std::move(elements));
      ++at_;
    }
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  Status Fault(const std::string& message) const {
    return Status::InvalidArgument("invalid JSON: " + message).WithPosition({line_, 0, {}});
  }

  void SkipBlanks() {
    for (; at_ < text_.size() && kBlanks.find(text_[at_]) != kBlanks.npos; ++at_) {
      if (text_[at_] == '\n') ++line_;
    }
  }

  Result<std::vector<JsonElement>> End(std::vector<JsonElement> elements) {
    ++at_;
    SkipBlanks();
    if (at_ < text_.size()) return Fail(Fault("text follows the end"));
    return elements;
  }

  // Moves past a string, whose opening quote is next.
  Status SkipString() {
    const size_t quote = FindJsonQuote(text_, at_ + 1);
    if (text_.substr(at_, quote - at_).find('\n') != text_.npos) {
      return Fault("a string does not end on its line");
    }
    if (quote == text_.npos) return Fault("a string does not end");
    at_ = quote + 1;
    return Status::Ok();
  }

  Status ReadName(std::string_view* name) {
    if (Peek() != '"') return Fault("expected a name in quotes");
    const size_t begin = at_ + 1;
    RECALL_TRY(SkipString());
    *name = text_.substr(begin, at_ - 1 - begin);
    SkipBlanks();
    if (Peek() != ':') return Fault("expected ':'");
    ++at_;
    return Status::Ok();
  }

  Status ReadValue(std::string_view* value) {
    const size_t begin = at_;
    int64_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        RECALL_TRY(SkipString());
        continue;
      }
      const bool closes = c == ']' || c == '}';
      if (depth == 0 && (c == ',' || closes)) break;
      if (c == '[' || c == '{') ++depth;
      if (closes) --depth;
      if (c == '\n') ++line_;
      ++at_;
    }
    // Blanks behind the value belong to what follows; the lines in them were counted.
    const std::string_view read = text_.substr(begin, at_ - begin);
    *value = read.substr(0, read.find_last_not_of(kBlanks) + 1);
    return value->empty() ? Fault("expected a value") : Status::Ok();
  }

  std::string_view text_;
  size_t at_ = 0;
  int64_t line_;
};

}  // namespace

Result<std::vector<JsonElement>> SplitJson(std::string_view text, int64_t first_line) {
  return JsonSplitter(text, first_line).Split();
}

}  // namespace recall
