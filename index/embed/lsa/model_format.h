#pragma once

// The byte layout of a model (docs/format/model.md): a container of sections, and the sections of
// the LSA model. All integers are little-endian, floats are IEEE 754 binary32. Never change a field
// of these structures: a new layout gets a new version.

#include <cstddef>
#include <cstdint>

namespace recall::model_format {

inline constexpr char kMagic[8] = {'R', 'E', 'C', 'A', 'L', 'M', 'D', 'L'};
inline constexpr uint16_t kVersion = 1;
inline constexpr uint32_t kMaxSections = 64;
inline constexpr uint64_t kSectionAlignment = 64;
inline constexpr size_t kChecksumBytes = sizeof(uint32_t);

// The header at byte 0. `section_count` sections follow, then the CRC-32C of all of that (u32).
struct Header {
  char magic[8];           // "RECALMDL"
  uint16_t version;        // 1
  uint16_t section_count;  // 1 .. 64
  uint32_t header_bytes;   // all of the header, sections and checksum included
  uint64_t total_bytes;    // of the model
  uint32_t flags;          // 0
  uint32_t reserved;       // 0
};
static_assert(offsetof(Header, magic) == 0);
static_assert(offsetof(Header, version) == 8);
static_assert(offsetof(Header, section_count) == 10);
static_assert(offsetof(Header, header_bytes) == 12);
static_assert(offsetof(Header, total_bytes) == 16);
static_assert(offsetof(Header, flags) == 24);
static_assert(offsetof(Header, reserved) == 28);
static_assert(sizeof(Header) == 32);

struct Section {
  uint32_t id;        // ascending in the table
  uint32_t checksum;  // CRC-32C of its bytes
  uint64_t offset;    // a multiple of 64
  uint64_t bytes;
  uint64_t reserved;  // 0
};
static_assert(offsetof(Section, id) == 0);
static_assert(offsetof(Section, checksum) == 4);
static_assert(offsetof(Section, offset) == 8);
static_assert(offsetof(Section, bytes) == 16);
static_assert(offsetof(Section, reserved) == 24);
static_assert(sizeof(Section) == 32);

// Section ids. 1 .. 15 belong to the LSA model; 16 .. 31 are reserved for statistics of character
// n-grams.
enum SectionId : uint32_t {
  kLsaParameters = 1,
  kLsaBuckets = 2,
  kLsaHashes = 3,
  kLsaTerms = 4,
  kLsaRows = 5,
  kLsaPiecesChecksum = 6,  // of the parts, if terms or rows are separate parts
  kLsaPieces = 7,          // the first hash of each piece
  kLsaLexicon = 8,         // the hash of the lexicon that it was trained with, 8 bytes
  kNgramStatistics = 16,
};

// The number of terms in one part of a model in a store.
inline constexpr size_t kTermsPerPiece = 64;

inline constexpr uint32_t kMaxDim = 4096;
inline constexpr uint32_t kMaxTerms = 1u << 20;
inline constexpr uint32_t kMaxBucketBits = 20;
inline constexpr float kMaxFactor = 1048576;

struct LsaParameters {
  uint32_t dim;                // components of a vector, a multiple of 8, 8 .. 4096
  uint32_t rank;               // singular vectors, 0 .. dim; the other components are 0
  uint32_t terms;              // 0 .. 2^20
  uint32_t bucket_bits;        // 0 .. 20
  uint64_t documents;          // N: number of training texts
  uint32_t tokenizer_version;  // kStemVersion
  uint32_t form_terms;         // 0: stems; 1: what forms of a word have in common
};
static_assert(offsetof(LsaParameters, dim) == 0);
static_assert(offsetof(LsaParameters, rank) == 4);
static_assert(offsetof(LsaParameters, terms) == 8);
static_assert(offsetof(LsaParameters, bucket_bits) == 12);
static_assert(offsetof(LsaParameters, documents) == 16);
static_assert(offsetof(LsaParameters, tokenizer_version) == 24);
static_assert(offsetof(LsaParameters, form_terms) == 28);
static_assert(sizeof(LsaParameters) == 32);

struct LsaTerm {
  uint32_t df;   // texts with the term, 1 .. N
  float factor;  // ln(N / df) times the scale of the row; 0 .. 2^20
};
static_assert(offsetof(LsaTerm, df) == 0);
static_assert(offsetof(LsaTerm, factor) == 4);
static_assert(sizeof(LsaTerm) == 8);

}  // namespace recall::model_format
