// Problem. A notebook is one JSON value. Most of its bytes are images and data of widgets, its
// language often comes after the cells, and it may be nested or repeated without end.
//
// Idea. nlohmann's SAX parser, which is not recursive, passes each value to a handler. The handler
// keeps the path of the value as one string and looks it up among the few paths that matter.
//
// Invariants. In a path 0xFF comes before a key and 0xFE stands for an element of an array. Neither
// byte is in a key, since the parser accepts only UTF-8.
//
// Cost. Linear in the bytes. The memory is that of the kept texts and of the longest string.

#include "index/source/extract/notebook/notebook_reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "storage/base/json_scanner.h"

namespace recall {
namespace {

constexpr size_t kLongestNotebookKey = 32;
constexpr size_t kMostNotebookOutputs = 1000;  // of a cell
constexpr size_t kMostNotebookAuthors = 1000;
constexpr std::string_view kOfWorksheet = "\xFFworksheets\xFE";

// The values that are read: first those of the notebook, then those of a cell, then those of an
// output.
enum class NotebookField : uint8_t {
  kNone,
  kFormat,
  kTitle,
  kOldTitle,
  kAuthor,
  kKernel,
  kKernelTitle,
  kKernelLanguage,
  kLanguage,
  kCellType,
  kCellId,
  kCellSource,
  kCellLanguage,
  kCellLevel,
  kOutputType,
  kOutputPlain,
  kOutputMarkdown,
  kOutputHtml,
  kOutputTraceback,
  kOutputErrorName,
  kOutputErrorValue,
};

struct NotebookPath {
  std::string_view path;
  NotebookField field;
};

constexpr NotebookPath kNotebookPaths[] = {
    {"\xFFnbformat", NotebookField::kFormat},
    {"\xFFmetadata\xFFtitle", NotebookField::kTitle},
    {"\xFFmetadata\xFFname", NotebookField::kOldTitle},
    {"\xFFmetadata\xFF"
     "authors\xFE\xFFname",
     NotebookField::kAuthor},
    {"\xFFmetadata\xFF"
     "authors\xFE",
     NotebookField::kAuthor},
    {"\xFFmetadata\xFFkernelspec\xFFname", NotebookField::kKernel},
    {"\xFFmetadata\xFFkernelspec\xFF"
     "display_name",
     NotebookField::kKernelTitle},
    {"\xFFmetadata\xFFkernelspec\xFFlanguage", NotebookField::kKernelLanguage},
    {"\xFFmetadata\xFFlanguage_info\xFFname", NotebookField::kLanguage},
};

// Below a cell. nbformat 3 calls the source "input", and has a language in each cell.
constexpr NotebookPath kNotebookCellPaths[] = {
    {"\xFF"
     "cell_type",
     NotebookField::kCellType},
    {"\xFFid", NotebookField::kCellId},
    {"\xFFsource", NotebookField::kCellSource},
    {"\xFFsource\xFE", NotebookField::kCellSource},
    {"\xFFinput", NotebookField::kCellSource},
    {"\xFFinput\xFE", NotebookField::kCellSource},
    {"\xFFlanguage", NotebookField::kCellLanguage},
    {"\xFFlevel", NotebookField::kCellLevel},
};

constexpr NotebookPath kNotebookOutputPaths[] = {
    {"\xFFoutput_type", NotebookField::kOutputType},
    {"\xFFtext", NotebookField::kOutputPlain},
    {"\xFFtext\xFE", NotebookField::kOutputPlain},
    {"\xFF"
     "data\xFFtext/plain",
     NotebookField::kOutputPlain},
    {"\xFF"
     "data\xFFtext/plain\xFE",
     NotebookField::kOutputPlain},
    {"\xFF"
     "data\xFFtext/markdown",
     NotebookField::kOutputMarkdown},
    {"\xFF"
     "data\xFFtext/markdown\xFE",
     NotebookField::kOutputMarkdown},
    {"\xFF"
     "data\xFFtext/html",
     NotebookField::kOutputHtml},
    {"\xFF"
     "data\xFFtext/html\xFE",
     NotebookField::kOutputHtml},
    {"\xFFhtml", NotebookField::kOutputHtml},
    {"\xFFhtml\xFE", NotebookField::kOutputHtml},
    {"\xFFtraceback\xFE", NotebookField::kOutputTraceback},
    {"\xFF"
     "ename",
     NotebookField::kOutputErrorName},
    {"\xFF"
     "evalue",
     NotebookField::kOutputErrorValue},
};

constexpr std::string_view kNotebookCells =
    "\xFF"
    "cells";
constexpr std::string_view kNotebookCell =
    "\xFF"
    "cells\xFE";
constexpr std::string_view kNotebookOutput =
    "\xFF"
    "cells\xFE\xFFoutputs\xFE";

template <size_t kCount>
NotebookField FindNotebookField(const NotebookPath (&paths)[kCount], std::string_view path) {
  for (const NotebookPath& known : paths) {
    if (known.path == path) return known.field;
  }
  return NotebookField::kNone;
}

NotebookField FieldOfNotebookPath(std::string_view path) {
  if (path.starts_with(kNotebookOutput)) {
    return FindNotebookField(kNotebookOutputPaths, path.substr(kNotebookOutput.size()));
  }
  if (path.starts_with(kNotebookCell)) {
    return FindNotebookField(kNotebookCellPaths, path.substr(kNotebookCell.size()));
  }
  return FindNotebookField(kNotebookPaths, path);
}

class NotebookHandler {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = std::string;
  using binary_t = nlohmann::json::binary_t;

