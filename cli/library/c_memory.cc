#include "cli/library/c_memory.h"

#include <atomic>
#include <cstdlib>

namespace recall {
namespace {

struct Functions {
  void* (*allocate)(size_t size, void* user) = [](size_t size, void*) { return std::malloc(size); };
  void (*release)(void* memory, void* user) = [](void* memory, void*) { std::free(memory); };
  void* user = nullptr;
};

Functions functions;
std::atomic<bool> in_use = false;

}  // namespace

void UseMemory() { in_use.store(true); }

bool SetMemory(void* (*allocate)(size_t, void*), void (*release)(void*, void*), void* user) {
  if (in_use.load()) return false;
  functions = {allocate, release, user};
  return true;
}

void* TakeMemory(size_t size) {
  UseMemory();
  return functions.allocate(size, functions.user);
}

void GiveMemory(void* memory) {
  if (memory != nullptr) functions.release(memory, functions.user);
}

}  // namespace recall
