#pragma once

#include <string>

#include "storage/base/result.h"

namespace recall {

// The setting `stores`: names that the user gives to stores, NAME=PLACE, separated by semicolons.
// PLACE is the address of a store on a server, an absolute path, or a path below the user's home
// directory that begins with "~/". A name consists of a-z, 0-9, '_' and '-', and begins with a
// letter.

struct StoreNames {
  std::string text;    // the value of the setting
  std::string origin;  // where it was set, for messages; "" if unknown
};

// The place of the store that is called `word`: an absolute path or an address. "" if no store of
// the setting is called so. Errors: InvalidArgument if the setting is ill-formed.
Result<std::string> PlaceOfStoreNamed(const StoreNames& names, const std::string& word);

// The names of the setting, "notes, team"; "" if there are none, or if it is ill-formed.
std::string ListOfStoreNames(const StoreNames& names);

// Checks the value of the setting. Errors: InvalidArgument.
Status CheckStoreNames(const StoreNames& names);

}  // namespace recall