  NotebookHandler(const ExtractLimits& limits, Notebook* notebook)
      : limits_(limits), notebook_(*notebook) {}

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_float(number_float_t, const string_t&) { return true; }
  bool binary(binary_t&) { return true; }

  bool number_integer(number_integer_t value) {
    const NotebookField field = FieldOfNotebookPath(Path());
    if (field == NotebookField::kFormat) notebook_.format = value;
    if (field == NotebookField::kCellLevel && cell_ != nullptr) cell_->level = value;
    return true;
  }
  bool number_unsigned(number_unsigned_t value) {
    return number_integer(static_cast<number_integer_t>(std::min<uint64_t>(value, INT64_MAX)));
  }

  bool string(string_t& value) {
    const NotebookField field = FieldOfNotebookPath(Path());
    return field == NotebookField::kNone || Take(field, value);
  }

  bool key(string_t& key) {
    path_.resize(starts_.back());
    path_.push_back('\xFF');
    path_ += key.size() > kLongestNotebookKey ? "?" : key;
    return true;
  }

  bool start_object(size_t) {
    const std::string_view path = Path();
    if (path == kNotebookCell) {
      if (static_cast<int64_t>(notebook_.cells.size()) >= limits_.max_members) {
        return Stop(ExtractOutcome::kTooLarge,
                    "the notebook has more than " + std::to_string(limits_.max_members) + " cells");
      }
      cell_ = &notebook_.cells.emplace_back();
      cell_->number = static_cast<int64_t>(notebook_.cells.size());
      cell_bytes_ = 0;
      output_ = nullptr;
      output_number_ = 0;
    } else if (path == kNotebookOutput && cell_ != nullptr) {
      ++output_number_;
      output_ = nullptr;
      if (cell_->outputs.size() < kMostNotebookOutputs && outputs_ < limits_.max_members) {
        ++outputs_;
        output_ = &cell_->outputs.emplace_back();
        output_->number = output_number_;
      } else {
        cell_->outputs_truncated = true;
      }
    }
    return Push();
  }
  bool end_object() { return Pop(); }

  bool start_array(size_t) {
    if (Path() == kNotebookCells) has_cells_ = true;
    if (!Push()) return false;
    path_.push_back('\xFE');
    return true;
  }
  bool end_array() { return Pop(); }

  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) {
    bad_byte_ = position == 0 ? 0 : position - 1;
    return false;
  }

