// DOCX, PPTX and XLSX, made by docx, pptxgenjs and exceljs.
import * as docx from 'docx';
import ExcelJS from 'exceljs';
import PptxGenJS from 'pptxgenjs';
import {columnName} from './known_documents.mjs';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export async function makeDocx(random) {
  const expected = [];
  const absent = [];
  const children = [];
  const footnotes = {};
  const comments = [];
  const path = [];
  let number = 0;
  let notes = 0;
  const place = () => ({kind: 'paragraph', number, name: path.map((heading) => heading.text).join(' > ')});
  const expect = (text, at = place()) => expected.push({text, place: at});
  const levels = [docx.HeadingLevel.HEADING_1, docx.HeadingLevel.HEADING_2, docx.HeadingLevel.HEADING_3];
  const blocks = 5 + random.below(40);
  for (let i = 0; i < blocks; i += 1) {
    const kind = random.below(12);
    number += 1;
    if (kind === 0) {
      const level = random.below(3);
      const text = random.unique();
      while (path.length > 0 && path.at(-1).level >= level) path.pop();
      path.push({level, text});
      if (path.map((heading) => heading.text).join(' > ').length > 150) throw new Error('path too long');
      expect(`${'#'.repeat(level + 1)} ${text}\n`);
      children.push(new docx.Paragraph({text, heading: levels[level]}));
    } else if (kind === 1) {
      const text = random.text();
      const level = random.below(3);
      expect(`${'  '.repeat(level)}- ${text}\n`);
      children.push(new docx.Paragraph({text, bullet: {level}}));
    } else if (kind === 2) {
      number -= 1;
      const rows = [];
      const columns = 2 + random.below(3);
      for (let row = 0; row < 1 + random.below(4); row += 1) {
        const cells = [];
        const first = number + 1;
        const texts = [];
        for (let column = 0; column < columns; column += 1) {
          const text = random.text(4);
          texts.push(text);
          number += 1;
          cells.push(new docx.TableCell({children: [new docx.Paragraph(text)]}));
        }
        expect(`${texts.join('\t')}\n`, {...place(), number: first});
        rows.push(new docx.TableRow({children: cells}));
      }
      children.push(new docx.Table({rows}));
    } else if (kind === 3) {
      notes += 1;
      const [text, note, after] = [random.text(), random.text(), random.text()];
      footnotes[notes] = {children: [new docx.Paragraph(note)]};
      expect(`${text}[${notes}]${after}\n`);
      expect(`[${notes}] ${note}\n`);
      children.push(new docx.Paragraph({
        children: [new docx.TextRun(text), new docx.FootnoteReferenceRun(notes), new docx.TextRun(after)],
      }));
    } else if (kind === 4) {
      const [kept, gone, added] = [random.text(), random.text(), random.text()];
      const change = {author: 'Ann', date: '2024-01-02T03:04:05Z'};
      absent.push(gone);
      expect(`${kept}${added}`);
      children.push(new docx.Paragraph({
        children: [
          new docx.TextRun(kept),
          new docx.DeletedTextRun({text: gone, id: 1000 + i, ...change}),
          new docx.InsertedTextRun({text: added, id: 2000 + i, ...change}),
        ],
      }));
    } else if (kind === 5) {
      const text = random.text();
      expect(`1. ${text}\n`);
      children.push(new docx.Paragraph({text, numbering: {reference: 'numbers', level: 0, instance: i}}));
    } else if (kind === 6) {
      const [text, link] = [random.text(), random.text()];
      expect(`${text}${link}\n`);
      children.push(new docx.Paragraph({
        children: [
          new docx.TextRun(text),
          new docx.ExternalHyperlink({children: [new docx.TextRun(link)], link: 'https://example.org/x'}),
        ],
      }));
    } else if (kind === 7) {
      const alternative = random.text();
      expect(alternative);
      children.push(new docx.Paragraph({
        children: [new docx.ImageRun({
          type: 'png',
          data: Buffer.from(PIXEL, 'base64'),
          transformation: {width: 9, height: 9},
          altText: {name: 'n', description: alternative, title: ''},
        })],
      }));
    } else if (kind === 8) {
      const [text, comment] = [random.text(), random.text()];
      const id = comments.length;
      comments.push({
        id, author: 'Bob', date: new Date('2024-01-02T03:04:05Z'), children: [new docx.Paragraph(comment)],
      });
      expect(`${text}\n`);
      expect(`Comment (Bob): ${comment}\n`);
      children.push(new docx.Paragraph({
        children: [
          new docx.CommentRangeStart(id),
          new docx.TextRun(text),
          new docx.CommentRangeEnd(id),
          new docx.TextRun({children: [new docx.CommentReference(id)]}),
        ],
      }));
    } else if (kind === 9) {
      children.push(new docx.Paragraph(''));
    } else {
      const runs = [];
      let text = '';
      for (let run = 0; run < 1 + random.below(4); run += 1) {
        const part = random.text(20);
        text += part;
        runs.push(new docx.TextRun({text: part, bold: random.chance(30), italics: random.chance(30)}));
      }
      expect(`${text}\n`);
      children.push(new docx.Paragraph({children: runs}));
    }
  }
  const header = random.text();
  const footer = random.text();
  expect(`${header}\n`, {kind: 'paragraph', number: 0, range: 'header'});
  expect(`${footer}\n`, {kind: 'paragraph', number: 0, range: 'footer'});
  const title = random.text();
  const document = new docx.Document({
    title, creator: 'Ann Author', subject: 'Tests', keywords: 'one, two; three',
    comments: {children: comments},
    footnotes,
    numbering: {config: [{
      reference: 'numbers',
      levels: [{level: 0, format: docx.LevelFormat.DECIMAL, text: '%1.', alignment: docx.AlignmentType.START}],
    }]},
    sections: [{
      headers: {default: new docx.Header({children: [new docx.Paragraph(header)]})},
      footers: {default: new docx.Footer({children: [new docx.Paragraph(footer)]})},
      children,
    }],
  });
  return {
    bytes: await docx.Packer.toBuffer(document), expected, absent,
    meta: {title: [title], author: ['Ann Author'], subject: ['Tests'], keywords: ['one', 'two', 'three']},
  };
}

