#include "tests/cli/show/html/xml_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

namespace recall {
namespace {

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == ':' || c == '_';
}

class Reader final {
 public:
  explicit Reader(std::string_view page) : rest_(page) {}

  XmlContent Read() {
    constexpr std::string_view kDoctype = "<!DOCTYPE html>";
    if (!rest_.starts_with(kDoctype)) return Fault("no doctype");
    rest_.remove_prefix(kDoctype.size());
    while (content_.fault.empty() && !rest_.empty()) rest_[0] == '<' ? Tag() : Text();
    if (content_.fault.empty() && !open_.empty()) Fault("not closed: " + open_.back());
    if (content_.fault.empty() && roots_ != 1) Fault("not one root");
    return content_;
  }

 private:
  XmlContent& Fault(const std::string& what) {
    if (content_.fault.empty())
      content_.fault = what + " before: " + std::string(rest_.substr(0, 60));
    return content_;
  }

  std::string Name() {
    const auto end = std::ranges::find_if_not(rest_, IsNameCharacter);
    const std::string name(rest_.begin(), end);
    rest_.remove_prefix(name.size());
    return name;
  }

  std::string Resolved(std::string_view raw) {
    static constexpr std::array<std::pair<std::string_view, char>, 5> kReferences = {
        {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
    std::string text;
    while (!raw.empty()) {
      if (raw[0] != '&') {
        const auto c = static_cast<unsigned char>(raw[0]);
        if (c < 0x20 && c != '\n') Fault("a control character");
        text += raw[0];
        raw.remove_prefix(1);
        continue;
      }
      const auto found = std::ranges::find_if(
          kReferences, [&](const auto& reference) { return raw.starts_with(reference.first); });
      if (found == kReferences.end()) {
        Fault("an unknown reference");
        return text;
      }
      text += found->second;
      raw.remove_prefix(found->first.size());
    }
    return text;
  }

  void Text() {
    const std::string_view raw = rest_.substr(0, rest_.find('<'));
    const std::string text = Resolved(raw);
    const bool blank = text.find_first_not_of(" \n") == text.npos;
    if (open_.empty() && !blank) Fault("text outside of the root");
    content_.text += text;
    rest_.remove_prefix(raw.size());
  }

  void Attributes() {
    std::set<std::string> names;
    while (rest_.starts_with(" ")) {
      rest_.remove_prefix(1);
      const std::string name = Name();
      if (name.empty() || !rest_.starts_with("=\"")) return void(Fault("an attribute"));
      rest_.remove_prefix(2);
      const size_t end = rest_.find('"');
      if (end == rest_.npos || rest_.substr(0, end).find('<') != rest_.npos) {
        return void(Fault("a value of an attribute"));
      }
      if (!names.insert(name).second) Fault("an attribute twice");
      content_.attributes.push_back(name + "=" + Resolved(rest_.substr(0, end)));
      rest_.remove_prefix(end + 1);
    }
  }

  void Tag() {
    rest_.remove_prefix(1);
    if (rest_.starts_with("/")) {
      rest_.remove_prefix(1);
      const std::string name = Name();
      if (open_.empty() || open_.back() != name || !rest_.starts_with(">")) {
        return void(Fault("the end of " + name));
      }
      rest_.remove_prefix(1);
      open_.pop_back();
      return;
    }
    const std::string name = Name();
    if (name.empty()) return void(Fault("a tag"));
    if (open_.empty()) ++roots_;
    content_.elements.push_back(name);
    Attributes();
    if (rest_.starts_with("/>")) {
      rest_.remove_prefix(2);
    } else if (rest_.starts_with(">")) {
      rest_.remove_prefix(1);
      open_.push_back(name);
    } else {
      Fault("the end of the tag " + name);
    }
  }

  std::string_view rest_;
  std::vector<std::string> open_;
  int roots_ = 0;
  XmlContent content_;
};

}  // namespace

XmlContent ReadXml(std::string_view page) { return Reader(page).Read(); }

}  // namespace recall
