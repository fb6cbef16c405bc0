#pragma once

#include <string>
#include <vector>

#include "cli/options/settings/config.h"
#include "storage/base/result.h"

namespace recall {

// The path of an existing or new store, and the settings that apply there.
struct StoreLocation {
  std::string path;  // absolute; or the address of a store on a server
  ConfigLayers layers;
  std::string name = {};  // by which the user named it (named_stores.h); else ""
};

struct LocateRequest {
  // --store or RECALL_STORE: a name (named_stores.h), an address, a file or a directory; "" to
  // search for one.
  std::string store;
  std::string config_file;  // --config or RECALL_CONFIG: read instead of both recall.toml files
  std::vector<FlagSetting> settings;
  // Which settings are read besides: those of the environment, of the user's own recall.toml, and
  // of the recall.toml beside the store.
  bool environment = true;
  bool user_file = true;
  bool store_file = true;
};

// Finds the store: at `store`, or else as `store_path` in the working directory or the nearest one
// above that has it; then, in a linked work tree, from the main one. If `store_path` is an address,
// recall.db is searched for in these directories, and the address is the last place. Whether there
// is a store on the server is not asked. StoreNotFound: there is none; IoError: the one found by
// searching is another user's, or a link elsewhere (found_store.h).
Result<StoreLocation> LocateStore(const LocateRequest& request, std::vector<std::string>* warnings);

// Finds another store than the one that a command works on, named as --store names one. Returns:
// its path. Errors: those of LocateStore, but NotFound for StoreNotFound.
Result<std::string> LocateOther(const LocateRequest& request, const std::string& store);

// The location of the store that `recall init TARGET` creates. TARGET is a name, an address, a
// directory, or a file that ends in ".db".
Result<StoreLocation> PlanStore(const LocateRequest& request, const std::string& target,
                                std::vector<std::string>* warnings);

}  // namespace recall
