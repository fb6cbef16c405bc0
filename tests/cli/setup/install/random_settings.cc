#include "tests/cli/setup/install/random_settings.h"

#include <array>

namespace recall {
namespace {

class JsonMaker final {
 public:
  JsonMaker(std::string group, std::mt19937_64& random)
      : group_(std::move(group)), random_(random) {
    newline_ = Chance(4) ? "\r\n" : "\n";
    unit_ = OneOf<4>({"  ", "    ", "\t", ""});
    one_line_ = Chance(5);
    comments_ = !one_line_ && Chance(2);
    trailing_commas_ = Chance(4);
    colon_ = OneOf<3>({": ", ":", " : "});
  }

  std::string Make() {
    const std::string mark = Chance(8) ? "\xEF\xBB\xBF" : "";
    if (Chance(10)) return mark + OneOf<5>({"", "\n", "// empty\n", "/* nothing */", "  \r\n"});
    std::string text = mark + (comments_ && Chance(3) ? "// settings" + newline_ : "");
    text += Object(0, Chance(3) ? 0 : 1);
    return text + OneOf<4>({"", newline_, newline_ + newline_, " "});
  }

 private:
  bool Chance(uint64_t one_in) { return random_() % one_in == 0; }
  template <size_t N>
  std::string OneOf(const std::array<std::string, N>& texts) {
    return texts[random_() % N];
  }

  std::string Break(size_t depth) {
    if (one_line_) return OneOf<3>({"", " ", ""});
    std::string text = newline_;
    for (size_t i = 0; i < depth; ++i) text += unit_;
    return text;
  }

  std::string Comment(size_t depth) {
    if (!comments_ || !Chance(3)) return "";
    return OneOf<3>({" // \"recall\": {", " /* } \"recall\": [ */", Break(depth) + "// x  "});
  }

  std::string Scalar() {
    return OneOf<8>({"1", "-0.5e+3", "true", "null", "\"\"", "\"a \\\"recall\\\": {\"",
                     "\"\\u00e9\\n}\"", "\"// no comment\""});
  }

  std::string Value(size_t depth) {
    if (depth > 4 || Chance(2)) return Scalar();
    if (Chance(2)) return Object(depth, 2);
    std::string text = "[";
    const uint64_t count = random_() % 3;
    for (uint64_t i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + Value(depth + 1);
    return text + "]";
  }

  // `group`: 0 with the member of the group, 1 perhaps, 2 without.
  std::string Object(size_t depth, int group) {
    std::string text = "{";
    const uint64_t count = random_() % 4;
    const uint64_t position = group == 0 ? random_() % (count + 1) : count + 1;
    bool any = false;
    for (uint64_t i = 0; i <= count; ++i) {
      if (i == position) Append(&text, depth, &any, group_, Object(depth + 1, 2));
      if (i < count) Append(&text, depth, &any, "k" + std::to_string(i), Value(depth + 1));
    }
    if (any && trailing_commas_) text += ",";
    std::string end = Comment(depth + 1);
    if (any || Chance(3) || !end.empty()) end += Break(depth);
    return text + end + "}";
  }

  void Append(std::string* text, size_t depth, bool* any, const std::string& name,
              const std::string& value) {
    if (*any) *text += Chance(12) ? " ," : ",";
    *any = true;
    *text += Comment(depth + 1) + (!one_line_ && Chance(6) ? newline_ : "") + Break(depth + 1);
    *text += "\"" + name + "\"" + colon_ + value;
  }

  std::string group_;
  std::mt19937_64& random_;
  std::string newline_;
  std::string unit_;
  std::string colon_;
  bool one_line_ = false;
  bool comments_ = false;
  bool trailing_commas_ = false;
};

}  // namespace

std::string RandomJsonSettings(const std::string& group, std::mt19937_64& random) {
  return JsonMaker(group, random).Make();
}

std::string RandomTomlSettings(const std::string& group, std::mt19937_64& random) {
  const std::vector<std::string> parts = {
      "# settings\n",
      "model = \"o3\"\n",
      "text = \"\"\"\n[" + group + ".recall]\n\"\"\"\n",
      "\n",
      "[tools]\nweb = true # yes\n",
      "[" + group + ".docs]\ncommand = \"x\"\nargs = [\n  \"a\",\n]\n",
      "[" + group + ".docs.env]\nA = \"1\"\n",
      "[" + group + "]\n",
      "[[list]]\na = {b = [1, 2]}\n",
  };
  std::string text = random() % 8 == 0 ? "\xEF\xBB\xBF" : "";
  for (const std::string& part : parts) {
    if (random() % 3 == 0) text += part;
  }
  if (random() % 3 == 0 && text.ends_with('\n')) text.pop_back();
  if (random() % 3 != 0) return text;
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return crlf;
}

ServerEntry RandomEntry(std::mt19937_64& random) {
  std::vector<std::string> arguments = {"mcp"};
  if (random() % 2 == 0)
    arguments.insert(arguments.end(), {"--store", "/home/é \"q\"\\x/recall.db"});
  if (random() % 3 == 0) arguments.insert(arguments.end(), {"--scope", "path ~ \"a\\n\" // {"});
  return {{"command", random() % 2 == 0 ? "recall" : "/opt/my tools/recall"}, {"args", arguments}};
}

}  // namespace recall
