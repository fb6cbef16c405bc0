// Layout of the charts. Lengths are in units of the viewBox, which is kWidth wide and as high as
// its content; a page scales it to its own width. Coordinates are printed with one decimal, so
// equal values give equal bytes.

#include "cli/show/html/charts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "cli/show/html/html.h"
#include "index/base/math/natural_log.h"

namespace recall {
namespace {

constexpr double kWidth = 880;
constexpr double kLabels = 150;  // the column of labels
constexpr double kRight = 60;    // room for the last label of the axis
constexpr double kLetter = 6.4;  // the mean width of a character

std::string Printed(double value, const char* format = "%.1f") {
  char text[32];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

std::string At(const char* x, double a, const char* y, double b) {
  return std::string(x) + "=\"" + Printed(a) + "\" " + y + "=\"" + Printed(b) + "\"";
}

std::string ClassOf(const std::string& name) { return " class=\"" + name + "\""; }

std::string TextSvg(double x, double y, const std::string& text,
                    const std::string& anchor = "start", const std::string& name = "") {
  return HtmlElement("text",
                     At("x", x, "y", y) + " text-anchor=\"" + anchor + "\"" +
                         (name.empty() ? "" : ClassOf(name)),
                     HtmlText(text)) +
         "\n";
}

std::string LineSvg(double x1, double y1, double x2, double y2, const std::string& name) {
  return HtmlElement("line",
                     At("x1", x1, "y1", y1) + " " + At("x2", x2, "y2", y2) + ClassOf(name)) +
         "\n";
}

std::string RectSvg(double x, double y, double width, double height, const std::string& name,
                    const std::string& title = "") {
  const std::string tip = title.empty() ? "" : HtmlElement("title", "", HtmlText(title));
  return HtmlElement("rect",
                     At("x", x, "y", y) + " " + At("width", width, "height", height) +
                         ClassOf("fill " + name),
                     tip) +
         "\n";
}

std::string CircleSvg(double x, double y, double radius, const std::string& name) {
  return HtmlElement("circle",
                     At("cx", x, "cy", y) + " r=\"" + Printed(radius) + "\"" + ClassOf(name)) +
         "\n";
}

std::string Svg(double height, const std::string& title, const std::string& content) {
  const std::string svg =
      HtmlElement("svg",
                  "xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 " +
                      Printed(kWidth, "%.0f") + " " + Printed(height, "%.0f") + "\"",
                  "\n" + HtmlElement("title", "", HtmlText(title)) + "\n" + content);
  return HtmlElement("div", "class=\"wide\"", svg) + "\n";
}

// The coordinates of values between two limits.
class Scale final {
 public:
  Scale(double low, double high, bool logarithmic)
      : logarithmic_(logarithmic), low_(Mapped(low)), high_(Mapped(high)) {}

  double At(double value) const {
    const double range = high_ > low_ ? high_ - low_ : 1;
    return kLabels + (Mapped(value) - low_) / range * (kWidth - kLabels - kRight);
  }

 private:
  double Mapped(double value) const { return logarithmic_ ? NaturalLog(value) : value; }

  bool logarithmic_;
  double low_;
  double high_;
};

struct Ticks {
  double low = 0;  // the limits of the axis
  double high = 1;
  std::vector<double> at;
};

// Returns: the largest power of ten from 1e-300 to 1e300 that is not above `value`. Requires:
// value > 0. Multiplications give the same bits on every CPU, std::pow and std::log10 do not.
double PowerOfTenBelow(double value) {
  double power = 1;
  while (power * 10 <= value && power < 1e300) power *= 10;
  while (power > value && power > 1e-300) power /= 10;
  return power;
}

// At most `most` steps of 1, 2 or 5 times a power of ten that contain both values.
Ticks LinearTicks(double low, double high, double most) {
  // Values that differ only by rounding have no steps between them that a double can count.
  constexpr double kLeastRange = 1e-6;
  if (!(high - low > kLeastRange)) high = low + 0.1;
  double step = PowerOfTenBelow((high - low) / most);
  for (const double factor : {2.0, 2.5, 2.0}) {
    if ((high - low) / step <= most) break;
    step *= factor;
  }
  Ticks ticks;
  const double first = std::floor(low / step + 1e-9);
  const double last = std::ceil(high / step - 1e-9);
  for (double i = first; i <= last; ++i) ticks.at.push_back(i * step);
  ticks.low = ticks.at.front();
  ticks.high = ticks.at.back();
  return ticks;
}

// 1, 2 and 5 times the powers of ten within the values, and limits a little outside of them.
Ticks LogTicks(double low, double high) {
  Ticks ticks{low / 1.1, high * 1.1, {}};
  for (double power = PowerOfTenBelow(low); power <= high; power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = power * factor;
      if (value >= ticks.low && value <= ticks.high) ticks.at.push_back(value);
    }
  }
  return ticks;
}

std::string Shortest(double value) { return Printed(std::fabs(value) < 1e-12 ? 0 : value, "%g"); }

std::string Axis(const Scale& scale, const Ticks& ticks, const std::string& name, double top,
                 double bottom) {
  std::string out;
  for (const double value : ticks.at) {
    const double x = scale.At(value);
    out += LineSvg(x, top, x, bottom, "grid");
    out += TextSvg(x, bottom + 14, Shortest(value), "middle", "quiet");
  }
  return out + TextSvg(kLabels, bottom + 30, name, "start", "quiet");
}

// Shortens a label to its column.
std::string Fitted(const std::string& label) {
  constexpr auto kMost = static_cast<size_t>(kLabels / kLetter) - 1;
  size_t characters = 0;
  for (size_t i = 0; i < label.size(); ++i) {
    if ((static_cast<unsigned char>(label[i]) & 0xC0) == 0x80) continue;
    if (++characters == kMost && i + 1 < label.size()) return label.substr(0, i) + "\u2026";
  }
  return label;
}

struct LegendEntry {
  std::string name;
  std::string mark;  // SVG around the origin
  double mark_width;
};

double Letters(const std::string& text) {
  return static_cast<double>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// Entries from left to right, in as many lines as needed. Returns their height.
double Legend(const std::vector<LegendEntry>& entries, double left, std::string* out) {
  double x = left;
  double y = 14;
  for (const LegendEntry& entry : entries) {
    const double width = entry.mark_width + 8 + Letters(entry.name) * kLetter + 18;
    if (x > left && x + width > kWidth) {
      x = left;
      y += 18;
    }
    *out += HtmlElement("g", "transform=\"translate(" + Printed(x) + " " + Printed(y - 4) + ")\"",
                        "\n" + entry.mark) +
            "\n";
    *out += TextSvg(x + entry.mark_width + 6, y, entry.name);
    x += width;
  }
  return y + 10;
}

std::string LeftOf(const std::string& label, double y) {
  std::string tip = Fitted(label);
  return TextSvg(kLabels - 12, y, tip, "end");
}

// ---- Dots -------------------------------------------------------------------------------------

constexpr double kLane = 14;    // the height of a dot's line
constexpr double kRowGap = 12;  // between the rows

std::string DotSvg(const DotChart::Dot& dot, const Scale& scale, double y) {
  const std::string color = SeriesClass(dot.series);
  const double x = scale.At(dot.value);
  std::string out;
  double right = x + 5;
  if (dot.low <= dot.high) {
    const std::string faint = dot.earlier ? " earlier" : "";
    out += LineSvg(scale.At(dot.low), y, scale.At(dot.high), y, "whisker " + color + faint);
    right = std::max(right, scale.At(dot.high) + 2);
  }
  out += CircleSvg(x, y, dot.earlier ? 3.5 : 4.5, color + (dot.earlier ? " hollow" : ""));
  return out +
         TextSvg(right + 5, y + 4, Printed(dot.value, "%.3f"), "start", dot.earlier ? "quiet" : "");
}

// ---- Histograms -------------------------------------------------------------------------------

constexpr size_t kBins = 72;
constexpr double kUp = 46;    // the height of the highest bar
constexpr double kDown = 26;  // of an earlier run
constexpr double kMarks = 16;

std::vector<double> CountBins(const std::vector<double>& values, const Ticks& range) {
  std::vector<double> bins(kBins);
  const double low = NaturalLog(range.low);
  const double width = (NaturalLog(range.high) - low) / static_cast<double>(kBins);
  for (const double value : values) {
    const double bin = std::floor((NaturalLog(value) - low) / width);
    ++bins[static_cast<size_t>(std::clamp(bin, 0.0, static_cast<double>(kBins - 1)))];
  }
  return bins;
}

// `height` is below 0 for bars that go down.
std::string Bars(const std::vector<double>& bins, double y, double height,
                 const std::string& name) {
  const double most = *std::ranges::max_element(bins);
  const double width = (kWidth - kLabels - kRight) / static_cast<double>(kBins);
  std::string out;
  for (size_t i = 0; i < bins.size() && most > 0; ++i) {
    if (bins[i] == 0) continue;
    const double x = kLabels + static_cast<double>(i) * width;
    const double length = std::max(1.0, bins[i] / most * std::fabs(height));
    out += RectSvg(x + 0.5, height > 0 ? y - length : y + 1, width - 1, length, name);
  }
  return out;
}

std::string MarksSvg(const HistogramChart::Row& row, const Scale& scale, double y) {
  std::string out;
  double free = 0;  // where the next label may begin
  for (const HistogramChart::Mark& mark : row.marks) {
    const double x = scale.At(mark.value);
    out += LineSvg(x, y - kUp - 2, x, y, "mark");
    const std::string label =
        mark.name + " " + Printed(mark.value, mark.value < 10 ? "%.2f" : "%.1f");
    const double left = std::max(x - 2, free);
    if (left > x + 40) continue;  // too far from its mark
    out += TextSvg(left, y - kUp - 5, label, "start", "quiet");
    free = left + Letters(label) * kLetter + 2;
  }
  return out;
}

}  // namespace

std::string DotChartSvg(const DotChart& chart) {
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
  for (const DotChart::Row& row : chart.rows) {
    for (const DotChart::Dot& dot : row.dots) {
      const bool has_interval = dot.low <= dot.high;
      low = std::min(low, has_interval ? std::min(dot.low, dot.value) : dot.value);
      high = std::max(high, has_interval ? std::max(dot.high, dot.value) : dot.value);
    }
  }
  if (low > high) return "";
  const Ticks ticks = LinearTicks(low, high, 8);
  const Scale scale(ticks.low, ticks.high, false);

  std::string content;
  std::vector<LegendEntry> entries;
  for (size_t i = 0; i < chart.series.size(); ++i) {
    const std::string color = SeriesClass(i);
    entries.push_back({chart.series[i],
                       LineSvg(0, 0, 18, 0, "whisker " + color) + CircleSvg(9, 0, 4.5, color), 18});
  }
  if (!chart.earlier.empty()) {
    entries.push_back({chart.earlier, CircleSvg(5, 0, 3.5, "hollow mark"), 10});
  }
  const double top = Legend(entries, kLabels, &content);
  double y = top + kRowGap;
  std::string dots;
  for (const DotChart::Row& row : chart.rows) {
    const double lanes = static_cast<double>(row.dots.size()) * kLane;
    dots += LeftOf(row.label, y + lanes / 2 + 4);
    for (const DotChart::Dot& dot : row.dots) {
      dots += DotSvg(dot, scale, y + kLane / 2);
      y += kLane;
    }
    y += kRowGap;
  }
  return Svg(y + 36, chart.title, content + Axis(scale, ticks, chart.axis, top, y) + dots);
}

std::string HistogramChartSvg(const HistogramChart& chart) {
  double low = std::numeric_limits<double>::max();
  double high = 0;
  for (const HistogramChart::Row& row : chart.rows) {
    for (const std::vector<double>* values : {&row.values, &row.earlier}) {
      if (values->empty()) continue;
      low = std::min(low, *std::ranges::min_element(*values));
      high = std::max(high, *std::ranges::max_element(*values));
    }
    for (const HistogramChart::Mark& mark : row.marks) high = std::max(high, mark.value);
  }
  if (!(low > 0) || low > high) return "";
  const Ticks ticks = LogTicks(low, high);
  const Scale scale(ticks.low, ticks.high, true);
  std::string content;
  double y = 4;
  if (!chart.earlier.empty()) {
    y = Legend({{"this run, upwards", RectSvg(0, -5, 12, 10, "c0"), 12},
                {chart.earlier + ", downwards", RectSvg(0, -5, 12, 10, "c0 earlier"), 12}},
               kLabels, &content);
  }
  const double top = y;
  std::string bars;
  for (const HistogramChart::Row& row : chart.rows) {
    y += kMarks + kUp;
    const std::string color = SeriesClass(row.series);
    bars += LeftOf(row.label, y - 18) + TextSvg(kLabels - 12, y - 3, row.note, "end", "quiet");
    if (!row.values.empty()) bars += Bars(CountBins(row.values, ticks), y, kUp, color);
    bars += LineSvg(kLabels, y, kWidth - kRight, y, "grid") + MarksSvg(row, scale, y);
    if (!chart.earlier.empty()) {
      if (!row.earlier.empty()) {
        bars += Bars(CountBins(row.earlier, ticks), y, -kDown, color + " earlier");
      }
      y += kDown;
    }
    y += 10;
  }
  return Svg(y + 36, chart.title, content + Axis(scale, ticks, chart.axis, top, y) + bars);
}

std::string CellMapSvg(const CellMap& map) {
  constexpr int64_t kColumns = 110;
  const double cell = kWidth / static_cast<double>(kColumns);
  std::string content;
  int64_t at = 0;
  for (const CellMap::Run& run : map.runs) {
    for (int64_t left = run.cells; left > 0;) {
      const int64_t column = at % kColumns;
      const int64_t here = std::min(left, kColumns - column);
      content += RectSvg(
          static_cast<double>(column) * cell, static_cast<double>(at / kColumns) * (cell + 3),
          static_cast<double>(here) * cell - 1, cell + 1, SeriesClass(run.series), run.title);
      at += here;
      left -= here;
    }
  }
  const auto rows = static_cast<double>((at + kColumns - 1) / kColumns);
  return Svg(std::max(1.0, rows * (cell + 3)), map.title, content);
}

std::string LegendSvg(const std::vector<std::string>& names) {
  std::vector<LegendEntry> entries;
  for (size_t i = 0; i < names.size(); ++i) {
    entries.push_back({names[i], RectSvg(0, -5, 10, 10, SeriesClass(i)), 10});
  }
  std::string content;
  const double height = Legend(entries, 0, &content);
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return Svg(height, "Colours: " + all, content);
}

}  // namespace recall
