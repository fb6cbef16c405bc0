// Text that was drawn must come back: all of it, in order, at its page, in paragraphs.
import assert from 'node:assert/strict';
import test from 'node:test';
import { madePdf, mono, randomText, readPdf, sans, serif, words } from './made_pdf.mjs';

const pageText = (read, page) => read.pages.find((p) => p.page === page)?.text ?? '';

test('paragraphs of random words come back, in order, at their pages', async () => {
  for (let seed = 1; seed <= 8; ++seed) {
    const random = randomText(seed);
    const pages = Array.from({ length: 1 + random.next(4) }, () =>
      Array.from({ length: 1 + random.next(5) }, () => random.paragraph()));
    const align = seed % 2 ? 'justify' : 'left';
    const read = readPdf(await madePdf((doc) => {
      for (const page of pages) {
        doc.addPage().font(serif).fontSize(9 + random.next(4));
        for (const paragraph of page) doc.text(paragraph, { align, paragraphGap: 8 });
      }
    }));
    assert.equal(read.outcome, 'ok');
    assert.equal(read.meta.pages[0], String(pages.length));
    pages.forEach((page, i) => assert.equal(pageText(read, i + 1), page.join('\n\n'), `seed ${seed}`));
    assert.equal(read.text, `${pages.flat().join('\n\n')}\n`);
  }
});

test('two and three columns are read one after the other', async () => {
  for (const columns of [2, 3]) {
    const random = randomText(columns);
    const paragraphs = Array.from({ length: columns === 2 ? 11 : 12 }, () => random.paragraph(4));
    const title = 'A title above all columns';
    const read = readPdf(await madePdf((doc) => {
      doc.addPage().font(serif).fontSize(20).text(title).moveDown(1).fontSize(9);
      const top = doc.y;
      paragraphs.forEach((p, i) => {
        const perColumn = Math.ceil(paragraphs.length / columns);
        const width = (doc.page.width - 144 - (columns - 1) * 18) / columns;
        const column = Math.floor(i / perColumn);
        const options = { width, align: 'justify', paragraphGap: 6 };
        if (i % perColumn === 0) doc.text(p, 72 + column * (width + 18), top, options);
        else doc.text(p, options);
      });
    }));
    assert.deepEqual(words(read.text), words([title, ...paragraphs].join(' ')), `${columns} columns`);
    assert.equal(read.text.split('\n')[0], `# ${title}`);
    assert.equal(read.warnings.includes('columns_guessed'), false);
    // Narrow justified columns have gaps as wide as those between columns.
    if (columns === 2) for (const p of paragraphs) assert.ok(read.text.includes(p), p);
  }
});

test('running heads, feet and page numbers are left out, but not what is nowhere else', async () => {
  const random = randomText(5);
  const body = Array.from({ length: 6 }, () => random.paragraph(5));
  const read = readPdf(await madePdf((doc) => {
    body.forEach((text, i) => {
      doc.addPage({ size: 'A4', margins: { left: 72, right: 72, top: 20, bottom: 0 } }).font(sans).fontSize(8);
      doc.text(i % 2 ? 'Quarterly report' : `Part ${'ABCDEF'[i]}`, 72, 30, { lineBreak: false });
      doc.text(`Page ${i + 1} of 6`, 280, 800, { lineBreak: false });
      doc.fontSize(11).text(`${text} Quarterly report is a report.`, 72, 72, { width: 450 });
    });
  }));
  // "Part A" is on one page only; it is no running head.
  for (let i = 0; i < 6; ++i) {
    const head = i % 2 ? '' : `Part ${'ABCDEF'[i]}\n\n`;
    assert.equal(pageText(read, i + 1), `${head}${body[i]} Quarterly report is a report.`);
  }
});

test('a hyphen at the end of a line is dropped where the word has none', async () => {
  const read = readPdf(await madePdf((doc) => {
    doc.addPage().font(serif).fontSize(11);
    doc.text('The information about a self-contained system is here, and so is a well-known fact.');
    doc.moveDown();
    const lines = ['We have more and more infor-', 'mation and we hear of the self-', 'contained one, while the pre-',
      'and post-war years are unu-', 'sual for all men of Baden-', 'Baden, who said that it is well-', 'known.'];
    const top = doc.y;
    lines.forEach((line, i) => doc.text(line, 72, top + i * 14, { lineBreak: false }));
  }));
  const text = read.text.replace(/\s+/g, ' ');
  assert.match(text, /more information and we hear of the self-contained one, while the pre- and post-war years/);
  assert.match(text, /are unusual for all men of Baden-Baden, who said that it is well-known\./);
});

