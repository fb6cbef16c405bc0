#include "cli/output/json.h"

#include "storage/base/json_text.h"

namespace recall {
namespace {

// Walks the value by hand because the library prints numbers by an algorithm of its own, which is
// not always the shortest form.
class Dumper final {
 public:
  explicit Dumper(bool pretty) : pretty_(pretty) {}

  void Dump(const Json& value) {
    if (value.is_object()) {
      DumpObject(value);
    } else if (value.is_array()) {
      DumpArray(value);
    } else if (value.is_number_float()) {
      AppendJsonNumber(value.get<double>(), &out_);
    } else {
      out_ += value.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
  }

  std::string Finish() && { return std::move(out_) + "\n"; }

 private:
  void DumpObject(const Json& object) {
    Open('{');
    bool first = true;
    for (const auto& [key, value] : object.items()) {
      Separate(&first);
      out_ += Json(key).dump(-1, ' ', false, Json::error_handler_t::replace);
      out_ += pretty_ ? ": " : ":";
      Dump(value);
    }
    Close('}', first);
  }

  void DumpArray(const Json& array) {
    Open('[');
    bool first = true;
    for (const Json& value : array) {
      Separate(&first);
      Dump(value);
    }
    Close(']', first);
  }

  void Open(char bracket) {
    out_ += bracket;
    ++depth_;
  }

  void Separate(bool* first) {
    if (!*first) out_ += ',';
    *first = false;
    Break();
  }

  void Close(char bracket, bool empty) {
    --depth_;
    if (!empty) Break();
    out_ += bracket;
  }

  void Break() {
    if (!pretty_) return;
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }

  bool pretty_;
  size_t depth_ = 0;
  std::string out_;
};

std::string Dump(const Json& json, bool pretty) {
  Dumper dumper(pretty);
  dumper.Dump(json);
  return std::move(dumper).Finish();
}

}  // namespace

std::string DumpPretty(const Json& json) { return Dump(json, true); }

std::string DumpLine(const Json& json) { return Dump(json, false); }

}  // namespace recall
