#include "cli/options/settings/store_locator.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/options/settings/absolute_path.h"
#include "cli/options/settings/found_store.h"
#include "cli/options/settings/linked_work_tree.h"
#include "cli/options/settings/named_stores.h"
#include "query/database/database.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

// Reads `path` into *layer, which is one of `layers`; a file that does not exist is an empty layer.
// Appends the file and its views to `layers`.
Status ReadOptional(const std::string& path, ConfigLayer* layer, UserPrograms* programs,
                    ConfigLayers* layers, std::vector<std::string>* warnings) {
  std::error_code ignored;
  if (path.empty()) return {};
  layers->files.push_back({path, fs::exists(path, ignored)});
  if (!layers->files.back().exists) return {};
  RECALL_ASSIGN(*layer, ReadConfigFile(path, programs, &layers->views, warnings, &layers->secrets));
  return {};
}

// Reads all layers except the recall.toml beside the store.
Result<ConfigLayers> ReadOuterLayers(const LocateRequest& request,
                                     std::vector<std::string>* warnings) {
  ConfigLayers layers;
  if (request.config_file.empty()) {
    RECALL_TRY(ReadOptional(request.user_file ? UserConfigPath() : "", &layers.user,
                            &layers.programs, &layers, warnings));
  } else {
    Result<ConfigLayer> layer = ReadConfigFile(request.config_file, &layers.programs, &layers.views,
                                               warnings, &layers.secrets);
    if (!layer) {
      return Fail(layer.error().WithHint("--config and RECALL_CONFIG must name an existing file"));
    }
    RECALL_ASSIGN(layers.store, std::move(layer));
    layers.files.push_back({request.config_file, true});
  }
  if (request.environment) {
    RECALL_ASSIGN(layers.environment, ReadConfigEnvironment());
  }
  RECALL_ASSIGN(layers.flags, ReadConfigFlags(request.settings));
  return layers;
}

// Where the warnings about a recall.toml in a directory go.
struct DirectoryWarnings {
  std::vector<std::string>* of_file;  // count only if the file is in force
  // Count in any case: what is refused can be the reason why another store is found, or none.
  std::vector<std::string>* of_refusals;
};

bool IsPlainFileName(const std::string& name) {
  return name != "." && name != ".." && name.find_first_of(std::string_view("/\0", 2)) == name.npos;
}

// The warning about a setting that only the user may make; "" if the entry is allowed in a
// recall.toml in a directory. Such a file can come with the directory, as in a clone, and must not
// lead to another store of the user.
std::string RefusalOf(const ConfigEntry& entry) {
  const auto text = [&] { return std::get<std::string>(entry.value); };
  if (entry.key == "store_path" && !IsPlainFileName(text())) {
    return entry.origin +
           ": store_path is ignored here, because it is not a plain file name; name a store "
           "elsewhere with --store, RECALL_STORE or your own recall.toml";
  }
  if (entry.key == "safe_directories" && !text().empty()) {
    return entry.origin +
           ": safe_directories is ignored here; only your own recall.toml may name them";
  }
  if (entry.key == "stores") {
    return entry.origin + ": stores is ignored here; only your own recall.toml may name stores";
  }
  return "";
}

// Removes from the layer of a recall.toml in a directory what only the user may set.
void RefuseForeignSettings(ConfigLayer* layer, std::vector<std::string>* warnings) {
  std::erase_if(*layer, [&](const ConfigEntry& entry) {
    std::string refusal = RefusalOf(entry);
    if (refusal.empty()) return false;
    warnings->push_back(std::move(refusal));
    return true;
  });
}

// Adds the layer of directory/recall.toml to `layers`, unless --config replaces it.
Result<ConfigLayers> WithDirectory(const LocateRequest& request, ConfigLayers layers,
                                   const fs::path& directory, const DirectoryWarnings& warnings) {
  if (request.config_file.empty() && request.store_file) {
    RECALL_TRY(ReadOptional((directory / "recall.toml").string(), &layers.store, nullptr, &layers,
                            warnings.of_file));
    RefuseForeignSettings(&layers.store, warnings.of_refusals);
  }
  return layers;
}