  bool stopped() const { return outcome_ != ExtractOutcome::kText; }
  ExtractOutcome outcome() const { return outcome_; }
  const std::string& reason() const { return reason_; }
  size_t bad_byte() const { return bad_byte_; }
  bool has_cells() const { return has_cells_; }
  std::string kernel_title, kernel_language, old_title;

 private:
  // The path of the value. nbformat 3 has its cells in worksheets: their part is left out, so that
  // both formats have the same paths.
  std::string_view Path() const {
    std::string_view path = path_;
    if (path.starts_with(kOfWorksheet)) path.remove_prefix(kOfWorksheet.size());
    return path;
  }

  bool Stop(ExtractOutcome outcome, std::string reason) {
    outcome_ = outcome;
    reason_ = std::move(reason);
    return false;
  }

  bool Push() {
    if (starts_.size() >= static_cast<size_t>(limits_.max_depth)) {
      return Stop(ExtractOutcome::kTooLarge, "its values are nested deeper than " +
                                                 std::to_string(limits_.max_depth) + " levels");
    }
    starts_.push_back(path_.size());
    return true;
  }
  bool Pop() {
    path_.resize(starts_.back());
    starts_.pop_back();
    return true;
  }

  // Appends to a text of an output, up to the limit of the outputs of a cell.
  void AppendOutput(std::string_view value, std::string* text) {
    const size_t room = kMostNotebookOutputBytes - cell_bytes_;
    if (value.size() > room) {
      cell_->outputs_truncated = true;
      value = value.substr(0, room);
    }
    cell_bytes_ += value.size();
    text->append(value);
  }

  bool Take(NotebookField field, const std::string& value) {
    if (field >= NotebookField::kOutputType) {
      if (output_ != nullptr) TakeOfOutput(field, value);
    } else if (field >= NotebookField::kCellType) {
      return cell_ == nullptr || TakeOfCell(field, value);
    } else if (std::string* const text = TextOf(field)) {
      *text = value;
    } else if (field == NotebookField::kAuthor && notebook_.authors.size() < kMostNotebookAuthors) {
      notebook_.authors.push_back(value);
    }
    return true;
  }

  // The text that a field of the whole notebook is kept in; null if the field is no single text.
  std::string* TextOf(NotebookField field) {
    switch (field) {
      case NotebookField::kTitle:
        return &notebook_.title;
      case NotebookField::kOldTitle:
        return &old_title;
      case NotebookField::kKernel:
        return &notebook_.kernel;
      case NotebookField::kKernelTitle:
        return &kernel_title;
      case NotebookField::kKernelLanguage:
        return &kernel_language;
      case NotebookField::kLanguage:
        return &notebook_.language;
      default:
        return nullptr;
    }
  }

  bool TakeOfCell(NotebookField field, const std::string& value) {
    switch (field) {
      case NotebookField::kCellType:
        cell_->kind = value == "markdown"  ? NotebookCellKind::kMarkdown
                      : value == "code"    ? NotebookCellKind::kCode
                      : value == "heading" ? NotebookCellKind::kHeading
                                           : NotebookCellKind::kRaw;
        return true;
      case NotebookField::kCellId:
        cell_->id = value;
        return true;
      case NotebookField::kCellLanguage:
        cell_->language = value;
        return true;
      case NotebookField::kCellSource:
        return AppendSource(value);
      default:
        return true;
    }
  }

  bool AppendSource(std::string_view value) {
    source_bytes_ += value.size();
    if (source_bytes_ > limits_.max_text_bytes) {
      return Stop(ExtractOutcome::kTooLarge, "its text exceeds the limit of " +
                                                 std::to_string(limits_.max_text_bytes) + " bytes");
    }
    cell_->source += value;
    return true;
  }

  void TakeOfOutput(NotebookField field, const std::string& value) {
    switch (field) {
      case NotebookField::kOutputType:
        output_->is_error = value == "error" || value == "pyerr";
        return;
      case NotebookField::kOutputPlain:
        return AppendOutput(value, &output_->plain);
      case NotebookField::kOutputMarkdown:
        return AppendOutput(value, &output_->markdown);
      case NotebookField::kOutputHtml:
        return AppendOutput(value, &output_->html);
      case NotebookField::kOutputErrorName:
        return AppendOutput(value, &output_->error_name);
      case NotebookField::kOutputErrorValue:
        return AppendOutput(value, &output_->error_value);
      case NotebookField::kOutputTraceback:
        AppendOutput(value, &output_->plain);
        return AppendOutput("\n", &output_->plain);
      default:
        return;
    }
  }

