import type { HistoryRow } from './types.ts';

/** Characters of a result's text that are kept. */
const maxResultLength = 128 * 1024;
/** Characters of JSON, each. */
const maxArgsLength = 1024 * 1024;
const maxContentLength = 1024 * 1024;
const maxStructuredLength = 1024 * 1024;

/** A row that is fit to be kept: what is too long is cut, and says by how much. */
export function boundRow(row: HistoryRow): HistoryRow {
  const { content, structuredContent, ...result } = row.result;
  const keepContent = content !== undefined && JSON.stringify(content).length <= maxContentLength;
  const keepStructured = structuredContent !== undefined && structuredContent.length <= maxStructuredLength;
  return {
    ...row,
    argsJson: boundArgs(row.argsJson),
    result: {
      ...result,
      result: boundText(result.result),
      ...(keepContent && { content }),
      ...(keepStructured && { structuredContent }),
    },
  };
}

/** Whether the text of a result out of the history is only the beginning of what it was. */
export function isCutText(text: string): boolean {
  return text.length > maxResultLength;
}

function boundText(text: string): string {
  if (!isCutText(text)) return text;
  const cut = text.length - maxResultLength;
  return `${text.slice(0, maxResultLength).toWellFormed()}… (${cut.toLocaleString('en')} more characters were not kept)`;
}

/** Arguments that are fit to be kept. */
export function boundArgs(argsJson: string): string {
  const { length } = argsJson;
  if (length <= maxArgsLength) return argsJson;
  return JSON.stringify({ '(not kept)': `The arguments had ${length.toLocaleString('en')} characters of JSON.` });
}