// The name of stores in directories, or an absolute path: the strongest `store_path` that is no
// address.
std::string FileNameIn(const ConfigLayers& layers) {
  std::string name = Config().store_path;
  for (const ConfigLayer* layer :
       {&layers.user, &layers.store, &layers.environment, &layers.flags}) {
    for (const ConfigEntry& entry : *layer) {
      if (entry.key != "store_path") continue;
      const auto& text = std::get<std::string>(entry.value);
      if (!IsServerAddress(text)) name = text;
    }
  }
  return name;
}

// The store that the user named by `word`, or where to search if it is "".
struct WantedStore {
  std::string place;  // a path or an address
  std::string name;   // if `word` was a name
};

StoreNames NamesIn(const ConfigLayers& layers) {
  const Config config = ResolveConfig(layers);
  const auto origin = config.origins.find("stores");
  return {config.stores, origin == config.origins.end() ? "" : origin->second};
}

// `layers`: without the file beside the store, which must not say what names mean.
Result<WantedStore> ReadWanted(const std::string& word, const ConfigLayers& layers) {
  RECALL_ASSIGN(const std::string named, PlaceOfStoreNamed(NamesIn(layers), word));
  return named.empty() ? WantedStore{word, ""} : WantedStore{named, word};
}

// The location of the file `store_path` in `directory`.
Result<StoreLocation> InDirectory(const LocateRequest& request, ConfigLayers layers,
                                  const fs::path& directory, const DirectoryWarnings& warnings) {
  StoreLocation location;
  RECALL_ASSIGN(location.layers, WithDirectory(request, std::move(layers), directory, warnings));
  location.path = (directory / FileNameIn(location.layers)).string();
  return location;
}

Result<StoreLocation> AtFile(const LocateRequest& request, ConfigLayers layers,
                             const fs::path& file, const DirectoryWarnings& warnings) {
  StoreLocation location;
  location.path = file.string();
  RECALL_ASSIGN(location.layers,
                WithDirectory(request, std::move(layers), file.parent_path(), warnings));
  return location;
}

// Checks a store that was found in a directory. One that the user named by an absolute `store_path`
// was not searched for.
Status CheckFound(const StoreLocation& location) {
  const Config config = ResolveConfig(location.layers);
  if (fs::path(FileNameIn(location.layers)).is_absolute()) return {};
  return CheckFoundStore(location.path, config.safe_directories,
                         TrustedOwners(::geteuid(), std::getenv("SUDO_UID")));
}

Status NoStore(const std::string& where) {
  return Status::StoreNotFound("store not found; run `recall init` first", where);
}

// Why there is no store at a path that the user named. `names`: of the stores that have one.
Status WhyNoStore(const std::string& path, const std::string& names) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) {
    return NoStore(path + (S_ISDIR(info.st_mode) ? " is a directory" : " is not a regular file"));
  }
  if (errno == ENOENT || errno == ENOTDIR) {
    return NoStore("no such file: " + path +
                   (names.empty() ? "" : "; the names of stores are " + names));
  }
  return Status::IoError(path + ": cannot open the store: " + std::strerror(errno),
                         "check the permissions of the file and of its directory");
}

// The store that the user named: a file, or the one of a directory.
Result<StoreLocation> LocateNamed(const LocateRequest& request, const ConfigLayers& layers,
                                  const WantedStore& wanted, const fs::path& place,
                                  std::vector<std::string>* warnings) {
  std::error_code ignored;
  const DirectoryWarnings all{warnings, warnings};
  RECALL_ASSIGN(StoreLocation location, fs::is_directory(place, ignored)
                                            ? InDirectory(request, layers, place, all)
                                            : AtFile(request, layers, place, all));
  location.name = wanted.name;
  if (StoreExists(location.path)) return location;
  return Fail(WhyNoStore(location.path,
                         wanted.name.empty() ? ListOfStoreNames(NamesIn(layers)) : std::string()));
}

void AppendFiles(const std::vector<ConfigFile>& files, StoreLocation* location) {
  location->layers.files.insert(location->layers.files.end(), files.begin(), files.end());
}

