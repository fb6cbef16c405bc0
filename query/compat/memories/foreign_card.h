#pragma once

// Between the card of a note, as JSON of its front matter, and a NoteDraft.

#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/source/note/note_draft.h"

namespace recall {

// The fields of a card, or of a record of another program, which are taken out one after another.
// What is left at the end has no place of its own.
class CardFields final {
 public:
  // `fields`: an object. U+FFFD takes the place of each NUL in its texts.
  explicit CardFields(nlohmann::json fields);
  // Whether there was a NUL.
  bool repaired() const { return repaired_; }

  // Each function takes the first of these fields that is there with a usable value: one that is
  // not usable stays. Numbers and booleans count as texts. Null counts as absent.
  std::optional<std::string> Text(std::initializer_list<std::string_view> names);
  // An array of texts, or one text with commas between its items. Empty items are left out.
  std::vector<std::string> List(std::initializer_list<std::string_view> names);
  std::optional<double> Number(std::initializer_list<std::string_view> names);
  std::optional<int64_t> Integer(std::initializer_list<std::string_view> names);
  std::optional<UnixNanos> Time(std::initializer_list<std::string_view> names);
  std::optional<nlohmann::json> Any(std::initializer_list<std::string_view> names);

  // The texts of an array, all of them; other elements are printed as JSON. Empty if there is none.
  std::vector<std::string> Texts(std::string_view name);
  // The texts of a field, as List gives them, which stays where it is.
  std::vector<std::string> Peek(std::string_view name) const;
  // Takes the first of these fields for which `convert`, a function from nlohmann::json to a
  // std::optional, returns a value.
  template <typename Convert>
  auto Take(std::initializer_list<std::string_view> names, Convert convert)
      -> decltype(convert(nlohmann::json()));

  // What is left, with values as JSON, by name; without null, "", [] and {}.
  std::vector<std::pair<std::string, std::string>> Rest() const;

 private:
  nlohmann::json fields_;
  bool repaired_ = false;
};

template <typename Convert>
auto CardFields::Take(std::initializer_list<std::string_view> names, Convert convert)
    -> decltype(convert(nlohmann::json())) {
  for (const std::string_view name : names) {
    const auto field = fields_.find(std::string(name));
    if (field == fields_.end() || field->is_null()) continue;
    auto value = convert(*field);
    if (!value) continue;
    fields_.erase(field);
    return value;
  }
  return std::nullopt;
}

// The members of a note that its card has under the names of NoteDraft. The text is not set.
NoteDraft TakeDraft(CardFields* fields);

// Adds what is left of the fields to the card, and counts each key in *kept.
void KeepRest(const CardFields& fields, NoteDraft* draft, std::map<std::string, int64_t>* kept);

}  // namespace recall
