#pragma once

// Charts as inline SVG. They use the classes of HtmlPage and no script. All text is escaped. Equal
// charts give equal bytes.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace recall {

// Values with their intervals, on one linear axis:
//
//              0.4       0.5       0.6
//   scifact     |---o---|                lexical
//                    |----o----|         hybrid
struct DotChart {
  struct Dot {
    size_t series = 0;
    double value = 0;
    double low = 0;  // the interval; low > high: none
    double high = -1;
    bool earlier = false;  // drawn hollow
  };
  struct Row {
    std::string label;
    std::vector<Dot> dots;  // one below the other
  };
  std::string title;                // for readers who cannot see it
  std::string axis;                 // the measure
  std::vector<std::string> series;  // names, for the legend
  std::string earlier;              // the name of hollow dots; empty if there are none
  std::vector<Row> rows;
};
std::string DotChartSvg(const DotChart& chart);

// Distributions one below the other, on one logarithmic axis. Values of an earlier run are drawn
// downwards.
struct HistogramChart {
  struct Mark {
    std::string name;
    double value = 0;
  };
  struct Row {
    std::string label;
    std::string note;  // a second line below the label
    size_t series = 0;
    std::vector<double> values;  // above 0
    std::vector<double> earlier;
    std::vector<Mark> marks;  // ascending
  };
  std::string title;
  std::string axis;
  std::string earlier;  // the name of the values that are drawn downwards; empty if there are none
  std::vector<Row> rows;
};
// Returns: "" if no row has a value.
std::string HistogramChartSvg(const HistogramChart& chart);

// A map of consecutive cells, row by row.
struct CellMap {
  struct Run {
    size_t series = 0;
    int64_t cells = 0;
    std::string title;  // shown when the pointer is over the run
  };
  std::string title;
  std::vector<Run> runs;
};
std::string CellMapSvg(const CellMap& map);

// Returns: a legend of coloured squares with their names.
std::string LegendSvg(const std::vector<std::string>& names);

}  // namespace recall