export async function makePptx(random) {
  const expected = [];
  const deck = new PptxGenJS();
  const title = random.text();
  deck.title = title;
  deck.author = 'Ann Author';
  deck.subject = 'Tests';
  deck.defineSlideMaster({
    title: 'MAIN',
    objects: [{placeholder: {options: {name: 'head', type: 'title', x: 0.5, y: 0.2, w: 9, h: 1}, text: 'layout'}}],
  });
  const slides = 1 + random.below(12);
  for (let number = 1; number <= slides; number += 1) {
    const expect = (text, range = '') => expected.push({text, place: {kind: 'slide', number, range}});
    const titled = random.chance(60);
    const hidden = random.chance(15);
    const slide = deck.addSlide(titled ? {masterName: 'MAIN'} : undefined);
    slide.hidden = hidden;
    let late;
    if (titled) {
      const text = random.text();
      expect(`# ${text}${hidden ? ' (hidden)' : ''}\n`);
      late = () => slide.addText(text, {placeholder: 'head'});
      if (random.chance(50)) {
        late();
        late = undefined;
      }
    } else {
      expect(`# Slide ${number}${hidden ? ' (hidden)' : ''}\n`);
    }
    for (let shape = 0; shape < 1 + random.below(5); shape += 1) {
      const box = {x: 1, y: 1 + shape / 2, w: 8, h: 0.5};
      const kind = random.below(4);
      if (kind === 0) {
        const items = [];
        for (let item = 0; item < 1 + random.below(4); item += 1) {
          const text = random.text();
          const level = random.below(3);
          expect(`${'  '.repeat(level)}- ${text}\n`);
          items.push({text, options: {bullet: true, indentLevel: level, breakLine: true}});
        }
        slide.addText(items, box);
      } else if (kind === 1) {
        const rows = [];
        for (let row = 0; row < 1 + random.below(3); row += 1) {
          const cells = [random.text(4), random.text(4), random.text(4)];
          expect(`${cells.join('\t')}\n`);
          rows.push(cells.map((text) => ({text})));
        }
        slide.addTable(rows, {x: 1, y: 1, w: 8});
      } else if (kind === 2) {
        const altText = random.text();
        expect(`${altText}\n`);
        slide.addImage({data: `image/png;base64,${PIXEL}`, altText, x: 1, y: 1, w: 1, h: 1});
      } else {
        const text = random.text(20);
        expect(`${text}\n`);
        slide.addText(text, box);
      }
    }
    if (late) late();
    if (random.chance(40)) {
      const notes = random.text();
      expect(`${notes}\n`, 'notes');
      slide.addNotes(notes);
    }
  }
  const bytes = await deck.write({outputType: 'nodebuffer'});
  return {
    bytes, expected, absent: ['layout', 'Click to'],
    meta: {title: [title], author: ['Ann Author'], subject: ['Tests']},
  };
}

