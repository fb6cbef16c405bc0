#include "storage/overflow/file_pages.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "storage/base/file_hints.h"
#include "storage/replica/page_source.h"

namespace recall {

bool FilePages::IsLoaded(const uint8_t* from, bool fetch) const {
  if (source == nullptr) return true;
  const auto number =
      static_cast<uint32_t>(static_cast<size_t>(from - bytes.data()) / layout.page_size() + 1);
  return source->IsPresent(number) || (fetch && source->Ensure(number));
}

bool FilePages::Read(const uint8_t* from, std::span<uint8_t> to) const {
  if (!IsLoaded(from, true)) return false;
  if (descriptor < 0) {
    std::memcpy(to.data(), from, to.size());
    return true;
  }
  const ssize_t read = ::pread(descriptor, to.data(), to.size(), from - bytes.data());
  return read == static_cast<ssize_t>(to.size());
}

bool FilePages::ReadIfCached(const uint8_t* from, std::span<uint8_t> to) const {
  if (descriptor < 0) return Read(from, to);
  if (!IsLoaded(from, false)) return false;
  const ssize_t read = recall::ReadIfCached(descriptor, to.data(), to.size(), from - bytes.data());
  if (read == static_cast<ssize_t>(to.size())) return true;
  return read < 0 && errno != EAGAIN && Read(from, to);
}

void FilePages::WillNeed(const uint8_t* from, size_t length) const {
  if (descriptor < 0) return;
  if (source != nullptr) {
    const auto first = static_cast<size_t>(from - bytes.data()) / layout.page_size() + 1;
    const auto last =
        static_cast<size_t>(from + length - 1 - bytes.data()) / layout.page_size() + 1;
    return source->Prefetch(static_cast<uint32_t>(first), static_cast<uint32_t>(last - first + 1));
  }
  StartReading(descriptor, from - bytes.data(), static_cast<off_t>(length));
}

}  // namespace recall
