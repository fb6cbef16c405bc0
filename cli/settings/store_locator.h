#pragma once

#include <string>
#include <vector>

#include "cli/settings/config.h"
#include "storage/base/result.h"

namespace recall {

// Where a store is, or will be, and the settings that come with its place.
struct StoreLocation {
  std::string path;  // absolute
  ConfigLayers layers;
};

struct LocateRequest {
  std::string store;        // --store or RECALL_STORE: a file or a directory; "" to look for one
  std::string config_file;  // --config or RECALL_CONFIG: read instead of both recall.toml files
  std::vector<FlagSetting> settings;
};

// Finds the store: at `store`, or else as `store_path` in the working directory or the nearest
// directory above that has one. NotFound: there is none.
Result<StoreLocation> LocateStore(const LocateRequest& request, std::vector<std::string>* warnings);

// Where `recall init TARGET` makes a store: TARGET is a directory, or a file that ends in ".db".
Result<StoreLocation> PlanStore(const LocateRequest& request, const std::string& target,
                                std::vector<std::string>* warnings);

}  // namespace recall