// A value of a cell, and how it is shown.
function cellValue(random) {
  const amount = (random.below(2_000_000) - 1_000_000) / 100;
  const grouped = (value) => value.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',');
  const day = new Date(Date.UTC(1950 + random.below(120), random.below(12), 1 + random.below(28)));
  const iso = day.toISOString().slice(0, 10);
  switch (random.below(10)) {
    case 0: return {value: amount, shown: String(amount)};
    case 1: return {value: amount, numFmt: '#,##0.00', shown: grouped(amount)};
    case 2: {
      const share = random.below(1000) / 1000;
      const thousandths = Math.round(share * 1000);
      return {value: share, numFmt: '0.0%', shown: `${Math.floor(thousandths / 10)}.${thousandths % 10}%`};
    }
    case 3: return {value: day, numFmt: 'yyyy-mm-dd', shown: iso};
    case 4: return {value: day, shown: iso};
    case 5: return {value: day, numFmt: 'dd.mm.yyyy', shown: iso}; // dates are ISO 8601 in any format
    case 6: return {value: random.chance(50), shown: undefined};
    case 7: {
      const result = random.text(3);
      return {value: {formula: 'CONCATENATE("a","b")', result}, shown: result};
    }
    case 8: {
      const parts = [random.text(3), random.text(3)];
      return {
        value: {richText: parts.map((text) => ({text, font: {bold: random.chance(50)}}))},
        shown: parts.join(''),
      };
    }
    default: {
      const text = random.text(5);
      return {value: random.chance(20) ? {text, hyperlink: 'https://example.org'} : text, shown: text};
    }
  }
}

export async function makeXlsx(random) {
  const expected = [];
  const absent = [];
  const workbook = new ExcelJS.Workbook();
  workbook.creator = 'Ann Author';
  workbook.title = random.text();
  workbook.subject = 'Tests';
  workbook.keywords = 'one, two';
  workbook.created = new Date('2024-01-02T03:04:05Z');
  workbook.properties.date1904 = random.chance(20);
  const sheets = 1 + random.below(4);
  for (let number = 1; number <= sheets; number += 1) {
    const name = `Sheet ${random.unique()} ${random.pick(['Ä', 'x', '日'])}`;
    const hidden = number > 1 && random.chance(25);
    const sheet = workbook.addWorksheet(name, {state: hidden ? random.pick(['hidden', 'veryHidden']) : 'visible'});
    const place = (range) => ({kind: 'sheet', number, name, ...(range ? {range} : {})});
    expected.push({text: `# ${name}${hidden ? ' (hidden)' : ''}\n`, place: place()});
    const notes = [];
    const left = 1 + random.below(40);
    let row = 1 + random.below(5);
    for (let i = 0; i < 1 + random.below(60); i += 1) {
      let column = left + random.below(3);
      for (let j = 0; j < 1 + random.below(6); j += 1) {
        const cell = sheet.getCell(row, column);
        const {value, numFmt, shown} = cellValue(random);
        cell.value = value;
        if (numFmt) cell.numFmt = numFmt;
        const range = columnName(column) + row;
        expected.push({text: shown ?? (value ? 'TRUE' : 'FALSE'), place: place(range)});
        if (random.chance(3)) {
          const note = random.text();
          cell.note = note;
          notes.push({text: note, place: place(range)});
        }
        if (random.chance(5)) {
          sheet.mergeCells(row, column, row, column + 1);
          column += 1;
        }
        column += 1 + (random.chance(20) ? random.below(4) : 0);
      }
      row += 1 + (random.chance(10) ? random.below(50) : 0);
    }
    expected.push(...notes);
  }
  return {
    bytes: Buffer.from(await workbook.xlsx.writeBuffer()), expected, absent,
    meta: {
      title: [workbook.title], author: ['Ann Author'], subject: ['Tests'], keywords: ['one', 'two'],
      created: ['2024-01-02T03:04:05Z'],
    },
  };
}

export const makers = {docx: makeDocx, pptx: makePptx, xlsx: makeXlsx};
