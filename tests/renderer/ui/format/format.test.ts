import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { keyLabel } from '../../../../renderer/ui/composables/platform.ts';
import { formatBytes } from '../../../../renderer/ui/format/formatBytes.ts';
import { formatDuration } from '../../../../renderer/ui/format/formatDuration.ts';
import { formatDateTime, formatTime, formatTimeMs, formatWhen } from '../../../../renderer/ui/format/formatTime.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { sourceName, toolName } from '../../../../renderer/ui/format/sourceName.ts';

describe('figures, as UI.md writes them', () => {
  it('durations', () => {
    expect(
      [0, 0.0042, 0.4213, 0.996, 1, 184.4, 999.4, 2_410, 30_000, 192_000, 239_999, 3_600_000].map(formatDuration),
    ).toEqual([
      '<1 ms',
      '0.0042 ms',
      '0.42 ms',
      '1 ms',
      '1 ms',
      '184 ms',
      '999 ms',
      '2.41 s',
      '30.0 s',
      '3 m 12 s',
      '3 m 59 s',
      '1 h 0 m',
    ]);
  });

  it('bytes', () => {
    expect([0, 206, 999, 1_000, 41_200, 10_000_000].map(formatBytes)).toEqual([
      '0 B',
      '206 B',
      '999 B',
      '1.0 kB',
      '41.2 kB',
      '10.0 MB',
    ]);
  });

  it('sources and their tools: a client of the gateway by its number, any other as it names itself', () => {
    const client = { kind: 'gateway', id: 'connection-3', label: '127.0.0.1:51000' } as const;
    const server = { kind: 'gateway', id: 'server', label: 'my tools' } as const;
    const device = { kind: 'device', id: 'connection-1', label: 'Lamp' } as const;
    expect([client, server, device].map(sourceName)).toEqual(['Client 3', 'Gateway’s own tools', 'Lamp']);
    expect(toolName({ name: client.label, source: client })).toBe('Client 3');
    expect(toolName({ name: 'Its lamp', source: client })).toBe('Its lamp');
    expect(toolName({ name: 'Clock', source: server })).toBe('Clock');
    const clock = { kind: 'builtin', id: 'clock', label: 'Clock' } as const;
    expect(toolName({ name: 'Clock', source: clock })).toBe('Clock');
    setLanguage('zh');
    onTestFinished(() => setLanguage('en'));
    expect([clock, { ...clock, id: 'of a newer engine' }].map(sourceName)).toEqual(['时钟', 'Clock']);
    // A device may have any name.
    expect(sourceName({ ...clock, kind: 'device' })).toBe('Clock');
  });

  it('times of day', () => {
    const at = new Date(2026, 10, 21, 12, 41, 7, 42).getTime();
    expect(formatTime(at)).toBe('12:41:07');
    expect(formatTimeMs(at)).toBe('12:41:07.042');
    vi.useFakeTimers({ now: at + 60_000, toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    expect(formatWhen(at)).toBe('12:41:07');
    expect(formatWhen(at - 86_400_000)).toBe('Nov 20, 2026 12:41:07');
  });

  it('dates and long durations, as the window’s language writes them', () => {
    const at = new Date(2026, 10, 23, 13, 40, 59).getTime();
    expect([formatDateTime(at), formatDuration(934_000)]).toEqual(['Nov 23, 2026 13:40:59', '15 m 34 s']);
    setLanguage('zh');
    onTestFinished(() => setLanguage('en'));
    expect([formatDateTime(at), formatDuration(934_000)]).toEqual(['2026年11月23日 13:40:59', '15分34秒']);
    expect(formatDuration(5_400_000)).toBe('1小时30分');
  });

  it('keys, as this system writes them', () => {
    expect(['mod+k', 'mod+shift+d', 'enter', 'f6', '/', 'mod+,'].map(keyLabel)).toEqual([
      'Ctrl+K',
      'Ctrl+Shift+D',
      '⏎',
      'F6',
      '/',
      'Ctrl+,',
    ]);
  });
});
