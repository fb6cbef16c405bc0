#include "cli/library/node/loaded_library.h"

#include <dlfcn.h>

namespace recall {
namespace {

// Loads functions one after the other, and remembers the first that is missing.
class FunctionLoader final {
 public:
  explicit FunctionLoader(void* library) : library_(library) {}

  template <typename Function>
  void Load(const char* name, Function* function) {
    void* const found = ::dlsym(library_, name);
    if (found == nullptr && missing_.empty()) missing_ = name;
    *function = reinterpret_cast<Function>(found);
  }
  const std::string& missing() const { return missing_; }

 private:
  void* const library_;
  std::string missing_;
};

}  // namespace

std::string LoadLibrary(const std::string& path, LoadedLibrary* library) {
  // Local, so that a library of another version in the same process does not matter.
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) return ::dlerror();
  FunctionLoader loader(handle);
  loader.Load("recall_version", &library->version);
  loader.Load("recall_abi_version", &library->abi_version);
  loader.Load("recall_open", &library->open);
  loader.Load("recall_close", &library->close);
  loader.Load("recall_cancel", &library->cancel);
  loader.Load("recall_set_progress", &library->set_progress);
  loader.Load("recall_json", &library->json);
  loader.Load("recall_error_of", &library->error_of);
  loader.Load("recall_free", &library->free);
  loader.Load("recall_call", &library->call);
  loader.Load("recall_add_text", &library->add_text);
  loader.Load("recall_add_lines", &library->add_lines);
  loader.Load("recall_set_new", &library->set_new);
  loader.Load("recall_set_free", &library->set_free);
  loader.Load("recall_search", &library->search);
  loader.Load("recall_count", &library->count);
  loader.Load("recall_hit_at", &library->hit_at);
  loader.Load("recall_hits_free", &library->hits_free);
  if (!loader.missing().empty()) return path + " has no function " + loader.missing();
  if (library->abi_version() < RECALL_ABI_VERSION) {
    return path + " is too old: its interface has version " +
           std::to_string(library->abi_version()) + ", and " + std::to_string(RECALL_ABI_VERSION) +
           " is needed";
  }
  return "";
}

}  // namespace recall
