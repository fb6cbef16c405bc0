#include "index/source/note/indexed_title.h"

#include "index/base/json/json_tape.h"
#include "index/source/chunk/parser.h"

namespace recall {
namespace {

std::string FirstText(TapeValue value) {
  if (!value.IsArray()) return value.Text();
  std::string first;
  value.ForEach([&](TapeValue element) {
    if (first.empty()) first = element.Text();
  });
  return first;
}

}  // namespace

std::string IndexedTitle(std::string_view parser, const std::optional<std::string>& meta) {
  if (!meta || parser == ParserName(Parser::kNote) || parser == ParserName(Parser::kSession)) {
    return {};
  }
  JsonTape tape;
  if (!tape.Parse(*meta)) return {};
  const TapeValue root = tape.root();
  std::string title = FirstText(root["title"]);
  return title.empty() ? FirstText(root["subject"]) : title;
}

}  // namespace recall
