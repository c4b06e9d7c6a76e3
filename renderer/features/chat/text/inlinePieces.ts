/** A stretch of a line. */
export interface InlinePiece {
  kind: 'plain' | 'code' | 'strong' | 'em' | 'link';
  text: string;
  /** Of a link: its address, http or https. */
  href?: string;
}

/** Each form ends at the next sign of its kind or at the line's end, so that no text takes more than one pass. */
const forms =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^\s*][^*\n]*)\*(?![\w*])|(?<!!)\[([^[\]\n]+)\]\((https?:\/\/[^\s()<>]{1,2000})\)/g;

/** Code, strong and emphasised words of a text, its links to web pages, and what is between them. */
export function inlinePieces(text: string): InlinePiece[] {
  const pieces: InlinePiece[] = [];
  let done = 0;
  const add = (kind: InlinePiece['kind'], part = ''): void => {
    if (part !== '') pieces.push({ kind, text: part });
  };
  for (const match of text.matchAll(forms)) {
    const [whole, code, strong, em, words = '', href] = match;
    add('plain', text.slice(done, match.index));
    add('code', code);
    add('strong', strong);
    add('em', em);
    if (href !== undefined) pieces.push({ kind: 'link', text: words, href });
    done = match.index + whole.length;
  }
  add('plain', text.slice(done));
  return pieces;
}
