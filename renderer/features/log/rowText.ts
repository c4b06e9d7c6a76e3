import { formatBytes } from '../../ui/format/formatBytes.ts';
import { formatDuration } from '../../ui/format/formatDuration.ts';
import { formatTimeMs } from '../../ui/format/formatTime.ts';
import { wireIdOf, type LogEntry } from './wireRows.ts';

/** A row as a line of text: time, direction, type, what it is, id, duration, size, with tabs between. */
export function rowText({ row, answer }: LogEntry, folded: boolean): string {
  const half = folded ? answer : undefined;
  const durationMs = half?.row.durationMs ?? row.durationMs;
  return [
    formatTimeMs(row.at),
    half ? '⇄' : row.direction === 'out' ? '↑' : '↓',
    row.type,
    row.summary,
    row.rpcId === undefined ? (wireIdOf(row) ?? '') : `#${row.rpcId}`,
    durationMs === undefined ? '' : formatDuration(durationMs),
    formatBytes(row.bytes + (half?.row.bytes ?? 0)),
  ].join('\t');
}
