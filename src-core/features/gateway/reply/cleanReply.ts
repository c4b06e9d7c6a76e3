import { speakTables, type SpokenLanguage } from './speakTables.ts';

/** Characters of one formula that is read; of a longer one only the marks go. */
const maxLength = 2_000;

/** Levels of fractions and roots in one another. */
const maxDepth = 8;

const display = /\$\$([^$]+)\$\$/g;

const inline = /\$(?![\s$])([^$\n]+)\$(?!\d)/g;

const bracketed = /\\\(((?:(?!\\[()])[^\n])*)\\\)|\\\[((?:(?!\\[[\]])[^])*)\\\]/g;

const commands: Record<SpokenLanguage, Words> = {
  zh: {
    times: '乘',
    cdot: '乘',
    div: '除以',
    pm: '正负',
    leq: '小于等于',
    le: '小于等于',
    geq: '大于等于',
    ge: '大于等于',
    neq: '不等于',
    ne: '不等于',
    approx: '约等于',
    infty: '无穷大',
    sum: '求和',
    int: '积分',
    to: '到',
    rightarrow: '到',
    degree: '度',
    circ: '度',
    ldots: '等等',
    cdots: '等等',
    percent: '%',
  },
  en: {
    times: 'times',
    cdot: 'times',
    div: 'divided by',
    pm: 'plus or minus',
    leq: 'at most',
    le: 'at most',
    geq: 'at least',
    ge: 'at least',
    neq: 'not equal to',
    ne: 'not equal to',
    approx: 'about',
    infty: 'infinity',
    sum: 'the sum of',
    int: 'the integral of',
    to: 'to',
    rightarrow: 'to',
    degree: 'degrees',
    circ: 'degrees',
    ldots: 'and so on',
    cdots: 'and so on',
  },
};

/**
 * What people see as an emoji. `\p{Emoji}` would match digits. Signs that are text unless U+FE0F follows (©, ™, →) stay
 * as long as it does not.
 */
const textByDefault = String.raw`\u00A9\u00AE\u2000-\u22FF\u24C2\u3030\u303D\u3297\u3299`;

const pictograph = String.raw`(?:[\p{Extended_Pictographic}--[${textByDefault}]]|[${textByDefault}]\uFE0F)`;

const tone = String.raw`[\uFE0E\uFE0F\u{1F3FB}-\u{1F3FF}]`;

/** Subdivision flags: a black flag, then invisible letters. */
const tags = String.raw`[\u{E0020}-\u{E007F}]`;

const sequence = String.raw`${pictograph}${tone}*${tags}*(?:\u200D${pictograph}${tone}*)*`;

const keycap = String.raw`[0-9#*]\uFE0F?\u20E3`;

const decoration = '[★☆◆◇●■□]';

const one = String.raw`(?:${decoration}\uFE0F?|${sequence}|${keycap}|\p{Regional_Indicator}|[\u{1F3FB}-\u{1F3FF}])`;

const run = new RegExp(String.raw`(?<![ \t])([ \t]*)(?:${one}[ \t]*)+`, 'gv');

/** Characters of an answer in which words are put for signs, which makes it longer: ten minutes of speech. */
const maxSpoken = 32 * 1024;

/**
 * A model's answer as it can be spoken: without pictographs, decoration and Markdown, with words for tables, formulas,
 * web addresses, units and signs. `stripReasoning` comes first. Takes time in proportion to the text.
 */
