#include "index/source/extract/pdf/table_regions.h"

#include <algorithm>
#include <cmath>

// Problem: which side-by-side lines are cells of a row, and which are columns to be read one after
// the other? Both look alike where the baselines of columns agree.
//
// A region is a run of rows with a common gutter: the projection of its lines onto the x axis has a
// gap, so it is cut into columns. It begins with a row that has two lines, and ends where a line
// closes all gaps, where the distance of rows grows, or where the letters change their size. It is
// a table unless its shape is that of columns of text:
//   - poppler reads other lines between those of the region: it cuts through columns of the page;
//   - a column is filled with long lines, and its lines have neighbours in other columns (the
//   second
//     column of a list of terms is filled too, but most of its lines have none);
//   - columns repeat: they begin at equal distances and hold equally much, as in an index.
// Where in doubt the answer is "not a table": the words are then in poppler's order.
//
// Cost: O(n log n) for n lines; rows with more than kMaxCells lines end a region.

namespace recall {
namespace {

constexpr size_t kMaxCells = 64;
// The number of other lines that poppler may read between those of a table, such as a page number
// or the title above it.
constexpr size_t kForeignLines = 2;

struct ColumnRange {
  float x0 = 0;
  float x1 = 0;
};

struct RegionRows {
  size_t first = 0;
  size_t end = 0;
  std::vector<ColumnRange> columns;
};

float RowHeight(const std::vector<PdfLineShape>& lines, const std::vector<uint32_t>& row) {
  float height = 0;
  for (const uint32_t line : row) height = std::max(height, lines[line].letter_height);
  return height;
}

// Returns the columns after a row is added: columns that overlap, or are closer than half a line,
// are united.
std::vector<ColumnRange> UnitedColumns(std::vector<ColumnRange> columns,
                                       const std::vector<PdfLineShape>& lines,
                                       const std::vector<uint32_t>& row) {
  for (const uint32_t line : row) columns.push_back({lines[line].box.x0, lines[line].box.x1});
  std::ranges::sort(columns, {}, &ColumnRange::x0);
  const float gap = RowHeight(lines, row) * 0.5f;
  std::vector<ColumnRange> united;
  for (const ColumnRange& column : columns) {
    if (!united.empty() && column.x0 < united.back().x1 + gap) {
      united.back().x1 = std::max(united.back().x1, column.x1);
    } else {
      united.push_back(column);
    }
  }
  return united;
}

size_t ColumnOf(const std::vector<ColumnRange>& columns, float x) {
  const auto after = std::ranges::upper_bound(columns, x, {}, &ColumnRange::x0);
  return after == columns.begin() ? 0 : static_cast<size_t>(after - columns.begin()) - 1;
}

struct ColumnFacts {
  size_t lines = 0;
  size_t filled = 0;           // lines that reach from edge to edge
  size_t with_neighbours = 0;  // lines in rows that have lines of other columns
  uint64_t characters = 0;

