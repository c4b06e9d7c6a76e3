/** An item of a list. */
export interface MarkdownItem {
  /** As written: `-`, `2.` */
  marker: string;
  /** Levels it is indented by. */
  depth: number;
  text: string;
}

/** A piece of a reply. Everything that is none of the others is a paragraph, as it was written. */
export type MarkdownBlock = Placed &
  (
    | { kind: 'paragraph' | 'heading' | 'quote'; text: string }
    | { kind: 'list'; items: MarkdownItem[] }
    | { kind: 'code'; language: string; text: string }
    | { kind: 'rule' }
    | MarkdownTable
  );

/** How the cells of a column are aligned. */
type MarkdownAlign = 'left' | 'center' | 'right' | undefined;

interface MarkdownTable {
  kind: 'table';
  /** One for each cell of `head`. */
  aligns: MarkdownAlign[];
  head: string[];
  /** A row may have more or fewer cells than the head. */
  rows: string[][];
}

interface Placed {
  /** Where its first line begins in the text that was read. */
  start: number;
}

interface OpenCode extends Placed {
  fence: string;
  language: string;
  lines: string[];
}

// `.` takes a lone \r, too, so that none of these forms fails behind a long run of spaces and tries each of its splits.
const fence = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)/;
const listItem = /^(\s*)([-*+]|\d{1,9}[.)])\s+(\S.*)$/s;
const headingLine = /^ {0,3}#{1,6}\s+(\S.*)$/s;
const quoteLine = /^ {0,3}> ?(.*)$/s;
const ruleLine = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;

/**
 * The few forms of Markdown that models write most: paragraphs, headings, quotes, lists, code blocks, tables, rules. One pass; HTML,
 * links and pictures stay the text they are.
 */
export function readMarkdown(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let code: OpenCode | undefined;
  let open = false;
  let start = 0;
  let next = 0;
  /** The line before, if it ends an open paragraph. */
  let before: { line: string; start: number } | undefined;

  const add = (kind: 'paragraph' | 'quote', line: string): void => {
    const last = blocks.at(-1);
    if (open && last?.kind === kind) last.text += `\n${line}`;
    else blocks.push({ start, kind, text: line });
    open = true;
  };

  for (const line of text.split('\n')) {
    start = next;
    next += line.length + 1;
    if (code !== undefined) {
      if (isEnd(line, code.fence)) {
        blocks.push(codeBlock(code));
        code = undefined;
      } else code.lines.push(line);
      continue;
    }
    const above = before;
    before = undefined;
    const opening = fence.exec(line);
    const heading = headingLine.exec(line);
    const item = listItem.exec(line);
    const quote = quoteLine.exec(line);
    if (opening) code = { start, fence: opening[1] ?? '', language: (opening[2] ?? '').toLowerCase(), lines: [] };
    else if (line.trim() === '') open = false;
    else if (heading) blocks.push({ start, kind: 'heading', text: withoutClosingSigns(heading[1] ?? '') });
    else if (ruleLine.test(line)) blocks.push({ start, kind: 'rule' });
    else if (item) addItem(blocks, item, start);
    else if (quote) add('quote', quote[1] ?? '');
    else if (open && isContinued(blocks, line)) continue;
    else if (open && addRow(blocks, line)) continue;
    else if (open && above !== undefined && next <= text.length && beginTable(blocks, above, line)) continue;
    else {
      add('paragraph', line);
      before = { line, start };
    }
    if (opening || heading) open = false;
    else if (item) open = true;
  }
  // A reply that still comes has not closed its block yet.
  if (code !== undefined) blocks.push(codeBlock(code));
  return blocks;
}

function codeBlock({ start, language, lines }: OpenCode): MarkdownBlock {
  return { start, kind: 'code', language, text: lines.join('\n') };
}

/** A heading's text without the `#` that may end it, as in `## Title ##`. */
function withoutClosingSigns(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (trimmed[end - 1] === '#') end -= 1;
  const title = trimmed.slice(0, end);
  return title.trimEnd() === title ? trimmed : title.trimEnd();
}

