#include "index/embed/lsa/lsa_model.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "index/base/math/natural_log.h"
#include "index/base/text/tokenizer.h"
#include "index/embed/lsa/model_format.h"
#include "storage/base/bytes.h"
#include "storage/base/check.h"
#include "storage/base/checked_math.h"

namespace recall {
namespace {

// An LSA model is a table of terms, sorted by the 64-bit hash of their stems:
//
//   hash      8 bytes   HashStem
//   df        4 bytes   number of training texts with the term
//   factor    4 bytes   ln(N / df) * scale of the row
//   row       dim / 2   components of V * sigma^0.5, two 4-bit integers to a byte
//
// Terms are found by hash, so the stems themselves are not stored; two stems with the same hash
// would share one row. A model file finds a hash through buckets: the high bits of the hash select
// a range of about four terms, which binary search narrows. A model in a store has pieces of 64
// terms instead (stored_model.cc): binary search over the first hashes of the pieces selects the
// piece.
//
// Quantisation: a row is divided by its largest component and rounded to integers from -7 to 7. Its
// scale is multiplied into `factor`, so adding a term to a vector is one AddScaledI4. Byte j of a
// row contains component j in its low bits and component dim / 2 + j in its high bits.
//
// Invariants checked on opening: hashes ascend, 1 <= df <= N, 0 <= factor <= 2^20, buckets
// partition the terms. Rows are not checked, because every byte is a valid pair of components. A
// model that was trained with another version of the tokenizer is rejected: its hashes are of other
// stems.

namespace format = model_format;

constexpr uint32_t kTermsPerBucket = 4;  // so that the hashes of a bucket are one cache line

Status DamagedLsaModel(const std::string& what) {
  return Status::Corruption("the LSA model has an invalid " + what,
                            "train it again with `recall compact`");
}

template <typename T>
void Append(const T& value, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// Rounds half away from zero; value * inverse is within -7 .. 7. Without a branch on the sign,
// which no CPU can predict.
uint8_t Quantise(float value, double inverse) {
  const double scaled = double{value} * inverse;
  return static_cast<uint8_t>(static_cast<int>(scaled + std::copysign(.5, scaled)) & 15);
}

// Appends the row in 4 bits and returns its scale. With 8 bits the difference in ranking quality
// was no larger than that between two random seeds.
double AppendRow(const float* row, uint32_t rank, uint32_t dim, std::string* rows) {
  constexpr double kLargest = 7;
  float largest = 0;
  for (uint32_t j = 0; j < rank; ++j) largest = std::max(largest, std::fabs(row[j]));
  const double inverse = largest > 0 ? kLargest / double{largest} : 0;
  const auto component = [&](uint32_t j) -> uint8_t {
    return j < rank ? Quantise(row[j], inverse) : 0;
  };
  for (uint32_t j = 0; j < dim / 2; ++j) {
    rows->push_back(static_cast<char>(component(j) | component(dim / 2 + j) << 4));
  }
  return double{largest} / kLargest;
}

}  // namespace

Result<LsaModel> LsaModel::Open(ByteSpan bytes) {
  RECALL_ASSIGN(const ModelFile file, ModelFile::Open(bytes));
  const std::optional<ByteSpan> rows = file.Find(format::kLsaRows);
  if (!rows) return Fail(DamagedLsaModel("size of a section"));
  return Open(bytes, rows);
}

Result<LsaModel> LsaModel::Open(ByteSpan bytes, std::optional<ByteSpan> rows) {
  RECALL_ASSIGN(ModelFile file, ModelFile::Open(bytes));
  LsaModel model(std::move(file));
  RECALL_TRY(model.ReadParameters());
  RECALL_TRY(model.FindSections(rows));
  RECALL_TRY(model.CheckBuckets());
  if (!model.AreTerms(model.all_)) return Fail(DamagedLsaModel("term"));
  return model;
}

Result<LsaModel> LsaModel::OfPieces(ByteSpan bytes) {
  RECALL_ASSIGN(ModelFile file, ModelFile::Open(bytes));
  LsaModel model(std::move(file));
  RECALL_TRY(model.ReadParameters());
  RECALL_TRY(model.file_.Verify(format::kLsaPieces));
  RECALL_TRY(model.file_.Verify(format::kLsaPiecesChecksum));
  model.firsts_ = *model.file_.Find(format::kLsaPieces);
  if (model.bucket_bits_ != 0 || model.firsts_.size() != model.pieces() * sizeof(uint64_t)) {
    return Fail(DamagedLsaModel("size of a section"));
  }
  for (size_t piece = 1; piece < model.pieces(); ++piece) {
    if (model.first_of(piece) <= model.first_of(piece - 1))
      return Fail(DamagedLsaModel("order of pieces"));
  }
  return model;
}

Status LsaModel::ReadParameters() {
  RECALL_TRY(file_.Verify(format::kLsaParameters));
  const ByteSpan encoded = *file_.Find(format::kLsaParameters);
  if (encoded.size() != sizeof(format::LsaParameters)) return DamagedLsaModel("parameter");
  ByteReader reader(encoded);
  const auto parameters = reader.Read<format::LsaParameters>();
  if (parameters.dim < 8 || parameters.dim > format::kMaxDim || parameters.dim % 8 != 0 ||
      parameters.rank > parameters.dim || parameters.terms > format::kMaxTerms ||
      parameters.bucket_bits > format::kMaxBucketBits || parameters.form_terms > 1) {
    return DamagedLsaModel("parameter");
  }
  if (parameters.tokenizer_version != kStemVersion) {
    return Status::Unsupported("the LSA model was trained with another version of the tokenizer",
                               "train it again with `recall compact`");
  }
  dim_ = parameters.dim;
  rank_ = parameters.rank;
  terms_ = parameters.terms;
  bucket_bits_ = parameters.bucket_bits;
  documents_ = parameters.documents;
  form_terms_ = static_cast<FormTerms>(parameters.form_terms);
  const std::optional<ByteSpan> lexicon = file_.Find(format::kLsaLexicon);
  if (!lexicon) return Status::Ok();
  RECALL_TRY(file_.Verify(format::kLsaLexicon));
  if (lexicon->size() != sizeof(lexicon_)) return DamagedLsaModel("lexicon");
  lexicon_ = LoadLittle<uint64_t>(lexicon->data());
  return Status::Ok();
}

Status LsaModel::FindSections(std::optional<ByteSpan> rows) {
  // Verifies all checksums but that of the rows: they are nine tenths of the model, and no value of
  // a row is unsafe.
  for (const uint32_t id : {format::kLsaBuckets, format::kLsaHashes, format::kLsaTerms}) {
    RECALL_TRY(file_.Verify(id));
  }
  buckets_ = *file_.Find(format::kLsaBuckets);
  all_ = {*file_.Find(format::kLsaHashes), *file_.Find(format::kLsaTerms),
          rows.value_or(ByteSpan())};
  // No product here exceeds 2^33: every factor was checked above.
  if (buckets_.size() != ((uint64_t{1} << bucket_bits_) + 1) * sizeof(uint32_t) ||
      all_.hashes.size() != uint64_t{terms_} * sizeof(uint64_t) ||
      all_.weights.size() != uint64_t{terms_} * sizeof(format::LsaTerm) ||
      (rows && rows->size() != uint64_t{terms_} * (dim_ / 2))) {
    return DamagedLsaModel("size of a section");
  }
  return Status::Ok();
}

Status LsaModel::CheckBuckets() const {
  const size_t buckets = size_t{1} << bucket_bits_;
  if (bucket(0) != 0 || bucket(buckets) != terms_) return DamagedLsaModel("bucket");
  for (size_t b = 0; b < buckets; ++b) {
    if (bucket(b) > bucket(b + 1)) return DamagedLsaModel("bucket");
  }
  for (size_t t = 0; t < terms_; ++t) {
    const size_t b = BucketOf(hash(t));
    if (t < bucket(b) || t >= bucket(b + 1)) return DamagedLsaModel("bucket");
  }
  return Status::Ok();
}

bool LsaModel::AreTerms(const Terms& terms) const {
  const size_t count = terms.hashes.size() / sizeof(uint64_t);
  for (size_t t = 0; t < count; ++t) {
    const uint8_t* hash = terms.hashes.data() + t * sizeof(uint64_t);
    if (t > 0 && LoadLittle<uint64_t>(hash) <= LoadLittle<uint64_t>(hash - sizeof(uint64_t))) {
      return false;
    }
    const auto term =
        LoadLittle<format::LsaTerm>(terms.weights.data() + t * sizeof(format::LsaTerm));
    if (term.df == 0 || term.df > documents_) return false;
    if (!(term.factor >= 0 && term.factor <= format::kMaxFactor)) return false;
  }
  return true;
}

bool LsaModel::IsPiece(size_t piece, const Terms& terms) const {
  const uint64_t first = LoadLittle<uint64_t>(terms.hashes.data());
  const uint64_t last =
      LoadLittle<uint64_t>(terms.hashes.data() + terms.hashes.size() - sizeof(first));
  return first == first_of(piece) && (piece + 1 == pieces() || last < first_of(piece + 1)) &&
         AreTerms(terms);
}

size_t LsaModel::pieces() const { return DivideRoundUp(terms_, format::kTermsPerPiece); }

void LsaModel::UseRows(ByteSpan rows) {
  RECALL_CHECK(rows.size() == size_t{terms_} * (dim_ / 2));
  all_.rows = rows;
}

void LsaModel::UseTerms(const Terms& terms) {
  RECALL_CHECK(terms.hashes.size() == size_t{terms_} * sizeof(uint64_t));
  RECALL_CHECK(terms.weights.size() == size_t{terms_} * sizeof(format::LsaTerm));
  all_ = terms;
  UseRows(terms.rows);
}

std::optional<size_t> LsaModel::PieceOf(uint64_t stem_hash) const {
  size_t low = 0;
  size_t high = pieces();  // the first piece that begins after the hash
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (first_of(middle) <= stem_hash) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return std::nullopt;
  return low - 1;
}

std::optional<uint32_t> LsaModel::Find(uint64_t stem_hash) const {
  size_t low = 0;
  size_t end = 0;
  if (!buckets_.empty()) {
    const size_t b = BucketOf(stem_hash);
    low = bucket(b);
    end = bucket(b + 1);
  } else if (const std::optional<size_t> piece = PieceOf(stem_hash)) {
    low = *piece * format::kTermsPerPiece;
    end = std::min<size_t>(low + format::kTermsPerPiece, terms_);
  }
  for (size_t high = end; low < high;) {
    const size_t middle = low + (high - low) / 2;
    if (hash(middle) < stem_hash) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == end || hash(low) != stem_hash) return std::nullopt;
  return static_cast<uint32_t>(low);
}

uint32_t LsaModel::df(uint32_t term) const {
  return LoadLittle<uint32_t>(all_.weights.data() + size_t{term} * sizeof(format::LsaTerm));
}

float LsaModel::factor(uint32_t term) const {
  return LoadLittle<float>(all_.weights.data() + size_t{term} * sizeof(format::LsaTerm) +
                           offsetof(format::LsaTerm, factor));
}

const uint8_t* LsaModel::row(uint32_t term) const {
  return all_.rows.data() + size_t{term} * (dim_ / 2);
}

std::vector<ModelSection> EncodeLsaModel(std::vector<LsaTermRow> terms, uint32_t rank,
                                         uint64_t documents, FormTerms form_terms) {
  RECALL_CHECK(rank <= format::kMaxDim && terms.size() <= format::kMaxTerms);
  std::sort(terms.begin(), terms.end(),
            [](const LsaTermRow& a, const LsaTermRow& b) { return a.stem_hash < b.stem_hash; });
  format::LsaParameters parameters{};
  parameters.dim = static_cast<uint32_t>(RoundUp(std::max<uint32_t>(rank, 1), 8));
  parameters.rank = rank;
  parameters.terms = static_cast<uint32_t>(terms.size());
  parameters.bucket_bits = std::bit_width(parameters.terms / kTermsPerBucket);
  parameters.documents = documents;
  parameters.tokenizer_version = kStemVersion;
  parameters.form_terms = static_cast<uint32_t>(form_terms);

  std::string encoded, buckets, hashes, weights, rows;
  Append(parameters, &encoded);
  size_t next_bucket = 0;
  const auto bucket_of = [&](uint64_t hash) {
    return parameters.bucket_bits == 0 ? 0 : hash >> (64 - parameters.bucket_bits);
  };
  rows.reserve(terms.size() * (parameters.dim / 2));
  for (uint32_t t = 0; t < terms.size(); ++t) {
    const LsaTermRow& term = terms[t];
    RECALL_CHECK(t == 0 || terms[t - 1].stem_hash < term.stem_hash);
    for (; next_bucket <= bucket_of(term.stem_hash); ++next_bucket) Append(t, &buckets);
    Append(term.stem_hash, &hashes);
    const double scale = AppendRow(term.row, rank, parameters.dim, &rows);
    const double idf = NaturalLog(static_cast<double>(documents) / term.df);
    Append(format::LsaTerm{term.df, static_cast<float>(idf * scale)}, &weights);
  }
  for (; next_bucket <= size_t{1} << parameters.bucket_bits; ++next_bucket) {
    Append(parameters.terms, &buckets);
  }
  std::vector<ModelSection> sections;
  sections.push_back({format::kLsaParameters, std::move(encoded)});
  sections.push_back({format::kLsaBuckets, std::move(buckets)});
  sections.push_back({format::kLsaHashes, std::move(hashes)});
  sections.push_back({format::kLsaTerms, std::move(weights)});
  sections.push_back({format::kLsaRows, std::move(rows)});
  return sections;
}

ModelSection LexiconSection(uint64_t hash) {
  ModelSection section{format::kLsaLexicon, {}};
  Append(hash, &section.bytes);
  return section;
}

}  // namespace recall
