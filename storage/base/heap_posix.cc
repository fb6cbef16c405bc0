#include "storage/base/heap.h"

namespace recall {

void ReturnFreedMemory() {}

void KeepFreedMemory() {}

}  // namespace recall
