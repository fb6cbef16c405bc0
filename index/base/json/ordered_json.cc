#include "index/base/json/ordered_json.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace recall {
namespace {

using Json = nlohmann::ordered_json;
using Members = Json::object_t::Container;

// Keeps of members with equal names the place of the first and the value of the last.
void KeepLastOfEqualNames(Members& members) {
  std::vector<size_t> by_name(members.size());
  for (size_t i = 0; i < by_name.size(); ++i) by_name[i] = i;
  const auto name_of = [&](size_t i) -> const std::string& { return members[i].first; };
  std::ranges::stable_sort(by_name, {}, name_of);
  const auto is_next_equal = [&](size_t a, size_t b) { return name_of(a) == name_of(b); };
  auto first = std::ranges::adjacent_find(by_name, is_next_equal);
  if (first == by_name.end()) return;
  std::vector<bool> is_dropped(members.size());
  for (; first != by_name.end(); first = std::adjacent_find(first, by_name.end(), is_next_equal)) {
    auto last = first;
    while (last + 1 != by_name.end() && is_next_equal(*first, *(last + 1))) {
      is_dropped[*++last] = true;
    }
    members[*first].second = std::move(members[*last].second);
    first = last;
  }
  Members kept;
  for (size_t i = 0; i < members.size(); ++i) {
    if (!is_dropped[i]) {
      kept.emplace_back(members[i].first, std::move(members[i].second));
    }
  }
  members = std::move(kept);
}

// Builds the tree from the parser's events. The containers that are open are the last elements of
// each other, so that none of them moves while it is open.
class TreeBuilder final : public nlohmann::json_sax<Json> {
 public:
  explicit TreeBuilder(const JsonLimits& limits) : limits_(limits) {}

  Json& root() { return root_; }
  JsonFault fault() const { return fault_; }

  bool null() override { return Put(nullptr); }
  bool boolean(bool value) override { return Put(value); }
  bool number_integer(number_integer_t value) override { return Put(value); }
  bool number_unsigned(number_unsigned_t value) override { return Put(value); }
  bool number_float(number_float_t value, const string_t&) override { return Put(value); }
  bool string(string_t& value) override { return Put(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // is not in JSON

  bool start_object(size_t) override { return Open(Json::object()); }
  bool start_array(size_t) override { return Open(Json::array()); }
  bool key(string_t& name) override {
    OpenMembers().emplace_back(std::move(name), nullptr);
    return true;
  }
  bool end_object() override {
    KeepLastOfEqualNames(OpenMembers());
    open_.pop_back();
    return true;
  }
  bool end_array() override {
    open_.pop_back();
    return true;
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  Members& OpenMembers() { return open_.back()->get_ref<Json::object_t&>(); }

  bool Fail(JsonFault fault) {
    fault_ = fault;
    return false;
  }

  bool Put(Json value) { return Append(std::move(value)) != nullptr; }

  bool Open(Json container) {
    if (open_.size() >= limits_.depth) return Fail(JsonFault::kTooDeep);
    Json* const opened = Append(std::move(container));
    if (opened == nullptr) return false;
    open_.push_back(opened);
    return true;
  }

  // Returns: where the value stands; null if there are too many.
  Json* Append(Json value) {
    if (values_++ >= limits_.values) {
      fault_ = JsonFault::kTooManyValues;
      return nullptr;
    }
    if (open_.empty()) return &(root_ = std::move(value));
    Json& parent = *open_.back();
    if (parent.is_array()) return &parent.emplace_back(std::move(value));
    return &(OpenMembers().back().second = std::move(value));
  }

  const JsonLimits& limits_;
  Json root_;
  std::vector<Json*> open_;  // outermost first
  size_t values_ = 0;
  JsonFault fault_ = JsonFault::kInvalid;
};

}  // namespace

tl::expected<nlohmann::ordered_json, JsonFault> ParseOrderedJson(std::string_view text,
                                                                 const JsonLimits& limits) {
  TreeBuilder builder(limits);
  if (!Json::sax_parse(text, &builder)) return tl::unexpected(builder.fault());
  return std::move(builder.root());
}

}  // namespace recall
