// Makes PDF files with PDFKit, and asks extract_pdf what Recall reads of them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import PDFDocument from 'pdfkit';

const require = createRequire(import.meta.url);
const fonts = join(dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf');
export const sans = join(fonts, 'DejaVuSans.ttf');
export const serif = join(fonts, 'DejaVuSerif.ttf');
export const mono = join(fonts, 'DejaVuSansMono.ttf');

// The bytes of a PDF that `draw(doc)` draws on pages of A4.
export function madePdf(draw, options = {}) {
  return new Promise((resolve, reject) => {
    const doc = new PDFDocument({ size: 'A4', margin: 72, autoFirstPage: false, ...options });
    const parts = [];
    doc.on('data', (part) => parts.push(part));
    doc.on('end', () => resolve(Buffer.concat(parts)));
    doc.on('error', reject);
    draw(doc);
    doc.end();
  });
}

// What extract_pdf prints for a file of these bytes.
export function readPdf(bytes) {
  const dir = mkdtempSync(join(tmpdir(), 'recall-pdf-'));
  try {
    const file = join(dir, 'it’s made.pdf');
    writeFileSync(file, bytes);
    return JSON.parse(execFileSync(process.env.EXTRACT_PDF, [file], { maxBuffer: 1 << 28 }));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

export const words = (text) => text.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];

// Paragraphs of random words, the same for the same seed. Each word is made of syllables, so that
// none is a part of another by design.
export function randomText(seed) {
  let state = seed >>> 0;
  const next = (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const syllables = ['ba', 'ke', 'lo', 'mi', 'nu', 'ra', 'se', 'ti', 'vo', 'zu', 'dra', 'ple', 'sto', 'kri', 'fun'];
  const word = () => Array.from({ length: 1 + next(4) }, () => syllables[next(syllables.length)]).join('');
  const sentence = () => {
    const list = Array.from({ length: 6 + next(12) }, word);
    return `${list[0][0].toUpperCase()}${list.join(' ').slice(1)}.`;
  };
  const paragraph = (sentences = 3 + next(5)) => Array.from({ length: sentences }, sentence).join(' ');
  return { next, word, sentence, paragraph };
}