export function cleanReply(text: string): string {
  const language = /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
  const isShort = text.length <= maxSpoken;
  const prepared = isShort ? speakMath(speakTables(text, language), language) : text;
  const stripped = stripMarkdown(stripPictographs(prepared).replace(/\n{3,}/g, '\n\n'));
  return (isShort ? speakSymbols(stripped, language) : stripped)
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/**
 * Text without pictographs (with their joiners, selectors and skin tones), flags, keycaps and ★☆◆◇●■□
 * (docs/protocols/gateway.md#replies, docs/protocols/gateway.md#replies). Words that stood apart still do.
 */
function stripPictographs(text: string): string {
  return text.replace(run, (match, before: string) => (before !== '' || /[ \t]$/.test(match.slice(-1)) ? ' ' : ''));
}

type Words = Record<string, string>;

/** Text whose LaTeX formulas are words: `\frac{a}{b}` is "a over b". Prices such as $5 stay. */
function speakMath(text: string, language: SpokenLanguage): string {
  if (!/[$\\]/.test(text)) return text;
  const speak = (source: string): string => wordsOf(source, language);
  return text
    .replace(display, (_whole, source: string) => speak(source))
    .replace(inline, (whole, source: string) => (isFormula(source) ? speak(source) : whole))
    .replace(bracketed, (_whole, one: string | undefined, other: string | undefined) => speak(one ?? other ?? ''));
}

function isFormula(source: string): boolean {
  return !/\s$/.test(source) && (/[\\^_=+{]/.test(source) || /^[A-Za-z]$/.test(source));
}

function wordsOf(source: string, language: SpokenLanguage): string {
  if (source.length > maxLength) return source.replace(/[\\{}]/g, '');
  const zh = language === 'zh';
  let words = source.replace(/\\(?:left|right|displaystyle|limits)(?![a-zA-Z])|\\[,;:! ]/g, ' ');
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const before = words;
    words = words
      .replace(/\\(?:text|mathrm|mathbf|mathit|operatorname)\{([^{}]*)\}/g, '$1')
      .replace(/\^\{([^{}]*)\}/g, (_whole, power: string) => powerOf(power, language))
      .replace(/_\{([^{}]*)\}/g, ' $1')
      .replace(/\\sqrt\{([^{}]*)\}/g, zh ? '根号$1' : 'the square root of $1')
      .replace(/\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}/g, zh ? '$2分之$1' : '$1 over $2');
    if (words === before) break;
  }
  return words
    .replace(/\^(\\[a-zA-Z]+|[^\s\\])/g, (_whole, power: string) => powerOf(power, language))
    .replace(/_(?=\w)/g, ' ')
    .replace(/\\([a-zA-Z]+)/g, (_whole, name: string) => {
      const word = Object.hasOwn(commands[language], name) ? commands[language][name] : name;
      return zh && word !== name ? `${word}` : ` ${word} `;
    })
    .replace(/\\%/g, '%')
    .replace(/[\\{}]/g, '')
    .replace(/[ \t\n]+/g, ' ')
    .trim();
}

function powerOf(power: string, language: SpokenLanguage): string {
  if (/^\\(?:circ|degree)$/.test(power)) return language === 'zh' ? '度' : ' degrees ';
  if (language === 'zh') return power === '2' ? '的平方' : power === '3' ? '的立方' : `的${power}次方`;
  return power === '2' ? ' squared' : power === '3' ? ' cubed' : ` to the power of ${power}`;
}

/** A mark between two of these, or before a blank, does not open emphasis: `3*4`, `5 * 6` and `snake_case` stay. */
const word = '[A-Za-z0-9]';

/** One kind of emphasis: text between two marks, on one line, without a blank at its inner edges. */
function emphasis(mark: string): RegExp {
  const character = mark.slice(-1);
  const opens = String.raw`(?<![${'\\'}${character}])(?<!${word}(?=${mark}${word}))${mark}(?=[^\s${'\\'}${character}])`;
  const closes = String.raw`(?<=[^\s])${mark}(?![${'\\'}${character}])(?<!${word}${mark}(?=${word}))`;
  return new RegExp(String.raw`${opens}((?:(?!${mark})[^\n])+)${closes}`, 'g');
}

/** In the order in which they can nest. */
const emphases = [String.raw`\*\*\*`, String.raw`\*\*`, String.raw`\*`, '___', '__', '_', '~~'].map(emphasis);

