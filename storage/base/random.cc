#include "storage/base/random.h"

#include <unistd.h>

#include <array>

#include "storage/base/check.h"
#include "storage/base/ids.h"

namespace recall {

std::string RandomHex(size_t bytes) {
  std::array<uint8_t, 16> random;
  RECALL_CHECK(bytes <= random.size() && ::getentropy(random.data(), bytes) == 0);
  return ToHex(ByteSpan(random).first(bytes));
}

}  // namespace recall