test('ligatures and letters of other scripts stay as they are', async () => {
  const text = 'The oﬃce ﬁle ﬂows. Größe, naïve, Ελληνικά, Привет, Ünïcödé “quotes” — dash… a<b & c>d "e" \'f\'';
  const read = readPdf(await madePdf((doc) => doc.addPage().font(sans).fontSize(10).text(text)));
  assert.equal(read.text, `${text}\n`);
});

test('rotated text is read, and does not disturb the rest', async () => {
  const random = randomText(9);
  const paragraphs = [random.paragraph(5), random.paragraph(5)];
  const read = readPdf(await madePdf((doc) => {
    doc.addPage().font(serif).fontSize(11);
    for (const p of paragraphs) doc.text(p, { paragraphGap: 8 });
    doc.rotate(-90, { origin: [40, 500] }).text('Stamped sideways in the margin', 40, 500, { lineBreak: false });
  }));
  for (const p of paragraphs) assert.ok(read.text.includes(p), read.text);
  assert.match(read.text, /Stamped sideways in the margin/);
  assert.doesNotMatch(read.text, /^#/m);
});

test('text from right to left comes in logical order', async () => {
  const read = readPdf(await madePdf((doc) => {
    doc.addPage().font(sans).fontSize(12).text('שלום עולם', { features: [] });
  }));
  // PDFKit draws the letters as they are given, so this only shows that they are all there.
  assert.equal(words(read.text).join('').length, 8);
});

test('headings have levels by their size', async () => {
  const random = randomText(11);
  const read = readPdf(await madePdf((doc) => {
    doc.addPage().font(serif).fontSize(24).text('The whole book').moveDown();
    for (const chapter of ['First chapter', 'Second chapter']) {
      doc.fontSize(17).text(chapter).moveDown(0.5);
      for (const section of ['Alpha', 'Beta']) {
        doc.fontSize(13.5).text(`${section} section`).moveDown(0.3);
        doc.fontSize(10).text(random.paragraph(3)).moveDown();
      }
    }
  }));
  assert.deepEqual(read.text.split('\n').filter((line) => line.startsWith('#')), [
    '# The whole book', '## First chapter', '### Alpha section', '### Beta section',
    '## Second chapter', '### Alpha section', '### Beta section',
  ]);
});

test('the rows of a table keep together', async () => {
  const rows = [['Name', 'Amount', 'Place']];
  const random = randomText(21);
  for (let i = 0; i < 12; ++i) rows.push([random.word() + i, String(100 + random.next(900)), random.word()]);
  const read = readPdf(await madePdf((doc) => {
    doc.addPage().font(sans).fontSize(10).text(random.paragraph(4)).moveDown(2);
    let y = doc.y;
    // Column by column, as some programs draw tables.
    [0, 1, 2].forEach((c) => rows.forEach((row, r) => doc.text(row[c], 90 + c * 130, y + r * 14, { lineBreak: false })));
    doc.text(random.paragraph(4), 72, y + 14 * rows.length + 20);
  }));
  for (const row of rows) assert.ok(read.text.split('\n').includes(row.join('\t')), read.text);
});

test('lists and code keep their lines', async () => {
  const items = ['First point to make', 'Second point', 'Third point'];
  const code = ['int main() {', '  return 0;', '}', '# not a heading'];
  const read = readPdf(await madePdf((doc) => {
    doc.addPage().font(serif).fontSize(11).text(randomText(3).paragraph(3)).moveDown();
    doc.list(items, { bulletRadius: 2 }).moveDown();
    items.forEach((item, i) => doc.text(`${i + 1}. ${item}`));
    items.forEach((item) => doc.text(`• ${item}`));
    doc.moveDown().font(mono).fontSize(9);
    code.forEach((line) => doc.text(line));
  }));
  const lines = read.text.split('\n');
  items.forEach((item, i) => assert.ok(lines.includes(`${i + 1}. ${item}`), read.text));
  items.forEach((item) => assert.ok(lines.includes(item), read.text));
  items.forEach((item) => assert.ok(lines.includes(`- ${item}`), read.text));
  code.forEach((line) => assert.ok(lines.some((l) => l.trim().replace(/^\\/, '') === line.trim()), read.text));
  assert.ok(lines.includes('\\# not a heading'), read.text);
});

test('facts of the document', async () => {
  const info = { Title: 'A <title> & “more”', Author: 'Ada', Subject: 'Subjects', Keywords: 'one, two; three',
    CreationDate: new Date('2024-02-29T12:34:56Z'), ModDate: new Date('2025-01-02T03:04:05Z') };
  const { meta } = readPdf(await madePdf((doc) => doc.addPage().text('x'), { info }));
  assert.deepEqual(meta, {
    title: [info.Title], author: ['Ada'], subject: ['Subjects'], keywords: ['one, two', 'three'],
    created: ['2024-02-29T12:34:56Z'], modified: ['2025-01-02T03:04:05Z'], pages: ['1'],
  });
});

test('pages without text are counted', async () => {
  const box = (doc) => doc.rect(100, 100, 200, 200).fill('black');
  const scanned = readPdf(await madePdf((doc) => { for (let i = 0; i < 7; ++i) box(doc.addPage()); }));
  assert.equal(scanned.outcome, 'no_text');
  assert.equal(scanned.reason, '7 pages, none has text: they may be scanned');
  const mixed = readPdf(await madePdf((doc) => {
    box(doc.addPage());
    doc.addPage().text('words');
    box(doc.addPage());
  }));
  assert.equal(mixed.outcome, 'ok');
  assert.deepEqual(mixed.warnings, ['pages_without_text']);
  assert.deepEqual(mixed.meta.pages_without_text, ['2']);
  assert.deepEqual(mixed.pages, [{ page: 2, text: 'words' }]);
});

test('encrypted and damaged files', async () => {
  for (const pdfVersion of ['1.3', '1.7', '1.7ext3']) {
    const locked = readPdf(await madePdf((doc) => doc.addPage().text('secret'),
      { userPassword: 'open', ownerPassword: 'own', pdfVersion }));
    assert.equal(locked.outcome, 'encrypted', pdfVersion);
    assert.equal(locked.reason, 'a password is needed');
    // One that only restricts what may be done is read.
    const open = readPdf(await madePdf((doc) => doc.addPage().text('open'), { ownerPassword: 'own', pdfVersion }));
    assert.equal(open.text, 'open\n', pdfVersion);
  }
  for (const bytes of [Buffer.from(''), Buffer.from('no pdf at all'), Buffer.from('%PDF-1.7\n%%EOF\n')]) {
    const read = readPdf(bytes);
    assert.equal(read.outcome, 'damaged', read.reason);
    assert.match(read.reason, /^pdftotext /);
  }
  const whole = await madePdf((doc) => doc.addPage().text('whole'));
  for (let i = 1; i < 20; ++i) {
    const read = readPdf(whole.subarray(0, Math.floor((whole.length * i) / 20)));
    assert.ok(['ok', 'damaged', 'no_text'].includes(read.outcome), read.outcome);
  }
});

test('notes and the outline stand at their pages, in files that are encrypted without a password, too', async () => {
  const encryptions = [{}, ...['1.3', '1.4', '1.6', '1.7', '1.7ext3'].map((pdfVersion) =>
    ({ pdfVersion, ownerPassword: 'owner', permissions: { copying: true } }))];
  for (const options of encryptions) {
    const read = readPdf(await madePdf((doc) => {
      for (const page of [1, 2, 3]) {
        doc.addPage().font(serif).fontSize(11).text(`Body of page ${page}, which is not long.`);
        doc.outline.addItem(page === 2 ? 'Étangs' : `Part ${page}`).addItem(`Body of page ${page}, which is not long.`);
        doc.note(100, 300, 20, 20, `Ask “Zoë” (${page})`, { Title: 'Ann' });
        if (page === 3) doc.annotate(72, 72, 99, 12, { Subtype: 'Highlight', Contents: new String('doubtful') });
      }
    }, options));
    const label = JSON.stringify(options);
    assert.equal(read.outcome, 'ok', label);
    for (const page of [1, 2, 3]) {
      const text = pageText(read, page);
      assert.ok(text.includes(page === 2 ? '# Étangs\n' : `# Part ${page}\n`), `${label} ${text}`);
      assert.ok(text.includes(`## Body of page ${page}, which is not long.\n`), `${label} ${text}`);
      assert.ok(text.includes(`Ask “Zoë” (${page})`), `${label} ${text}`);
      assert.equal(text.includes('doubtful'), page === 3, label);
    }
  }
});
