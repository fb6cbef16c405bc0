#include "index/source/secrets/json_strings.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "storage/base/json_scanner.h"

namespace recall {
namespace {

// Once a text is known to be JSON, its strings are what stands between quotes, and whether one is
// the name of a member depends only on the brackets, colons and commas between them.

class JsonStringMapper final {
 public:
  JsonStringMapper(std::string_view json, const MapJsonString& map) : json_(json), map_(map) {}

  std::string Run() {
    for (size_t at = 0; at < json_.size();) {
      if (json_[at] == '"') {
        at = TakeString(at);
        continue;
      }
      TakeMark(json_[at]);
      ++at;
    }
    mapped_ += json_.substr(copied_);
    return std::move(mapped_);
  }

 private:
  struct Container {
    bool is_object;
    bool wants_name;            // the next string is the name of a member
    std::string name;           // of the current member, or of the list
    std::string sibling;        // the value of the member "name" or "key"
    bool after_string = false;  // the last element was a string
  };

  void TakeMark(char c) {
    if (c == '{' || c == '[') {
      if (!open_.empty()) open_.back().after_string = false;
      std::string inherited = c == '[' && !open_.empty() ? open_.back().name : std::string();
      open_.push_back({c == '{', c == '{', std::move(inherited), {}});
    } else if (open_.empty()) {
      return;
    } else if (c == '}' || c == ']') {
      open_.pop_back();
    } else if (c == ',') {
      open_.back().wants_name = open_.back().is_object;
    } else if (c == ':') {
      open_.back().wants_name = false;
    }
  }

  // Returns: the place behind the string that begins at `at`.
  size_t TakeString(size_t at) {
    const size_t end = FindJsonQuote(json_, at + 1) + 1;
    const std::string_view written = json_.substr(at, end - at);
    std::string decoded;
    std::string_view text = written.substr(1, written.size() - 2);
    if (text.find('\\') != text.npos) {
      decoded = nlohmann::json::parse(written).get<std::string>();
      text = decoded;
    }
    const std::string mapped = map_({NameFor(), FollowsString()}, text);
    Remember(text);
    if (mapped == text) return end;
    mapped_ += json_.substr(copied_, at - copied_);
    mapped_ +=
        nlohmann::json(mapped).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    copied_ = end;
    return end;
  }

  std::string_view NameFor() const {
    if (open_.empty() || open_.back().wants_name) return {};
    const Container& container = open_.back();
    return container.name == "value" && !container.sibling.empty() ? container.sibling
                                                                   : container.name;
  }

  bool FollowsString() const {
    return !open_.empty() && !open_.back().is_object && open_.back().after_string;
  }

  void Remember(std::string_view text) {
    if (open_.empty()) return;
    Container& container = open_.back();
    container.after_string = true;
    if (!container.is_object) return;
    if (container.wants_name) {
      container.name = text;
    } else if (container.name == "name" || container.name == "key") {
      container.sibling = text;
    }
  }

  std::string_view json_;
  const MapJsonString& map_;
  std::string mapped_;
  size_t copied_ = 0;  // json_ is in mapped_ up to here
  std::vector<Container> open_;
};

}  // namespace

std::optional<std::string> MapJsonStrings(std::string_view json, const MapJsonString& map) {
  const size_t first = json.find_first_not_of(" \t\r\n");
  if (first == json.npos || (json[first] != '{' && json[first] != '[')) return std::nullopt;
  // For that parser a NUL is the end.
  if (json.find('\0') != json.npos || !nlohmann::json::accept(json)) return std::nullopt;
  return JsonStringMapper(json, map).Run();
}

}  // namespace recall
