import type { PaneId } from '../../window/navigation.ts';

/** The pane that opens a file, or why the file is refused. */
export type FilePlace =
  { pane: Extract<PaneId, 'devices' | 'chat' | 'settings' | 'parser' | 'realtime'> } | { refused: 'binary' | 'empty' };

/** Bytes at the beginning of a file that are read to detect its type. */
const headBytes = 65_536;
const marks = { 'toolwire-chat': 'chat', 'toolwire-settings': 'settings' } as const;

/** Detects the type by the first bytes and ignores the file name. */
export async function paneOfFile(file: File): Promise<FilePlace> {
  if (file.size === 0) return { refused: 'empty' };
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const ascii = (from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WAVE') return { pane: 'realtime' };
  if (bytes.includes(0)) return { refused: 'binary' };
  const head = new TextDecoder().decode(bytes).trimStart();
  // A capture's first line is its header.
  if (/^\{[^\n]*"toolwire"\s*:\s*"capture"/.test(head)) return { pane: 'devices' };
  const mark = /^\{\s*"format"\s*:\s*"(toolwire-chat|toolwire-settings)"/.exec(head)?.[1];
  if (mark === 'toolwire-chat' || mark === 'toolwire-settings') return { pane: marks[mark] };
  return { pane: 'parser' };
}
