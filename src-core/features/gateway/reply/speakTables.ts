const fence = /^[ \t]{0,3}(?:`{3}|~{3})/;
const delimiter = /^:?-+:?$/;
/** Characters that headers may add to an answer by being repeated in each row. */
const maxRepeated = 64 * 1024;

const marks = new Map([
  ...[...'✓✔√☑✅'].map((mark) => [mark, 'yes'] as const),
  ...[...'✗✘✕✖❌'].map((mark) => [mark, 'no'] as const),
]);
const words = { zh: { yes: '是', no: '否' }, en: { yes: 'yes', no: 'no' } };

/** Which words are put in: those of an answer with Chinese characters, or English ones. */
export type SpokenLanguage = keyof typeof words;

/**
 * Text whose Markdown tables are sentences: the first cell of a row, then each further cell behind its header. Takes time
 * in proportion to the text.
 */
export function speakTables(text: string, language: SpokenLanguage): string {
  if (!text.includes('|')) return text;
  const lines = text.split('\n');
  const spoken: string[] = [];
  let inCode = false;
  let left = maxRepeated;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (fence.test(line)) inCode = !inCode;
    const headers = inCode ? undefined : headersAt(lines, at);
    if (headers === undefined) {
      spoken.push(line);
      continue;
    }
    const size = headers.join('').length;
    const before = spoken.length;
    for (at += 2; lines[at]?.includes('|'); at += 1) {
      left -= size;
      spoken.push(sentence(cellsOf(lines[at] ?? ''), left > 0 ? headers : [], language));
    }
    if (spoken.length === before) spoken.push(sentence(headers, [], language));
    at -= 1;
  }
  return spoken.join('\n');
}

/** The header cells of a table that begins at a line; undefined if none does. */
function headersAt(lines: readonly string[], at: number): string[] | undefined {
  const [line = '', next = ''] = lines.slice(at, at + 2);
  if (!line.includes('|') || !next.includes('-')) return undefined;
  const columns = cellsOf(next);
  const headers = cellsOf(line);
  return columns.length === headers.length && columns.every((cell) => delimiter.test(cell)) ? headers : undefined;
}

function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}

function sentence(cells: readonly string[], headers: readonly string[], language: SpokenLanguage): string {
  const [colon, comma, blank, stop] = language === 'zh' ? ['：', '，', '', '。'] : [': ', ', ', ' ', '.'];
  const said = cells.map((cell) => {
    const mark = marks.get(cell.replace('\uFE0F', ''));
    return mark === undefined ? cell : words[language][mark];
  });
  const [first = '', ...others] = said;
  const rest = others.flatMap((cell, at) => {
    const header = headers[at + 1] ?? '';
    return cell === '' ? [] : [header === '' ? cell : `${header}${blank}${cell}`];
  });
  if (rest.length === 0) return first === '' ? '' : `${first}${stop}`;
  return `${first === '' ? '' : `${first}${colon}`}${rest.join(comma)}${stop}`;
}
