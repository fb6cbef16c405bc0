#include "index/search/bitmap/bitmap.h"

#include <roaring/roaring.h>

#include <new>

#include "index/search/bitmap/roaring_format.h"
#include "storage/base/bytes.h"

namespace recall {
namespace {

// CRoaring returns null only if memory is exhausted.
roaring_bitmap_t* Checked(roaring_bitmap_t* handle) {
  if (handle == nullptr) throw std::bad_alloc();
  return handle;
}

}  // namespace

void Bitmap::Free::operator()(roaring_bitmap_s* handle) const { roaring_bitmap_free(handle); }

Bitmap::Bitmap() : handle_(Checked(roaring_bitmap_create())) {}
Bitmap::Bitmap(const Bitmap& other) : handle_(Checked(roaring_bitmap_copy(other.handle_.get()))) {}
Bitmap::Bitmap(Bitmap&&) noexcept = default;
Bitmap& Bitmap::operator=(const Bitmap& other) {
  if (this != &other) handle_.reset(Checked(roaring_bitmap_copy(other.handle_.get())));
  return *this;
}
Bitmap& Bitmap::operator=(Bitmap&&) noexcept = default;
Bitmap::~Bitmap() = default;

Result<Bitmap> Bitmap::Parse(ByteSpan bytes) {
  if (bytes.empty()) return Bitmap();
  RECALL_TRY(CheckRoaringFormat(bytes));
  roaring_bitmap_t* handle =
      roaring_bitmap_portable_deserialize_safe(AsText(bytes).data(), bytes.size());
  if (handle == nullptr) return Fail(Status::Corruption("a stored set of chunks is damaged"));
  return Bitmap(handle);
}

std::string Bitmap::Serialize() const {
  // The kind of a container depends on its history. Building the set anew makes the choice of
  // run_optimize depend on the members alone. (remove_run_compression would suffice, but writes
  // beyond a run that ends at 65535 in CRoaring 0.2.66.)
  const Bitmap canonical = Of(Values());
  roaring_bitmap_run_optimize(canonical.handle_.get());
  std::string bytes(roaring_bitmap_portable_size_in_bytes(canonical.handle_.get()), '\0');
  roaring_bitmap_portable_serialize(canonical.handle_.get(), bytes.data());
  return bytes;
}

Bitmap Bitmap::Of(std::span<const uint32_t> values) {
  return Bitmap(Checked(roaring_bitmap_of_ptr(values.size(), values.data())));
}

// CRoaring has no call that takes bits, but copies the words of its serialised form.
Bitmap Bitmap::OfBits(uint32_t first, std::span<const uint64_t> words) {
  const std::string bytes = EncodeRoaring(first, words);
  return Bitmap(Checked(roaring_bitmap_portable_deserialize_safe(bytes.data(), bytes.size())));
}

void Bitmap::Add(uint32_t value) { roaring_bitmap_add(handle_.get(), value); }

void Bitmap::AddRange(uint32_t first, uint32_t last) {
  if (first <= last) roaring_bitmap_add_range_closed(handle_.get(), first, last);
}

void Bitmap::RemoveRange(uint32_t first, uint32_t last) {
  if (first <= last) roaring_bitmap_remove_range_closed(handle_.get(), first, last);
}

bool Bitmap::Contains(uint32_t value) const {
  return roaring_bitmap_contains(handle_.get(), value);
}

uint64_t Bitmap::Count() const { return roaring_bitmap_get_cardinality(handle_.get()); }

bool Bitmap::Empty() const { return roaring_bitmap_is_empty(handle_.get()); }

uint32_t Bitmap::Last() const { return roaring_bitmap_maximum(handle_.get()); }

Bitmap Bitmap::And(const Bitmap& other) const {
  return Bitmap(Checked(roaring_bitmap_and(handle_.get(), other.handle_.get())));
}

Bitmap Bitmap::Or(const Bitmap& other) const {
  return Bitmap(Checked(roaring_bitmap_or(handle_.get(), other.handle_.get())));
}

Bitmap Bitmap::AndNot(const Bitmap& other) const {
  return Bitmap(Checked(roaring_bitmap_andnot(handle_.get(), other.handle_.get())));
}

bool Bitmap::operator==(const Bitmap& other) const {
  return roaring_bitmap_equals(handle_.get(), other.handle_.get());
}

std::vector<uint32_t> Bitmap::Values() const {
  std::vector<uint32_t> values(Count());
  roaring_bitmap_to_uint32_array(handle_.get(), values.data());
  return values;
}

std::vector<uint32_t> Bitmap::ValuesIn(uint32_t first, uint32_t last) const {
  std::vector<uint32_t> values(CountRange(first, last));
  roaring_uint32_iterator_t iterator;
  roaring_init_iterator(handle_.get(), &iterator);
  if (values.empty() || !roaring_move_uint32_iterator_equalorlarger(&iterator, first)) return {};
  const uint32_t count = static_cast<uint32_t>(values.size());
  values.resize(roaring_read_uint32_iterator(&iterator, values.data(), count));
  return values;
}

}  // namespace recall
