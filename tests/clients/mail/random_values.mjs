// Random values by a seed (mulberry32).

export class Random {
  constructor(seed) { this.state = seed >>> 0; }
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  below(limit) { return Math.floor(this.next() * limit); }
  chance(share) { return this.next() < share; }
  pick(list) { return list[this.below(list.length)]; }
  bytes(count) { return Buffer.from(Array.from({ length: count }, () => this.below(256))); }
}

const words = ['alpha', 'Grüße', 'naïve', 'Привет', 'мир', '日本語', 'テスト', 'café', 'x', 'the', 'of', 'a=b', '=?', 'From',
  'end.', '😀', 'über-lang', 'https://example.org/a?b=c&d', '"quoted"', 'semi;colon', 'com,ma', '<tag>', 'A', '100%'];

export function sentence(random, most = 12, list = words) {
  return Array.from({ length: 1 + random.below(most) }, () => random.pick(list)).join(' ');
}

export function paragraphs(random) {
  const lines = [];
  for (let i = random.below(12) + 1; i > 0; --i) {
    const kind = random.below(10);
    if (kind === 0) lines.push('');
    else if (kind === 1) lines.push('> ' + sentence(random));
    else if (kind === 2) lines.push('From ' + sentence(random));
    else if (kind === 3) lines.push('.');
    else if (kind === 4) lines.push(sentence(random, 200));
    else if (kind === 5) lines.push('--' + sentence(random, 2));
    else if (kind === 6) lines.push('x'.repeat(random.below(1200) + 1));
    else if (kind === 7) lines.push('plain words only, and some more of them to fill a line beyond seventy-six columns');
    else lines.push(sentence(random));
  }
  return lines.join('\n');
}
