// libFuzzer's entry point.

#include "fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  recall::FuzzOne({data, size});
  return 0;
}
