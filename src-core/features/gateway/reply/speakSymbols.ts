import type { SpokenLanguage } from './speakTables.ts';

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
  en: {
    '≈': 'about ',
    '≥': 'at least ',
    '≤': 'at most ',
    '≠': ' not equal to ',
    '±': 'plus or minus ',
  },
};
const aSign = /[≈≥≤≠±℃℉]/g;
const below = { zh: '零下', en: 'minus ' };
const range = { zh: '到', en: ' to ' };
const pause = { zh: '，', en: ', ' };

const host = String.raw`[^\s/?#<>"'，。；！？、）】》)\]\uE000\uE001]`;
const rest = String.raw`[^\s<>"'，。；！？、）】》)\]\uE000\uE001]`;
const url = new RegExp(String.raw`\bhttps?://(${host}+)(${rest}*)`, 'gi');

/** Text whose web addresses are the names of their sites. */
export function speakAddresses(text: string): string {
  return text.replace(url, (_whole, authority: string, path: string) => {
    const name = authority.slice(authority.lastIndexOf('@') + 1);
    // The stop of a sentence is not the address's.
    const stop = /[.,;:!?]$/.exec(path === '' ? name : path)?.[0] ?? '';
    const bare = path === '' ? name.slice(0, name.length - stop.length) : name;
    return `${bare.replace(/^www\./i, '').replace(/:\d+$/, '')}${stop}`;
  });
}

/** Text whose units, signs, arrows and numbers in circles are words; what is neither a word nor punctuation is removed. */
export function speakSymbols(text: string, language: SpokenLanguage): string {
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
