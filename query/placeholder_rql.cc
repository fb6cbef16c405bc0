// Temporary: a naive evaluator, row by row, until index/filter has the real one. Whoever adds that
// deletes this file and its line in CMakeLists.txt.
#include <re2/re2.h>

#include "index/filter/filter.h"
#include "index/filter/sort_value.h"
#include "index/text/case_fold.h"
#include "index/text/glob.h"
#include "query/rql/rql.h"
#include "query/views.h"
#include "storage/metadata/metadata_values.h"
#include "storage/path_scan.h"

namespace recall {
#define WEAK __attribute__((weak))

struct CompiledFilter::Node {
  FilterExpr expr;
  UnixNanos now;
};

namespace {
enum Truth { kFalse, kTrue, kUnknown };

std::optional<UnixNanos> ReadTime(const std::string& text, UnixNanos now) {
  constexpr int64_t kSecond = 1'000'000'000;
  if (text == "now") return now;
  if (text == "today") return now - now % (86400 * kSecond);
  if (text == "yesterday") return now - now % (86400 * kSecond) - 86400 * kSecond;
  if (const auto instant = ReadInstant(text)) return instant;
  if (text.size() == 7) return ReadInstant(text + "-01");
  if (text.size() > 2 && (text[0] == '-' || text[0] == '+')) {
    const int64_t n = std::atoll(text.c_str());
    int64_t unit = 0;
    if (text.ends_with("mo")) unit = 30 * 86400;
    else if (text.ends_with('d')) unit = 86400;
    else if (text.ends_with('h')) unit = 3600;
    else if (text.ends_with('m')) unit = 60;
    else if (text.ends_with('w')) unit = 7 * 86400;
    else if (text.ends_with('y')) unit = 365 * 86400;
    if (unit) return now + n * unit * kSecond;
  }
  return std::nullopt;
}

SortValue NumberOf(const Literal& l) {
  if (l.kind == Literal::Kind::kNumber) return l.is_integer ? SortValue::Integer(l.integer) : SortValue::Real(l.number);
  if (l.kind != Literal::Kind::kString || l.text.empty()) return {};
  char* end = nullptr;
  const double value = std::strtod(l.text.c_str(), &end);
  if (*end || std::isspace(l.text[0])) return {};
  int64_t whole = static_cast<int64_t>(value);
  if (static_cast<double>(whole) == value) return SortValue::Integer(whole);
  return SortValue::Real(value);
}

bool Compare(FilterOp op, std::strong_ordering o) {
  switch (op) {
    case FilterOp::kEqual: case FilterOp::kIn: return o == 0;
    case FilterOp::kNotEqual: return o != 0;
    case FilterOp::kLess: return o < 0;
    case FilterOp::kLessEqual: return o <= 0;
    case FilterOp::kGreater: return o > 0;
    case FilterOp::kGreaterEqual: return o >= 0;
    default: return false;
  }
}

bool MatchPattern(FilterOp op, const std::string& pattern, const std::string& text) {
  if (op == FilterOp::kRegexp) return RE2::PartialMatch(text, RE2(pattern, RE2::Quiet));
  std::string p = pattern, t = text;
  if (op == FilterOp::kILike) { p.clear(); t.clear(); FoldCaseAppend(pattern, &p); FoldCaseAppend(text, &t); }
  const auto glob = Glob::Compile(p, op == FilterOp::kGlob ? GlobDialect::kRecall : GlobDialect::kLike);
  return glob && glob->Matches(t);
}

// One operand against one value, by a comparison that is not negative.
template <typename F>
bool Any(const Predicate& p, FilterOp op, F compare) {
  if (op == FilterOp::kBetween) {
    const auto low = compare(p.operands[0]), high = compare(p.operands[1]);
    return low && high && *low >= 0 && *high <= 0;
  }
  for (const Literal& l : p.operands) {
    const auto o = compare(l);
    if (o && Compare(op, *o)) return true;
  }
  return false;
}
bool IsPattern(FilterOp op) {
  return op == FilterOp::kLike || op == FilterOp::kILike || op == FilterOp::kGlob || op == FilterOp::kRegexp;
}
using Order = std::optional<std::strong_ordering>;

Truth Test(const Predicate& p, UnixNanos now, const DocRow& doc, const ChunkRow* chunk, const std::string& text) {
  bool negate = p.negated;
  FilterOp op = p.op;
  if (op == FilterOp::kNotEqual) { op = FilterOp::kEqual; negate = true; }
  const auto give = [&](bool v) { return v != negate ? kTrue : kFalse; };
  if (p.field.field == Field::kDocMetaKey) {
    const auto scalars = doc.meta ? MetadataAt(*doc.meta, p.field.meta_path) : std::nullopt;
    if (op == FilterOp::kIsNull) return give(!scalars);
    if (!scalars) return kUnknown;
    for (const MetaScalar& s : *scalars) {
      const SortValue number = s.kind == MetaScalar::Kind::kNumber
          ? s.number.is_integer ? SortValue::Integer(s.number.integer) : SortValue::Real(s.number.real) : SortValue();
      const bool is_number = s.kind == MetaScalar::Kind::kNumber;
      std::string shown = s.text;
      if (IsPattern(op)) { if (!is_number && MatchPattern(op, p.operands[0].text, shown)) return give(true); continue; }
      if (Any(p, op, [&](const Literal& l) -> Order {
            const SortValue n = NumberOf(l);
            if (is_number) return n.kind == SortValue::Kind::kMissing ? Order() : Order(number <=> n);
            if (l.kind == Literal::Kind::kNumber) return {};
            const std::string lt = l.kind == Literal::Kind::kBoolean ? (l.boolean ? "true" : "false") : l.text;
            const auto instant = ReadTime(lt, now);
            if (s.kind == MetaScalar::Kind::kDate && instant) return s.instant <=> *instant;
            return s.text <=> lt;
          })) return give(true);
    }
    return give(false);
  }
  SortValue value = p.field.field == Field::kChunkText ? (chunk ? SortValue::Text(text) : SortValue()) : SortValueOf(p.field, doc, chunk);
  if (op == FilterOp::kIsNull) return give(value.kind == SortValue::Kind::kMissing);
  if (value.kind == SortValue::Kind::kMissing) return kUnknown;
  const FieldType type = InfoOf(p.field.field).type;
  if (IsPattern(op)) {
    const std::string shown = type == FieldType::kText ? value.text : type == FieldType::kTime ? FormatRfc3339(value.integer) : std::to_string(value.integer);
    return give(MatchPattern(op, p.operands[0].text, shown));
  }
  return give(Any(p, op, [&](const Literal& l) -> Order {
    if (type == FieldType::kText) return value.text <=> l.text;
    if (type == FieldType::kTime) { const auto t = ReadTime(l.text, now); return t ? Order(value.integer <=> *t) : Order(); }
    const SortValue n = NumberOf(l);
    return n.kind == SortValue::Kind::kMissing ? Order() : Order(value <=> n);
  }));
}

Truth Eval(const FilterExpr& e, UnixNanos now, const DocRow& doc, const ChunkRow* chunk, const std::string& text) {
  if (e.kind == FilterExpr::Kind::kPredicate) return Test(e.predicate, now, doc, chunk, text);
  if (e.kind == FilterExpr::Kind::kNot) {
    const Truth t = Eval(e.children[0], now, doc, chunk, text);
    return t == kUnknown ? t : t == kTrue ? kFalse : kTrue;
  }
  const Truth stop = e.kind == FilterExpr::Kind::kAnd ? kFalse : kTrue;
  bool unknown = false;
  for (const auto& c : e.children) {
    const Truth t = Eval(c, now, doc, chunk, text);
    if (t == stop) return stop;
    unknown |= t == kUnknown;
  }
  return unknown ? kUnknown : stop == kFalse ? kTrue : kFalse;
}

std::optional<FilterError> CheckExpr(const FilterExpr& e, UnixNanos now) {
  for (const auto& c : e.children) if (auto error = CheckExpr(c, now)) return error;
  if (e.kind != FilterExpr::Kind::kPredicate) return {};
  const Predicate& p = e.predicate;
  const FieldType type = InfoOf(p.field.field).type;
  for (const Literal& l : p.operands) {
    if (p.op == FilterOp::kRegexp && !RE2(l.text, RE2::Quiet).ok()) return FilterError{l.position, "the regular expression cannot be read", "RE2 syntax"};
    if (IsPattern(p.op)) continue;
    if (type == FieldType::kInteger && NumberOf(l).kind == SortValue::Kind::kMissing) return FilterError{l.position, FieldName(p.field) + " is a number", "write a number"};
    if (type == FieldType::kTime && !ReadTime(l.text, now)) return FilterError{l.position, "'" + l.text + "' is no date", "write 2026-02-04, or -7d"};
  }
  return {};
}
}  // namespace

CompiledFilter::CompiledFilter(std::unique_ptr<Node> root) : root_(std::move(root)) {}
WEAK CompiledFilter::CompiledFilter(CompiledFilter&&) noexcept = default;
WEAK CompiledFilter::~CompiledFilter() {}
WEAK bool CompiledFilter::depends_on_now() const { return PrintFilter(root_->expr).find("'-") != std::string::npos; }
WEAK const std::vector<std::string>& CompiledFilter::warnings() const { return warnings_; }
WEAK tl::expected<CompiledFilter, FilterError> CompiledFilter::Compile(const FilterExpr& expr, UnixNanos now) {
  if (auto error = CheckExpr(expr, now)) return tl::unexpected(*error);
  return CompiledFilter(std::make_unique<Node>(Node{expr, now}));
}
WEAK Result<FilterOutcome> CompiledFilter::Evaluate(const ReadTransaction& t, FilterDomain domain) const {
  FilterOutcome outcome;
  std::vector<int64_t> docs;
  RECALL_TRY(ScanPaths(t, false, [&](const PathEntry& e) { docs.push_back(e.doc_row); return true; }));
  for (const int64_t row : docs) {
    RECALL_ASSIGN(const DocRow doc, ReadDoc(t, row));
    RECALL_ASSIGN(const auto chunks, ReadChunksOf(t, doc));
    bool any = chunks.empty() && Eval(root_->expr, root_->now, doc, nullptr, "") == kTrue;
    for (const ChunkRow& chunk : chunks) {
      RECALL_ASSIGN(const std::string text, ReadText(t, doc, chunk.start_byte, chunk.end_byte));
      const bool passes = Eval(root_->expr, root_->now, doc, &chunk, text) == kTrue;
      any |= passes;
      if (passes && domain == FilterDomain::kChunks) outcome.set.Add(chunk.row);
    }
    if (any && domain == FilterDomain::kDocs) outcome.set.Add(static_cast<uint32_t>(row));
  }
  outcome.steps.push_back({PrintFilter(root_->expr), "row by row", outcome.set.Count(), 0});
  return outcome;
}
}  // namespace recall
