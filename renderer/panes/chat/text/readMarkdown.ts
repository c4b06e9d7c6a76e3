/** An item of a list. */
export interface MarkdownItem {
  /** As written: `-`, `2.` */
  marker: string;
  /** Levels it is indented by. */
  depth: number;
  text: string;
}

/** A piece of a reply. Everything that is none of the others is a paragraph, as it was written. */
export type MarkdownBlock =
  | { kind: 'paragraph' | 'heading' | 'quote'; text: string }
  | { kind: 'list'; items: MarkdownItem[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'rule' };

const fence = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)/;
const listItem = /^(\s*)([-*+]|\d{1,9}[.)])\s+(\S.*)$/;

/**
 * The few forms of Markdown that models write most: paragraphs, headings, quotes, lists, code blocks, rules. One pass; HTML,
 * links and pictures stay the text they are.
 */
export function readMarkdown(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let code: { fence: string; language: string; lines: string[] } | undefined;
  let open = false;

  const add = (kind: 'paragraph' | 'quote', line: string): void => {
    const last = blocks.at(-1);
    if (open && last?.kind === kind) last.text += `\n${line}`;
    else blocks.push({ kind, text: line });
    open = true;
  };

  for (const line of text.split('\n')) {
    if (code !== undefined) {
      if (isEnd(line, code.fence)) {
        blocks.push({ kind: 'code', language: code.language, text: code.lines.join('\n') });
        code = undefined;
      } else code.lines.push(line);
      continue;
    }
    const opening = fence.exec(line);
    const heading = /^ {0,3}#{1,6}\s+(.+)$/.exec(line);
    const item = listItem.exec(line);
    const quote = /^ {0,3}> ?(.*)$/.exec(line);
    if (opening) code = { fence: opening[1] ?? '', language: (opening[2] ?? '').toLowerCase(), lines: [] };
    else if (line.trim() === '') open = false;
    else if (heading) blocks.push({ kind: 'heading', text: (heading[1] ?? '').replace(/\s+#+\s*$/, '') });
    else if (/^ {0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) blocks.push({ kind: 'rule' });
    else if (item) addItem(blocks, item);
    else if (quote) add('quote', quote[1] ?? '');
    else if (open && isContinued(blocks, line)) continue;
    else add('paragraph', line);
    if (opening || heading) open = false;
    else if (item) open = true;
  }
  // A reply that still comes has not closed its block yet.
  if (code !== undefined) blocks.push({ kind: 'code', language: code.language, text: code.lines.join('\n') });
  return blocks;
}

function isEnd(line: string, opened: string): boolean {
  const bare = line.trim();
  return bare.length >= opened.length && bare === (opened[0] ?? '`').repeat(bare.length);
}

function addItem(blocks: MarkdownBlock[], [, indent = '', marker = '-', text = '']: RegExpExecArray): void {
  const item = { marker: /\d/.test(marker) ? marker : '•', depth: Math.min(6, Math.floor(indent.length / 2)), text };
  const last = blocks.at(-1);
  if (last?.kind === 'list') last.items.push(item);
  else blocks.push({ kind: 'list', items: [item] });
}

/** An indented line after an item belongs to it. */
function isContinued(blocks: readonly MarkdownBlock[], line: string): boolean {
  const last = blocks.at(-1);
  const item = last?.kind === 'list' ? last.items.at(-1) : undefined;
  if (item === undefined || !/^\s/.test(line)) return false;
  item.text += `\n${line.trim()}`;
  return true;
}
