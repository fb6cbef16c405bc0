#include "storage/file_io/zstd_frames.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <new>

namespace recall {
namespace {

constexpr std::string_view kZstdDictionaryMagic = "\x37\xA4\x30\xEC";
// Numbers that are looked for: a file may name a new one in each frame, and each costs a search.
constexpr size_t kMostDictionaries = 64;

}  // namespace

bool IsZstdFrame(std::string_view bytes) {
  return bytes.starts_with(kZstdFrameMagic) &&
         ZSTD_findFrameCompressedSize(bytes.data(), bytes.size()) == bytes.size();
}

void ZstdDictionaries::Free::operator()(ZSTD_DDict_s* dictionary) const {
  ZSTD_freeDDict(dictionary);
}

const ZSTD_DDict_s* ZstdDictionaries::Find(unsigned number) {
  if (found_.size() >= kMostDictionaries && !found_.contains(number)) return nullptr;
  const auto [place, is_new] = found_.try_emplace(number);
  if (!is_new) return place->second.get();
  std::string head(kZstdDictionaryMagic);
  for (int shift = 0; shift < 32; shift += 8) head += static_cast<char>((number >> shift) & 0xFF);
  for (size_t at = file_.find(head); at != file_.npos; at = file_.find(head, at + 1)) {
    // What a frame refers to counts from the end of the dictionary.
    const size_t size = at == 0 ? file_.size() : std::min(embedded_bytes_, file_.size() - at);
    place->second.reset(ZSTD_createDDict(file_.data() + at, size));
    if (place->second && ZSTD_getDictID_fromDDict(place->second.get()) == number) break;
    place->second.reset();
  }
  return place->second.get();
}

UnpackedZstdFrame UnpackZstdFrame(std::string_view frame, ZstdDictionaries* dictionaries,
                                  size_t most) {
  const unsigned number = ZSTD_getDictID_fromFrame(frame.data(), frame.size());
  const ZSTD_DDict_s* const dictionary = number == 0 ? nullptr : dictionaries->Find(number);
  if (number != 0 && dictionary == nullptr) return {.bytes = {}, .missing_dictionary = number};
  const std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(),
                                                                   ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  if (dictionary != nullptr) ZSTD_DCtx_refDDict(context.get(), dictionary);
  UnpackedZstdFrame unpacked;
  std::string bytes;
  std::array<char, 65536> piece;
  ZSTD_inBuffer in{frame.data(), frame.size(), 0};
  for (;;) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    const size_t more = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(more) || bytes.size() + out.pos > most) return unpacked;
    bytes.append(piece.data(), out.pos);
    if (more == 0) break;
    if (in.pos == in.size && out.pos < out.size) return unpacked;  // the frame goes on
  }
  unpacked.bytes = std::move(bytes);
  return unpacked;
}

}  // namespace recall
