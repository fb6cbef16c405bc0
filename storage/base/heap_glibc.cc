#include <malloc.h>

#include "storage/base/heap.h"

namespace recall {

void ReturnFreedMemory() { ::malloc_trim(0); }

void KeepFreedMemory() {
  ::mallopt(M_TRIM_THRESHOLD, 128 << 20);
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest that glibc takes
}

}  // namespace recall
