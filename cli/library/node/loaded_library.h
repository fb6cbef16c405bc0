#pragma once

#include <string>

#include "cli/library/recall.h"

namespace recall {

// The functions of a librecall that was loaded at run time, by their names without "recall_". The
// library stays loaded until the process ends, because its threads may outlive who loaded it.
struct LoadedLibrary {
  decltype(&recall_version) version;
  decltype(&recall_abi_version) abi_version;
  decltype(&recall_open) open;
  decltype(&recall_close) close;
  decltype(&recall_cancel) cancel;
  decltype(&recall_set_progress) set_progress;
  decltype(&recall_json) json;
  decltype(&recall_error_of) error_of;
  decltype(&recall_free) free;
  decltype(&recall_call) call;
  decltype(&recall_add_text) add_text;
  decltype(&recall_add_lines) add_lines;
  decltype(&recall_set_new) set_new;
  decltype(&recall_set_free) set_free;
  decltype(&recall_search) search;
  decltype(&recall_count) count;
  decltype(&recall_hit_at) hit_at;
  decltype(&recall_hits_free) hits_free;
};

// Loads the library at `path`, an absolute path. Returns: "", or why it cannot be used.
std::string LoadLibrary(const std::string& path, LoadedLibrary* library);

}  // namespace recall