  double MeanCharacters() const {
    return lines == 0 ? 0 : static_cast<double>(characters) / static_cast<double>(lines);
  }
};

// Whether a column is running text that stands beside other columns.
bool IsTextColumn(const ColumnFacts& facts) {
  return facts.lines >= 3 && facts.MeanCharacters() >= 20 && facts.filled * 2 >= facts.lines &&
         facts.with_neighbours * 10 > facts.lines * 6;
}

bool AreNear(double a, double b, double tolerance) {
  return std::max(a, b) - std::min(a, b) <= tolerance * std::max(a, b);
}

// Whether groups of `period` columns repeat, with equal distances and about the same number of
// lines.
bool Repeat(const std::vector<ColumnRange>& columns, const std::vector<ColumnFacts>& facts,
            size_t period) {
  if (columns.size() < 2 * period || columns.size() % period != 0) return false;
  const float pitch = columns[period].x0 - columns[0].x0;
  for (size_t i = period; i < columns.size(); ++i) {
    if (!AreNear(columns[i].x0 - columns[i - period].x0, pitch, 0.06)) return false;
  }
  double least = 0, most = 0;
  for (size_t group = 0; group < columns.size(); group += period) {
    double characters = 0;
    for (size_t i = group; i < group + period; ++i) characters += facts[i].MeanCharacters();
    least = group == 0 ? characters : std::min(least, characters);
    most = std::max(most, characters);
  }
  return least >= 12 && AreNear(least, most, 0.4);
}

bool IsTable(const std::vector<PdfLineShape>& lines, const std::vector<std::vector<uint32_t>>& rows,
             const RegionRows& region) {
  std::vector<ColumnFacts> facts(region.columns.size());
  size_t begun = 0, multiple = 0;  // rows that have the first column; that have others, too
  size_t count = 0;
  uint32_t least = ~0u, most = 0;
  for (size_t r = region.first; r < region.end; ++r) {
    const size_t first = ColumnOf(region.columns, lines[rows[r].front()].box.x0);
    const size_t last = ColumnOf(region.columns, lines[rows[r].back()].box.x0);
    if (first == 0) ++begun;
    if (first != last) ++multiple;
    // Poppler may cut a line where justified text has wide gaps: its parts are one cell.
    for (size_t i = 0; i < rows[r].size();) {
      const size_t column = ColumnOf(region.columns, lines[rows[r][i]].box.x0);
      const float x0 = lines[rows[r][i]].box.x0;
      float x1 = x0;
      bool has_leaders = false;
      for (; i < rows[r].size(); ++i) {
        const uint32_t line = rows[r][i];
        if (ColumnOf(region.columns, lines[line].box.x0) != column) break;
        x1 = std::max(x1, lines[line].box.x1);
        has_leaders = has_leaders || lines[line].has_leaders;
        facts[column].characters += lines[line].characters;
        ++count;
        least = std::min(least, line);
        most = std::max(most, line);
      }
      const ColumnRange& range = region.columns[column];
      ++facts[column].lines;
      if (!has_leaders && x1 - x0 >= 0.85f * (range.x1 - range.x0)) ++facts[column].filled;
      if (first != last) ++facts[column].with_neighbours;
    }
  }
  if (multiple < 2 || multiple * 10 < begun * 6) return false;
  if (most - least + 1 > count + kForeignLines) return false;
  if (std::ranges::any_of(facts, IsTextColumn)) return false;
  const size_t row_count = region.end - region.first;
  return row_count < 8 || (!Repeat(region.columns, facts, 1) && !Repeat(region.columns, facts, 2));
}

// Returns the longest region that begins with row `first`.
RegionRows GrowRegion(const std::vector<PdfLineShape>& lines,
                      const std::vector<std::vector<uint32_t>>& rows, size_t first) {
  RegionRows region{first, first, {}};
  size_t last_multiple = first;
  float height = RowHeight(lines, rows[first]);
  for (size_t r = first; r < rows.size() && rows[r].size() <= kMaxCells; ++r) {
    const float row_height = RowHeight(lines, rows[r]);
    if (r > first) {
      const float pitch = lines[rows[r][0]].Middle() - lines[rows[r - 1][0]].Middle();
      if (pitch > 2.6f * height || row_height > 1.3f * height || height > 1.3f * row_height) break;
    }
    auto columns = UnitedColumns(region.columns, lines, rows[r]);
    if (columns.size() < 2 || columns.size() > kMaxCells) break;
    region.columns = std::move(columns);
    region.end = r + 1;
    if (rows[r].size() > 1) last_multiple = r;
  }
  // Below the last row with several cells, only lines that continue a cell belong to the region.
  while (region.end > last_multiple + 1 &&
         ColumnOf(region.columns, lines[rows[region.end - 1][0]].box.x0) == 0) {
    --region.end;
  }
  for (size_t r = last_multiple + 1; r < region.end; ++r) {
    if (ColumnOf(region.columns, lines[rows[r][0]].box.x0) == 0) region.end = r;
  }
  return region;
}

PdfTableRow MadeRow(const std::vector<PdfLineShape>& lines, const std::vector<uint32_t>& row,
                    const std::vector<ColumnRange>& columns) {
  PdfTableRow made;
  for (const uint32_t line : row) {
    const auto column = static_cast<uint32_t>(ColumnOf(columns, lines[line].box.x0));
    if (made.cells.empty() || made.cells.back().column != column)
      made.cells.push_back({column, {}});
    made.cells.back().lines.push_back(line);
  }
  return made;
}

// Adds the cells of a row to those above.
void ContinueRow(PdfTableRow&& below, PdfTableRow* row) {
  for (PdfTableCell& cell : below.cells) {
    const auto same = std::ranges::find(row->cells, cell.column, &PdfTableCell::column);
    if (same == row->cells.end()) {
      row->cells.push_back(std::move(cell));
    } else {
      same->lines.insert(same->lines.end(), cell.lines.begin(), cell.lines.end());
    }
  }
  std::ranges::stable_sort(row->cells, {}, &PdfTableCell::column);
}

PdfTableRegion MadeRegion(const std::vector<PdfLineShape>& lines,
                          const std::vector<std::vector<uint32_t>>& rows,
                          const RegionRows& region) {
  PdfTableRegion made;
  for (size_t r = region.first; r < region.end; ++r) {
    PdfTableRow row = MadeRow(lines, rows[r], region.columns);
    // A single cell that is not in the first column continues the cell above it, if it is close.
    const bool goes_on = !made.rows.empty() && row.cells.size() == 1 &&
                         row.cells.front().column > 0 &&
                         lines[rows[r][0]].Middle() - lines[rows[r - 1][0]].Middle() <
                             1.4f * RowHeight(lines, rows[r]);
    if (goes_on) {
      ContinueRow(std::move(row), &made.rows.back());
    } else {
      made.rows.push_back(std::move(row));
    }
  }
  return made;
}

}  // namespace

std::vector<std::vector<uint32_t>> RowsOfLines(const std::vector<PdfLineShape>& lines) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].is_rotated) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](uint32_t i) { return lines[i].Middle(); });
  std::vector<std::vector<uint32_t>> rows;
  for (const uint32_t line : order) {
    const bool same =
        !rows.empty() &&
        lines[line].Middle() - lines[rows.back().front()].Middle() <
            0.3f * std::max(lines[line].letter_height, lines[rows.back().front()].letter_height);
    if (!same) rows.emplace_back();
    rows.back().push_back(line);
  }
  for (auto& row : rows) {
    std::ranges::stable_sort(row, {}, [&](uint32_t i) { return lines[i].box.x0; });
  }
  return rows;
}

std::vector<PdfTableRegion> FindTableRegions(const std::vector<PdfLineShape>& lines,
                                             const std::vector<std::vector<uint32_t>>& rows) {
  std::vector<PdfTableRegion> regions;
  for (size_t r = 0; r < rows.size();) {
    if (rows[r].size() < 2 || rows[r].size() > kMaxCells) {
      ++r;
      continue;
    }
    const RegionRows region = GrowRegion(lines, rows, r);
    if (region.end > r + 1 && IsTable(lines, rows, region)) {
      regions.push_back(MadeRegion(lines, rows, region));
    }
    r = std::max(region.end, r + 1);
  }
  return regions;
}

}  // namespace recall
