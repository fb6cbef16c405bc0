// A program whose allocator counts and fails, for c_header_test.cc: the functions can only be set
// before the library is used. Prints nothing and ends with 0 if all is as promised.

#include <cstdlib>
#include <cstring>

#include "cli/library/recall.h"

namespace {

struct Memory {
  long held = 0;
  long left = -1;  // allocations before they fail; -1: they do not
};

void* Take(size_t size, void* user) {
  auto* const memory = static_cast<Memory*>(user);
  if (memory->left == 0) return nullptr;
  if (memory->left > 0) --memory->left;
  ++memory->held;
  return std::malloc(size);
}

void Give(void* block, void* user) {
  --static_cast<Memory*>(user)->held;
  std::free(block);
}

// Returns: the number of the line that is not as promised; 0: none.
int Check(const char* path, Memory* memory) {
  recall_store* store = nullptr;
  recall_answer* answer = nullptr;
  if (recall_set_allocator(Take, nullptr, memory) != RECALL_USAGE) return __LINE__;
  if (recall_set_allocator(Take, Give, memory) != RECALL_OK) return __LINE__;
  const char* const options = "{\"create\": true, \"settings\": {\"embedding\": \"hash\"}}";
  if (recall_open(path, options, &store, nullptr) != RECALL_OK) return __LINE__;
  if (recall_set_allocator(Take, Give, memory) != RECALL_USAGE) return __LINE__;
  const char* const text = "Herons stand still.";
  if (recall_add_text(store, "a", text, std::strlen(text), nullptr, nullptr, 0, &answer) != 0) {
    return __LINE__;
  }
  if (memory->held != 1) return __LINE__;
  recall_free(answer);
  if (memory->held != 0) return __LINE__;

  memory->left = 0;
  if (recall_call(store, "ls", nullptr, &answer) != RECALL_USAGE) return __LINE__;
  const recall_error* const error = recall_error_of(answer);
  if (error == nullptr || std::strcmp(error->code, "limit_exceeded") != 0) return __LINE__;
  if (std::strstr(recall_json(answer, nullptr), "not enough memory") == nullptr) return __LINE__;
  recall_free(answer);
  recall_hits* hits = nullptr;
  if (recall_search(store, "herons", nullptr, nullptr, &hits, &answer) != RECALL_USAGE) {
    return __LINE__;
  }
  if (hits != nullptr) return __LINE__;
  recall_free(answer);
  recall_set* set = nullptr;
  const char* const names[] = {"a"};
  if (recall_set_new(RECALL_PATHS, names, 1, &set, &answer) != RECALL_USAGE) return __LINE__;
  if (set != nullptr) return __LINE__;

  memory->left = -1;
  if (recall_search(store, "herons", nullptr, nullptr, &hits, &answer) != 0) return __LINE__;
  if (recall_count(hits) != 1 || memory->held != 1) return __LINE__;
  recall_hits_free(hits);
  recall_close(store);
  return memory->held == 0 ? 0 : __LINE__;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  Memory memory;
  return Check(argv[1], &memory) == 0 ? 0 : 1;
}