/** About how many elements the blocks take in the page. */
export function countElements(blocks: readonly MarkdownBlock[]): number {
  return blocks.reduce((sum, block) => sum + elementsOf(block), 0);
}

/**
 * About how many elements a block takes in the page. A code block counts 30 times: with its bar and its list of lines it takes
 * Chromium as long.
 */
export function elementsOf(block: MarkdownBlock): number {
  if (block.kind === 'code') return 30;
  if (block.kind === 'list') return block.items.reduce((items, { text }) => items + 3 + countPieces(text), 0);
  if (block.kind === 'table')
    return [block.head, ...block.rows].flat().reduce((cells, text) => cells + 2 + countPieces(text), 2);
  return 1 + (block.kind === 'rule' ? 0 : countPieces(block.text));
}

/** Pieces of code and emphasis, at most: each has two signs. */
function countPieces(text: string): number {
  let signs = 0;
  for (const sign of text) if (sign === '`' || sign === '*') signs += 1;
  return signs / 2;
}

function isEnd(line: string, opened: string): boolean {
  const bare = line.trim();
  return bare.length >= opened.length && bare === (opened[0] ?? '`').repeat(bare.length);
}

function addItem(
  blocks: MarkdownBlock[],
  [, indent = '', marker = '-', text = '']: RegExpExecArray,
  start: number,
): void {
  const item = { marker: /\d/.test(marker) ? marker : '•', depth: Math.min(6, Math.floor(indent.length / 2)), text };
  const last = blocks.at(-1);
  if (last?.kind === 'list') last.items.push(item);
  else blocks.push({ start, kind: 'list', items: [item] });
}

/** An indented line after an item belongs to it. */
function isContinued(blocks: readonly MarkdownBlock[], line: string): boolean {
  const last = blocks.at(-1);
  const item = last?.kind === 'list' ? last.items.at(-1) : undefined;
  if (item === undefined || !/^\s/.test(line)) return false;
  item.text += `\n${line.trim()}`;
  return true;
}

const delimiterLine = /^[\s|:-]+$/;
const delimiterCell = /^:?-+:?$/;

/** Makes a table of the last line of a paragraph, its head, if the complete `line` is `| --- |` with as many cells. */
function beginTable(blocks: MarkdownBlock[], above: { line: string; start: number }, line: string): boolean {
  if (!line.includes('|') || !delimiterLine.test(line)) return false;
  const delimiters = cellsOf(line);
  const head = cellsOf(above.line);
  if (delimiters.length !== head.length || !delimiters.every((cell) => delimiterCell.test(cell))) return false;
  const last = blocks.at(-1);
  if (last?.kind !== 'paragraph') return false;
  if (last.text === above.line) blocks.pop();
  else last.text = last.text.slice(0, -above.line.length - 1);
  blocks.push({ start: above.start, kind: 'table', aligns: delimiters.map(alignOf), head, rows: [] });
  return true;
}

function alignOf(delimiter: string): MarkdownAlign {
  if (delimiter.endsWith(':')) return delimiter.startsWith(':') ? 'center' : 'right';
  return delimiter.startsWith(':') ? 'left' : undefined;
}

/** A line with a bar belongs to the table above it. */
function addRow(blocks: readonly MarkdownBlock[], line: string): boolean {
  const last = blocks.at(-1);
  if (last?.kind !== 'table' || !line.includes('|')) return false;
  last.rows.push(cellsOf(line));
  return true;
}

/** The cells of a line; `\\|` is a bar within one. */
function cellsOf(line: string): string[] {
  const cells = [''];
  const text = line.trim();
  for (let at = text.startsWith('|') ? 1 : 0; at < text.length; at += 1) {
    const isEscaped = text[at] === '\\' && text[at + 1] === '|';
    if (isEscaped) at += 1;
    if (text[at] === '|' && !isEscaped) {
      // A bar at the end closes the last cell.
      if (at < text.length - 1) cells.push('');
    } else cells[cells.length - 1] += text[at] ?? '';
  }
  return cells.map((cell) => cell.trim());
}
