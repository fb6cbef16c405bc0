// What makers of documents share. A maker is a function (random) => {bytes, expected, absent, meta, outcome}:
//   expected  [{text, place}] in the order of the document; place: {kind, number, name, range}, of which what is given
//             must be that of the span around the text. The range of a sheet must contain the given cell.
//   absent    texts that must not come out
//   meta      {key: [value]} that must come out
//   outcome   "text" unless given

// xorshift32: the same numbers for the same seed.
export class Random {
  constructor(seed) {
    this.state = (seed * 2654435761) >>> 0 || 1;
    this.serial = 0;
  }
  below(bound) {
    this.state ^= this.state << 13;
    this.state >>>= 0;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    this.state >>>= 0;
    return this.state % bound;
  }
  chance(percent) {
    return this.below(100) < percent;
  }
  pick(values) {
    return values[this.below(values.length)];
  }
  // A word that is in no other text of the document.
  unique() {
    this.serial += 1;
    return `w${this.serial}q`;
  }
  // Some words; the first one is unique.
  text(most = 8) {
    const words = ['cost', 'Größe', 'naïve', '日本語', 'a&b', '<tag>', '"quoted"', 'x', '12.5', 'Ωmega', 'e\u0301t', '🙂'];
    const parts = [this.unique()];
    for (let left = this.below(most); left > 0; left -= 1) parts.push(this.pick(words));
    return parts.join(' ');
  }
}

export function columnName(column) {
  let name = '';
  for (; column > 0; column = Math.floor((column - 1) / 26)) name = String.fromCharCode(65 + ((column - 1) % 26)) + name;
  return name;
}

function cellOf(name) {
  const [, letters, digits] = /^([A-Z]+)(\d+)$/.exec(name);
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return {row: Number(digits), column};
}

export function rangeContains(range, cell) {
  const [from, to = from] = range.split(':').map(cellOf);
  const {row, column} = cellOf(cell);
  return row >= from.row && row <= to.row && column >= from.column && column <= to.column;
}