/** How a line begins that the patterns below may change. */
const lineMark = /^[ \t]*[-*+_>#]/;
const fence = /^[ \t]{0,3}(?:`{3,}|~{3})[^\n`]*$/;
const rule = /^[ \t]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const codeSpan = /(?<!`)(`+)(?!`)([^`]+)\1(?!`)/g;
const link = /!?\[([^[\]\n]*)\]\([^()\s\uE000]*(?:\([^()\s\uE000]*\)[^()\s\uE000]*)?(?:[ \t]+"[^"\n\uE000]*")?\)/g;
const address = /<((?:https?:\/\/|mailto:)[^<>\s]+)>/g;
const bullet = /^[ \t]*[•‣◦▪·][ \t]+/;
const footnote = /\[\^[^\s[\]]{1,32}\]:?|【\d+†[^【】\n]*】/g;
const escaped = /\\([!-/:-@[-`{-~])/g;
const lineBreak = /<br[ \t]*\/?>/gi;
const tagNames =
  'a|abbr|b|blockquote|center|code|del|details|div|em|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|s|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul';
const tag = new RegExp(String.raw`</?(?:${tagNames})(?:\s[^<>]*|/)?>`, 'gi');
const entities: Record<string, string> = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
};
const entity = /&(nbsp|amp|lt|gt|quot|apos|#39);/g;

/** Delimit the number of a piece that is set aside while the rest is read: a mark within code is text. */
const [opening, closing] = ['\uE000', '\uE001'];

/**
 * Text without Markdown's marks: emphasis, code, headings, lists, quotations, links, rules, escapes, notes, HTML
 * (docs/protocols/gateway.md#replies). The marked text stays, and so do the numbers of a list. Web addresses are
 * replaced by their sites. Takes linear time: a pattern that begins with a run of blanks or backticks has a lookbehind,
 * so that it does not start again within the run.
 */
function stripMarkdown(text: string): string {
  const aside: string[] = [];
  const setAside = (piece: string): string => `${opening}${aside.push(piece) - 1}${closing}`;
  const lines: string[] = [];
  let inCode = false;
  for (const line of text.replace(/[\uE000\uE001]/g, '').split('\n')) {
    if (fence.test(line)) inCode = !inCode;
    else if (inCode) lines.push(setAside(line));
    else if (!lineMark.test(line) && !line.includes('`')) lines.push(line.replace(bullet, ''));
    else if (!rule.test(line))
      lines.push(
        stripLineMarks(line).replace(codeSpan, (_span, _ticks, inner: string) =>
          setAside(inner.replace(/^ (.+) $/, '$1')),
        ),
      );
  }
  const plain = lines
    .join('\n')
    .replace(escaped, (_whole, sign: string) => setAside(sign))
    .replace(footnote, '')
    .replace(link, '$1')
    .replace(address, '$1')
    .replace(lineBreak, '\n')
    .replace(tag, '');
  const named = speakAddresses(plain);
  const spoken = emphases.reduce((marked, pattern) => marked.replace(pattern, '$1'), named);
  return spoken
    .replace(entity, (whole, name: string) => entities[name] ?? whole)
    .replace(/\uE000(\d+)\uE001/g, (_whole, number: string) => aside[Number(number)] ?? '');
}

function stripLineMarks(line: string): string {
  return line
    .replace(/^[ \t]*(?:>[ \t]?)+/, '')
    .replace(/^[ \t]{0,3}#{1,6}[ \t]+([^]*?)(?:(?<![ \t])[ \t]+#+)?(?:(?<![ \t])[ \t]+)?$/, '$1')
    .replace(/^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?/, '');
}

/** A unit behind a number, and how it is said. Those without an English word are read as they are. */
const units: readonly [source: string, zh: string, en?: string][] = [
  ['℃|°C', '摄氏度', ' degrees Celsius'],
  ['℉|°F', '华氏度', ' degrees Fahrenheit'],
  ['°', '度', ' degrees'],
  ['km/h', '公里每小时', ' kilometers per hour'],
  ['m/s', '米每秒', ' meters per second'],
  ['[μµ]g/m³', '微克每立方米', ' micrograms per cubic meter'],
  ['mg/m³', '毫克每立方米', ' milligrams per cubic meter'],
  ['km²', '平方公里', ' square kilometers'],
  ['m²|㎡', '平方米', ' square meters'],
  ['m³|㎥', '立方米', ' cubic meters'],
  ['km|㎞', '公里', ' kilometers'],
  ['cm|㎝', '厘米', ' centimeters'],
  ['mm|㎜', '毫米', ' millimeters'],
  ['kg|㎏', '公斤', ' kilograms'],
  ['mg|㎎', '毫克', ' milligrams'],
  ['m[lL]|㎖', '毫升', ' milliliters'],
  ['hPa', '百帕', ' hectopascals'],
  ['kPa', '千帕', ' kilopascals'],
  ['kWh|kW·h', '千瓦时', ' kilowatt hours'],
  ['kW', '千瓦', ' kilowatts'],
  ['m', '米'],
  ['g', '克'],
  ['L', '升'],
  ['W', '瓦'],
];
const behindNumber = units.map(([source, zh, en]) => ({
  pattern: new RegExp(String.raw`(?<=\d) ?(?:${source})(?![A-Za-z0-9²³/])`, 'g'),
  zh,
  en,
}));

const signs: Record<SpokenLanguage, Record<string, string>> = {
  zh: {
    '≈': '约',
    '≥': '大于等于',
    '≤': '小于等于',
    '≠': '不等于',
    '±': '正负',
    '℃': '摄氏度',
    '℉': '华氏度',
  },
  en: { '≈': 'about ', '≥': 'at least ', '≤': 'at most ', '≠': ' not equal to ', '±': 'plus or minus ' },
};
const aSign = /[≈≥≤≠±℃℉]/g;
const below = { zh: '零下', en: 'minus ' };
const range = { zh: '到', en: ' to ' };
const pause = { zh: '，', en: ', ' };

const host = String.raw`[^\s/?#<>"'，。；！？、）】》)\]\uE000\uE001]`;
const rest = String.raw`[^\s<>"'，。；！？、）】》)\]\uE000\uE001]`;
const url = new RegExp(String.raw`\bhttps?://(${host}+)(${rest}*)`, 'gi');

/** Text whose web addresses are the names of their sites. */
function speakAddresses(text: string): string {
  return text.replace(url, (_whole, authority: string, path: string) => {
    const name = authority.slice(authority.lastIndexOf('@') + 1);
    // The stop of a sentence is not the address's.
    const stop = /[.,;:!?]$/.exec(path === '' ? name : path)?.[0] ?? '';
    const bare = path === '' ? name.slice(0, name.length - stop.length) : name;
    return `${bare.replace(/^www\./i, '').replace(/:\d+$/, '')}${stop}`;
  });
}

/** Text whose units, signs, arrows and numbers in circles are words; what is neither a word nor punctuation is removed. */
function speakSymbols(text: string, language: SpokenLanguage): string {
  let spoken = text
    .replace(/(?<![A-Za-z\d.])[-−](?=\d+(?:\.\d+)? ?[℃℉°])/g, below[language])
    .replace(/(?<=[一二三四五六七八九〇零])○/g, '〇');
  for (const { pattern, ...said } of behindNumber) {
    const word = said[language];
    if (word !== undefined) spoken = spoken.replace(pattern, word);
  }
  return spoken
    .replace(/(?<=[\d%度米克里升]) ?[~～–] ?(?=[\d零])/g, range[language])
    .replace(aSign, (sign) => signs[language][sign] ?? sign)
    .replace(/(?<![ \t])[ \t]*[→⟶⇒➔➜][ \t]*/g, pause[language])
    .replace(/[\u2460-\u249B\u2776-\u2793](.?)/gs, (whole, next: string) => {
      const number = numberOf(whole.charAt(0));
      const spaced = next === '' || /[\s\p{P}]/u.test(next);
      return `${number}${spaced ? '' : language === 'zh' ? '、' : ' '}${next}`;
    })
    .replace(/[\u2020-\u2023\u203B\u2500-\u25FF\u2605\u2606\u2669-\u266F\u2713-\u2718\u3013]/g, '');
}

/** The number in a circle, in parentheses or before a stop: ① ⑴ ⒈ ❶ ➀ ➊. */
function numberOf(sign: string): string {
  const code = sign.charCodeAt(0);
  if (code >= 0x2776) return String(((code - 0x2776) % 10) + 1);
  return sign.normalize('NFKC').replace(/\D/g, '');
}
