import type { SpokenLanguage } from './speakTables.ts';

/** Characters of one formula that is read; of a longer one only the marks go. */
const maxLength = 2_000;
/** Levels of fractions and roots in one another. */
const maxDepth = 8;

const display = /\$\$([^$]+)\$\$/g;
const inline = /\$(?![\s$])([^$\n]+)\$(?!\d)/g;
const bracketed = /\\\(((?:(?!\\[()])[^\n])*)\\\)|\\\[((?:(?!\\[[\]])[^])*)\\\]/g;

type Words = Record<string, string>;

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

/** Text whose LaTeX formulas are words: `\frac{a}{b}` is "a over b". Prices such as $5 stay. */
export function speakMath(text: string, language: SpokenLanguage): string {
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