  const ExtractLimits& limits_;
  Notebook& notebook_;
  std::string path_;
  std::vector<size_t> starts_;  // for each open value, the length of its own path in path_
  NotebookCell* cell_ = nullptr;
  NotebookOutput* output_ = nullptr;
  int64_t output_number_ = 0;
  int64_t outputs_ = 0;    // the outputs of all cells that are kept
  size_t cell_bytes_ = 0;  // of the kept outputs of the open cell
  uint64_t source_bytes_ = 0;
  ExtractOutcome outcome_ = ExtractOutcome::kText;
  std::string reason_;
  size_t bad_byte_ = 0;
  bool has_cells_ = false;
};

// Writes 0 over NaN or Infinity at `at`.
void ReplaceNonNumber(std::string* json, size_t at) {
  for (const std::string_view word : {"NaN", "Infinity", "-Infinity"}) {
    if (std::string_view(*json).substr(at, word.size()) != word) continue;
    json->replace(at, word.size(), word.size(), ' ');
    (*json)[at] = '0';
    return;
  }
}

// Python writes NaN, Infinity and single surrogates, which are no JSON. Returns the text with 0 and
// U+FFFD in their places. Its length is the same, so that an error is at the same byte.
std::string WithoutPythonism(std::string_view bytes) {
  std::string json(bytes);
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      in_string = !in_string;
    } else if (in_string && c == '\\') {
      const auto escape = ReadJsonEscape(json, i);
      if (escape && IsSurrogate(escape->code_point)) json.replace(i + 2, 4, "fffd");
      i += escape ? escape->bytes - 1 : 1;
    } else if (!in_string && (c == 'N' || c == 'I' || c == '-')) {
      ReplaceNonNumber(&json, i);
    }
  }
  return json;
}

// Sets the language, kernel and title from other fields, where their own is missing.
void FillFacts(const NotebookHandler& handler, Notebook* notebook) {
  if (notebook->language.empty()) notebook->language = handler.kernel_language;
  for (const NotebookCell& cell : notebook->cells) {
    if (!notebook->language.empty()) break;
    notebook->language = cell.language;
  }
  if (notebook->kernel.empty()) notebook->kernel = handler.kernel_title;
  if (notebook->title.empty() && notebook->format < 4) notebook->title = handler.old_title;
}

}  // namespace

ExtractOutcome ReadNotebook(std::string_view bytes, const ExtractLimits& limits, Notebook* notebook,
                            std::string* reason) {
  std::optional<NotebookHandler> first(std::in_place, limits, notebook);
  bool read = nlohmann::json::sax_parse(bytes, &*first);
  if (!read && !first->stopped()) {
    const std::string other = WithoutPythonism(bytes);
    if (other != bytes) {
      *notebook = Notebook();
      first.emplace(limits, notebook);
      read = nlohmann::json::sax_parse(other, &*first);
    }
  }
  const NotebookHandler& handler = *first;
  if (handler.stopped()) {
    *reason = handler.reason();
    return handler.outcome();
  }
  if (!read) {
    *reason = "its JSON is broken at byte " + std::to_string(handler.bad_byte());
    return ExtractOutcome::kDamaged;
  }
  if (notebook->format == 0 || !handler.has_cells()) {
    *reason = std::string("it is JSON without \"") +
              (notebook->format == 0 ? "nbformat" : "cells") + "\": not a notebook";
    return ExtractOutcome::kDamaged;
  }
  if (notebook->format < 2 || notebook->format > 4) {
    *reason = "nbformat " + std::to_string(notebook->format) + " is not read";
    return ExtractOutcome::kUnsupported;
  }
  FillFacts(handler, notebook);
  return ExtractOutcome::kText;
}

}  // namespace recall
