#include "fuzz/mutator.h"

#include <algorithm>
#include <utility>

namespace recall {
namespace {

constexpr size_t kMaxInputBytes = 1 << 14;

ptrdiff_t At(size_t position) { return static_cast<ptrdiff_t>(position); }

}  // namespace

Mutator::Mutator(std::vector<FuzzBytes> corpus, uint64_t seed)
    : corpus_(std::move(corpus)), random_(seed) {
  corpus_.emplace_back();
}

FuzzBytes Mutator::Next() {
  FuzzBytes input = Any();
  for (size_t edits = 1 + Below(6); edits > 0; --edits) Edit(&input);
  input.resize(std::min(input.size(), kMaxInputBytes));
  return input;
}

void Mutator::Edit(FuzzBytes* input) {
  const size_t place = Below(input->size());
  const size_t length = Below(std::min<size_t>(input->size() - place, 64) + 1);
  switch (Below(8)) {
    case 0:  // flip a bit
      if (!input->empty()) (*input)[place] ^= static_cast<uint8_t>(1 << Below(8));
      break;
    case 1:  // set a byte
      if (!input->empty()) (*input)[place] = static_cast<uint8_t>(random_());
      break;
    case 2:
      OverwriteNumber(input);
      break;
    case 3:  // erase bytes
      input->erase(input->begin() + At(place), input->begin() + At(place + length));
      break;
    case 4:  // truncate
      if (Below(4) == 0) input->resize(place);
      break;
    case 5:  // repeat a piece of the input
      InsertPiece(FuzzBytes(*input), input);
      break;
    case 6:  // insert a piece of another input
      InsertPiece(Any(), input);
      break;
    case 7:  // insert a byte
      input->insert(input->begin() + At(place), static_cast<uint8_t>(random_()));
      break;
  }
}

void Mutator::InsertPiece(const FuzzBytes& from, FuzzBytes* input) {
  if (from.empty()) return;
  const size_t start = Below(from.size());
  const size_t length = 1 + Below(std::min<size_t>(from.size() - start, 64));
  const size_t times = Below(16) == 0 ? 1 + Below(200) : 1;
  const FuzzBytes piece(from.begin() + At(start), from.begin() + At(start + length));
  const size_t place = Below(input->size() + 1);
  for (size_t i = 0; i < times && input->size() < kMaxInputBytes; ++i) {
    input->insert(input->begin() + At(place), piece.begin(), piece.end());
  }
}

// Overwrites 1, 2, 4 or 8 bytes with a little-endian number that is typical of overflows.
void Mutator::OverwriteNumber(FuzzBytes* input) {
  constexpr uint64_t kNumbers[] = {0,
                                   1,
                                   2,
                                   7,
                                   16,
                                   31,
                                   32,
                                   64,
                                   127,
                                   128,
                                   255,
                                   256,
                                   4095,
                                   4096,
                                   32767,
                                   32768,
                                   65535,
                                   65536,
                                   0x7FFFFFFF,
                                   0x80000000,
                                   0xFFFFFFFF,
                                   0x7FFFFFFFFFFFFFFF,
                                   0x8000000000000000,
                                   ~uint64_t{0}};
  const uint64_t number = kNumbers[Below(std::size(kNumbers))];
  const size_t size = size_t{1} << Below(4);
  if (input->size() < size) return;
  const size_t place = Below(input->size() - size + 1);
  for (size_t i = 0; i < size; ++i) {
    (*input)[place + i] = static_cast<uint8_t>(number >> (8 * i));
  }
}

}  // namespace recall
