/** A stretch of a line. */
export interface InlinePiece {
  kind: 'plain' | 'code' | 'strong' | 'em';
  text: string;
}

/** Each form ends at the next sign of its kind or at the line's end, so that no text takes more than one pass. */
const forms = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^\s*][^*\n]*)\*(?![\w*])/g;

/** Code, strong and emphasised words of a text, and what is between them. */
export function inlinePieces(text: string): InlinePiece[] {
  const pieces: InlinePiece[] = [];
  let done = 0;
  const add = (kind: InlinePiece['kind'], part: string): void => {
    if (part !== '') pieces.push({ kind, text: part });
  };
  for (const match of text.matchAll(forms)) {
    const [whole, code, strong, em] = match;
    add('plain', text.slice(done, match.index));
    if (code !== undefined) add('code', code);
    else if (strong !== undefined) add('strong', strong);
    else add('em', em ?? '');
    done = match.index + whole.length;
  }
  add('plain', text.slice(done));
  return pieces;
}
