#include "cli/options/settings/named_stores.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "query/types/open_types.h"
#include "query/types/store_types.h"

namespace recall {
namespace {

struct NamedPlace {
  std::string name;
  std::string place;
};

std::string_view WithoutSpaces(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

bool IsNameOfStore(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !name.empty() && name[0] >= 'a' && name[0] <= 'z' && std::ranges::all_of(name, fits);
}

Status IllFormed(const StoreNames& setting, const std::string& what, const std::string& hint) {
  const std::string where = setting.origin.empty() ? "" : setting.origin + ": ";
  return Status::InvalidArgument(where + "stores: " + what, hint);
}

// "~/notes" as an absolute path.
Result<std::string> ExpandHome(const StoreNames& setting, std::string_view place) {
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return std::string(home) + std::string(place.substr(1));
  return Fail(IllFormed(setting, "there is no home directory for '" + std::string(place) + "'",
                        "set HOME, or name the store by an absolute path"));
}

Result<NamedPlace> ParseNamedPlace(const StoreNames& setting, std::string_view item) {
  const size_t equals = std::min(item.find('='), item.size());
  NamedPlace store{.name = std::string(item.substr(0, equals)), .place = {}};
  const std::string_view place = equals < item.size() ? item.substr(equals + 1) : "";
  if (!IsNameOfStore(store.name)) {
    return Fail(IllFormed(
        setting, "'" + std::string(item) + "' does not begin with NAME=",
        "a name has letters a-z, digits, _ and -, and begins with a letter: team=/srv/team.db"));
  }
  if (place.starts_with("~/")) {
    RECALL_ASSIGN(store.place, ExpandHome(setting, place));
  } else if (place.starts_with('/') || IsServerAddress(place)) {
    store.place = place;
  } else {
    return Fail(IllFormed(setting, "'" + std::string(item) + "' names no store",
                          "after NAME= write an absolute path, one that begins with ~/, or "
                          "postgres://..."));
  }
  return store;
}

Result<std::vector<NamedPlace>> ParseNamedPlaces(const StoreNames& setting) {
  std::vector<NamedPlace> stores;
  for (std::string_view rest = setting.text; !rest.empty();) {
    const size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view item = WithoutSpaces(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (item.empty()) continue;
    RECALL_ASSIGN(NamedPlace store, ParseNamedPlace(setting, item));
    if (std::ranges::count(stores, store.name, &NamedPlace::name) > 0) {
      return Fail(IllFormed(setting, "two stores are called '" + store.name + "'",
                            "give each store a name of its own"));
    }
    stores.push_back(std::move(store));
  }
  return stores;
}

}  // namespace

Result<std::string> PlaceOfStoreNamed(const StoreNames& setting, const std::string& word) {
  if (setting.text.empty() || !IsNameOfStore(word)) return std::string();
  RECALL_ASSIGN(const std::vector<NamedPlace> stores, ParseNamedPlaces(setting));
  const auto found = std::ranges::find(stores, word, &NamedPlace::name);
  return found == stores.end() ? std::string() : found->place;
}

std::string ListOfStoreNames(const StoreNames& setting) {
  const auto stores = ParseNamedPlaces(setting);
  std::string names;
  if (!stores) return names;
  for (const NamedPlace& store : *stores) names += (names.empty() ? "" : ", ") + store.name;
  return names;
}

Status CheckStoreNames(const StoreNames& setting) {
  const auto stores = ParseNamedPlaces(setting);
  return stores ? Status() : stores.error();
}

}  // namespace recall
