/** Characters of a piece: few enough to read and send one without a noticeable delay. */
const pieceLength = 250_000;
/** A longer line was not written by Toolwire: frames are cut at a far lower limit. */
const longestLine = 7_000_000;

/**
 * Yields a file's text in pieces that end at line ends.
 * @throws {Error} If a line is longer than any frame can be.
 */
export async function* linePieces(file: Blob): AsyncGenerator<{ text: string; bytesRead: number }> {
  const reader = file.stream().getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let bytesRead = 0;
  for (;;) {
    const { value, done } = await reader.read();
    bytesRead += value?.length ?? 0;
    rest += decoder.decode(value, { stream: !done });
    for (let end = endOfPiece(rest); end > 0; end = endOfPiece(rest)) {
      yield { text: rest.slice(0, end), bytesRead };
      rest = rest.slice(end);
    }
    if (done && rest !== '') yield { text: rest, bytesRead };
    if (done) return;
    if (rest.length > longestLine) throw new RangeError('A line of the file is longer than 7 MB');
  }
}

/** The end of the next piece: after the last line that fits, else after the first; 0 while there is too little text. */
function endOfPiece(text: string): number {
  if (text.length < pieceLength) return 0;
  return text.lastIndexOf('\n', pieceLength) + 1 || text.indexOf('\n') + 1;
}
