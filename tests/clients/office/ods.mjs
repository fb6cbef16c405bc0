// Random workbooks, written by SheetJS as .ods and .fods, are read back: each cell must be found, as it is
// displayed, in the span of its sheet whose range has its place, in the right row and column.
//   node ods.mjs PROGRAM [WORKBOOKS]     PROGRAM: extract_documents
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import XLSX from "xlsx";

const [program, count = "40"] = process.argv.slice(2);
let state = 34;
const random = (n) => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % n;
};
const words = ["alpha", "Ünicode", "x < y & z", "two  spaces", "naïve", "日本語", "-", "#hash", "1.", "tab\there", "line\nbreak"];
const text = () => Array.from({ length: 1 + random(4) }, () => words[random(words.length)]).join(" ");
const cell = () => {
  const made = value();
  XLSX.utils.format_cell(made); // sets its displayed text, which the writer takes
  return made;
};
const value = () => {
  switch (random(6)) {
    case 0: return { t: "n", v: random(100000) / 4 };
    case 1: return { t: "b", v: random(2) === 1 };
    case 2: return { t: "n", v: random(1000) / 1000, z: "0.0%" };
    case 3: return { t: "n", v: 40000 + random(9000), z: "yyyy-mm-dd" };
    default: return { t: "s", v: text() };
  }
};

const directory = mkdtempSync(join(tmpdir(), "ods"));
let cells = 0;
let faults = 0;
const fault = (...what) => {
  if (++faults <= 20) console.error(...what);
};
const oneLine = (value) => value.replace(/[ \t\r\n]+/g, " ").trim();
const columnNumber = (name) => [...name].reduce((sum, c) => sum * 26 + c.charCodeAt(0) - 64, 0);

for (let i = 0; i < Number(count); ++i) {
  const book = XLSX.utils.book_new();
  for (let s = 0; s < 1 + random(3); ++s) {
    const sheet = {};
    const rows = 1 + random(40);
    const columns = 1 + random(12);
    for (let r = 0; r < rows; ++r) {
      if (random(8) === 0) continue;
      for (let c = 0; c < columns; ++c) {
        if (random(3) !== 0) sheet[XLSX.utils.encode_cell({ r, c })] = cell();
      }
    }
    sheet["!ref"] = XLSX.utils.encode_range({ s: { r: 0, c: 0 }, e: { r: rows - 1, c: columns - 1 } });
    XLSX.utils.book_append_sheet(book, sheet, `Sheet ${s} & more`);
  }
  for (const type of ["ods", "fods"]) {
    const path = join(directory, `book.${type}`);
    writeFileSync(path, XLSX.write(book, { type: "buffer", bookType: type }));
    const extraction = JSON.parse(execFileSync(program, ["ods", path], { maxBuffer: 1 << 28 }));
    const bytes = Buffer.from(extraction.text);
    book.SheetNames.forEach((name, index) => {
      const sheet = book.Sheets[name];
      const found = new Map();
      let first = Infinity; // rows begin at the leftmost column that the sheet has had so far
      for (const span of extraction.spans) {
        const range = /^([A-Z]+)(\d+)(?::([A-Z]+)(\d+))?$/.exec(span.range);
        if (span.number !== index + 1 || !range) continue;
        if (span.name !== name) fault(path, "the name of a sheet", span.name);
        first = Math.min(first, columnNumber(range[1]));
        const lines = bytes.subarray(span.start, span.end).toString().replace(/\n$/, "").split("\n");
        lines.forEach((line, row) => {
          line.split("\t").forEach((value, column) => {
            const r = Number(range[2]) - 1 + row;
            const c = first - 1 + column;
            if (value !== "") found.set(XLSX.utils.encode_cell({ r, c }), value);
          });
        });
      }
      for (const [address, value] of Object.entries(sheet)) {
        if (address.startsWith("!")) continue;
        ++cells;
        const expected = oneLine(XLSX.utils.format_cell(value));
        const got = (found.get(address) ?? "").replace(/^\\/, "");
        found.delete(address);
        if (expected !== got) fault(type, name, address, JSON.stringify(expected), JSON.stringify(got));
      }
      for (const [address, value] of found) fault(type, name, address, "nobody wrote", JSON.stringify(value));
    });
  }
}
rmSync(directory, { recursive: true });
console.log(`ods: ${cells} cells in ${2 * Number(count)} workbooks, ${faults} faults`);
process.exit(faults === 0 ? 0 : 1);