// The store of the nearest directory at or above `start` that has one. Above the root of a linked
// work tree of git, the search goes on at its main work tree. Nothing if there is none; `passed`
// gets the settings files of directories without a store.
Result<std::optional<StoreLocation>> LocateAround(const LocateRequest& request,
                                                  const ConfigLayers& layers, const fs::path& start,
                                                  std::vector<ConfigFile>* passed,
                                                  std::vector<std::string>* warnings) {
  bool in_main_work_tree = false;
  for (fs::path directory = start;;) {
    std::vector<std::string> found_warnings;
    RECALL_ASSIGN(StoreLocation location,
                  InDirectory(request, layers, directory, {&found_warnings, warnings}));
    if (StoreExists(location.path)) {
      RECALL_TRY(CheckFound(location));
      warnings->insert(warnings->end(), found_warnings.begin(), found_warnings.end());
      AppendFiles(*passed, &location);
      return std::optional(std::move(location));
    }
    if (request.config_file.empty() && request.store_file && location.layers.files.back().exists) {
      passed->push_back(location.layers.files.back());
      passed->back().in_force = false;
    }
    if (directory != directory.root_path()) {
      directory = directory.parent_path();
      continue;
    }
    const std::string main = in_main_work_tree ? "" : MainWorkTreeOf(start.string());
    if (main.empty()) return std::optional<StoreLocation>();
    in_main_work_tree = true;
    directory = main;
  }
}

}  // namespace

Result<StoreLocation> LocateStore(const LocateRequest& request,
                                  std::vector<std::string>* warnings) {
  RECALL_ASSIGN(const ConfigLayers layers, ReadOuterLayers(request, warnings));
  RECALL_ASSIGN(const WantedStore wanted, ReadWanted(request.store, layers));
  if (IsServerAddress(wanted.place)) return StoreLocation{wanted.place, layers, wanted.name};
  RECALL_ASSIGN(const fs::path start, AbsolutePath(wanted.place));
  if (!wanted.place.empty()) return LocateNamed(request, layers, wanted, start, warnings);
  std::vector<ConfigFile> passed;
  RECALL_ASSIGN(std::optional<StoreLocation> found,
                LocateAround(request, layers, start, &passed, warnings));
  if (found) return *std::move(found);
  StoreLocation elsewhere{ResolveConfig(layers).store_path, layers};
  if (IsServerAddress(elsewhere.path)) {
    AppendFiles(passed, &elsewhere);
    return elsewhere;
  }
  return Fail(NoStore("neither " + start.string() +
                      " nor its parent directories contain a store; specify one with --store"));
}

Result<std::string> LocateOther(const LocateRequest& request, const std::string& store) {
  LocateRequest named = request;
  named.store = store;
  std::vector<std::string> unused;
  const auto found = LocateStore(named, &unused);
  // "Store not found" is said only of the store that a command works on.
  if (!found && found.error().code() == StatusCode::kStoreNotFound) {
    return Fail(Status::NotFound("no such store: " + store, std::string(found.error().hint())));
  }
  if (!found) return Fail(found.error());
  return found->path;
}

Result<StoreLocation> PlanStore(const LocateRequest& request, const std::string& target,
                                std::vector<std::string>* warnings) {
  RECALL_ASSIGN(const ConfigLayers layers, ReadOuterLayers(request, warnings));
  RECALL_ASSIGN(const WantedStore wanted, ReadWanted(target, layers));
  if (IsServerAddress(wanted.place)) return StoreLocation{wanted.place, layers, wanted.name};
  RECALL_ASSIGN(const fs::path place, AbsolutePath(wanted.place));
  const DirectoryWarnings all{warnings, warnings};
  std::error_code ignored;
  const bool is_file = place.extension() == ".db" && !fs::is_directory(place, ignored);
  RECALL_ASSIGN(StoreLocation location, is_file ? AtFile(request, layers, place, all)
                                                : InDirectory(request, layers, place, all));
  location.name = wanted.name;
  return location;
}

}  // namespace recall
