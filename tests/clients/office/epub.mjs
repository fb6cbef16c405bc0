// Random books, written by epub-gen-memory as EPUB 2 and 3, are read back: the texts of each chapter must come
// in order, in spans of chapters that ascend, and the facts must be those that were given.
//   node epub.mjs PROGRAM [BOOKS]     PROGRAM: extract_documents
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const epubGen = require("epub-gen-memory").default;

const [program, count = "30"] = process.argv.slice(2);
let state = 34;
const random = (n) => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % n;
};
let serial = 0;
const words = ["river", "Ünicode", "x &lt; y &amp; z", "naïve", "日本語", "don’t", "&#8212;", "a&#160;b", "1.5"];
const plain = (html) =>
  html.replace(/&lt;/g, "<").replace(/&#8212;/g, "—").replace(/&#160;/g, "\u00a0").replace(/&amp;/g, "&");
const text = () => `w${++serial} ` + Array.from({ length: 1 + random(6) }, () => words[random(words.length)]).join(" ");
// HTML of a block, and what must come of it, in order.
const block = () => {
  const made = [];
  const take = () => {
    const t = text();
    made.push(t);
    return t;
  };
  let html;
  switch (random(6)) {
    case 0: html = `<h2 id="s${serial}">${take()}</h2>`; break;
    case 1: html = `<ul><li>${take()}</li><li>${take()}<ol><li>${take()}</li></ol></li></ul>`; break;
    case 2: html = `<table><tr><td>${take()}</td><td>${take()}</td></tr><tr><td>${take()}</td></tr></table>`; break;
    case 3: html = `<blockquote><p>${take()}</p></blockquote>`; break;
    default: html = `<p>${take()} <b>${take()}</b> <a href="http://a.example/">${take()}</a></p>`;
  }
  return { html, texts: made };
};

const directory = mkdtempSync(join(tmpdir(), "epub"));
let texts = 0;
let faults = 0;
const fault = (...what) => {
  if (++faults <= 20) console.error(...what);
};
const normal = (value) => plain(value).replace(/[\s\u00a0]+/g, " ").trim();

for (let i = 0; i < Number(count); ++i) {
  const chapters = Array.from({ length: 1 + random(6) }, (_, n) => {
    const blocks = Array.from({ length: 1 + random(12) }, block);
    return { title: `Chapter ${n + 1} of book ${i}`, html: blocks.map((b) => b.html).join("\n"), texts: blocks.flatMap((b) => b.texts) };
  });
  const facts = { title: `Book ${i} & more`, author: ["Ann Other", "Böb"], publisher: "Press <1>", lang: "en" };
  for (const version of [2, 3]) {
    const bytes = await epubGen(
      { ...facts, version, date: "2024-02-29", tocInTOC: false, ignoreFailedDownloads: true },
      chapters.map((c) => ({ title: c.title, content: c.html })),
    );
    const path = join(directory, "book.epub");
    writeFileSync(path, bytes);
    const extraction = JSON.parse(execFileSync(program, ["epub", path], { maxBuffer: 1 << 28 }));
    const where = `book ${i} of version ${version}:`;
    if (extraction.outcome !== "text") fault(where, extraction.outcome, extraction.reason);
    if (extraction.warnings.length) fault(where, extraction.warnings);
    for (const [key, value] of [["title", [facts.title]], ["author", [facts.author.join(",")]], ["publisher", [facts.publisher]], ["language", ["en"]]]) {
      if (JSON.stringify(extraction.meta[key]) !== JSON.stringify(value)) fault(where, key, extraction.meta[key]);
    }
    const bytesOfText = Buffer.from(extraction.text);
    const parts = new Map();
    let last = 0;
    for (const span of extraction.spans) {
      if (span.number < last) fault(where, "chapters descend");
      last = span.number;
      parts.set(last, (parts.get(last) ?? "") + bytesOfText.subarray(span.start, span.end).toString());
    }
    // The generator puts a contents document first; chapters are what has a chapter's title.
    const found = [...parts.values()].map(normal).filter((part) => / of book /.test(part) && /\bw\d+ /.test(part));
    if (found.length !== chapters.length) fault(where, found.length, "chapters of", chapters.length);
    chapters.forEach((chapter, n) => {
      let at = 0;
      for (const t of chapter.texts) {
        ++texts;
        const next = (found[n] ?? "").indexOf(normal(t), at);
        if (next < 0) fault(where, `chapter ${n + 1} has not`, JSON.stringify(normal(t)));
        else at = next + normal(t).length;
      }
      if (!(found[n] ?? "").startsWith(`# ${chapter.title}`)) fault(where, "the title", (found[n] ?? "").slice(0, 40));
    });
  }
}
rmSync(directory, { recursive: true });
console.log(`epub: ${texts} texts in ${2 * Number(count)} books, ${faults} faults`);
process.exit(faults === 0 ? 0 : 1);
