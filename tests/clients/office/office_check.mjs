// node office_check.mjs EXTRACT_DOCUMENTS SEED DOCUMENTS [FORMAT]
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Random, rangeContains} from './known_documents.mjs';
import {makers as office} from './office_makers.mjs';

const [program, seed, documents, only] = process.argv.slice(2);
const allMakers = {...office};

// What is wrong with an extraction; "" if nothing is.
function faultOf(found, known) {
  if (found.broken) return `a promise is broken: ${found.broken}`;
  const outcome = known.outcome ?? 'text';
  if (found.outcome !== outcome) return `the outcome is ${found.outcome} (${found.reason}), not ${outcome}`;
  for (const [key, values] of Object.entries(known.meta ?? {})) {
    if (JSON.stringify(found.meta[key]) !== JSON.stringify(values)) {
      return `${key} is ${JSON.stringify(found.meta[key])}, not ${JSON.stringify(values)}`;
    }
  }
  const text = Buffer.from(found.text);
  for (const absent of known.absent ?? []) {
    if (text.includes(absent)) return `there is ${JSON.stringify(absent)}`;
  }
  let at = 0;
  for (const {text: wanted, place} of known.expected) {
    const start = text.indexOf(wanted, at);
    if (start < 0) {
      return `${JSON.stringify(wanted)} is not there, or not in its order; after byte ${at}: ` +
          JSON.stringify(text.subarray(at, at + 200).toString());
    }
    at = start + Buffer.byteLength(wanted);
    const span = found.spans.find((candidate) => candidate.start <= start && candidate.end >= at);
    if (!span) return `${JSON.stringify(wanted)} has no place`;
    for (const [key, value] of Object.entries(place)) {
      const fits = key === 'range' && place.kind === 'sheet' ? rangeContains(span.range, value) : span[key] === value;
      if (!fits) return `${JSON.stringify(wanted)} is at ${JSON.stringify(span)}, not ${JSON.stringify(place)}`;
    }
  }
  return '';
}

const directory = mkdtempSync(join(tmpdir(), 'office-'));
let failed = 0;
for (const [format, make] of Object.entries(allMakers)) {
  if (only && only !== format) continue;
  const all = [];
  let pieces = 0;
  for (let i = 0; i < Number(documents); i += 1) {
    const known = await make(new Random(Number(seed) * 1000 + i));
    const path = join(directory, `${i}.${format}`);
    writeFileSync(path, known.bytes);
    all.push({...known, path});
    pieces += known.expected.length;
  }
  const lines = execFileSync(program, [format, ...all.map((known) => known.path)], {maxBuffer: 1 << 30})
    .toString().trimEnd().split('\n');
  let faults = 0;
  all.forEach((known, i) => {
    const fault = faultOf(JSON.parse(lines[i]), known);
    if (!fault) return;
    faults += 1;
    console.error(`${known.path}: ${fault}`);
  });
  failed += faults;
  console.log(`${format}: ${all.length - faults} of ${all.length} documents, ${pieces} texts`);
}
if (failed > 0) process.exit(1);
rmSync(directory, {recursive: true});
