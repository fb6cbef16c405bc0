#include "failing_malloc.h"

#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Those of the address sanitizer, or of glibc. */
#ifdef __SANITIZE_ADDRESS__
#define OTHER(name) __interceptor_##name
#else
#define OTHER(name) __libc_##name
#endif
extern void* OTHER(malloc)(size_t size);
extern void* OTHER(calloc)(size_t count, size_t size);
extern void* OTHER(realloc)(void* memory, size_t size);
extern void* OTHER(memalign)(size_t alignment, size_t size);

static atomic_int how_to_fail = FAILS_NEVER;
static atomic_long fail_at = 0;
static atomic_long allocations = 0;

/* The code of libraries. */
static struct {
  uintptr_t begin;
  uintptr_t end;
} spared[4];
static int spared_count = 0;

static int find_code(struct dl_phdr_info* info, size_t size, void* name) {
  int i = 0;
  (void)size;
  if (strstr(info->dlpi_name, (const char*)name) == NULL) return 0;
  for (i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD || (info->dlpi_phdr[i].p_flags & PF_X) == 0) continue;
    if (spared_count == sizeof spared / sizeof spared[0]) abort();
    spared[spared_count].begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    spared[spared_count].end = spared[spared_count].begin + info->dlpi_phdr[i].p_memsz;
    ++spared_count;
  }
  return 1;
}

void spare_allocations_of(const char* name) { dl_iterate_phdr(find_code, (void*)(uintptr_t)name); }

void fail_allocations(enum failing how, long at) {
  allocations = 0;
  fail_at = at;
  how_to_fail = (int)how;
}

long end_of_failures(void) {
  how_to_fail = FAILS_NEVER;
  return allocations;
}

/* `caller`: the place in the code that allocates. */
static int fails(const void* caller) {
  const uintptr_t place = (uintptr_t)caller;
  const int how = how_to_fail;
  long number = 0;
  int failed = 0;
  int i = 0;
  for (i = 0; i < spared_count; ++i) {
    if (place >= spared[i].begin && place < spared[i].end) return 0;
  }
  number = atomic_fetch_add(&allocations, 1);
  failed =
      (how == FAILS_ONCE && number == fail_at) || (how == FAILS_FROM_THEN_ON && number >= fail_at);
  if (failed) errno = ENOMEM;
  return failed;
}

#define CALLER __builtin_return_address(0)

void* malloc(size_t size) { return fails(CALLER) ? NULL : OTHER(malloc)(size); }
void* calloc(size_t count, size_t size) {
  return fails(CALLER) ? NULL : OTHER(calloc)(count, size);
}
void* realloc(void* memory, size_t size) {
  return fails(CALLER) ? NULL : OTHER(realloc)(memory, size);
}
void* memalign(size_t alignment, size_t size) {
  return fails(CALLER) ? NULL : OTHER(memalign)(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return fails(CALLER) ? NULL : OTHER(memalign)(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  void* const made = fails(CALLER) ? NULL : OTHER(memalign)(alignment, size);
  if (made == NULL) return ENOMEM;
  *memory = made;
  return 0;
}
