/** The paths of files that the desktop shell tells. */
import { expect, test } from 'vitest';

import { followFilePaths, pathOf } from '../../../../renderer/features/servers/transfer/filePath.ts';

function host(isDesktop: boolean) {
  const listeners: ((event: MessageEvent) => void)[] = [];
  const window = {
    ...(isDesktop && { toolwireShell: { kind: 'electron' } }),
    addEventListener: (_type: string, listener: (event: MessageEvent) => void) => void listeners.push(listener),
  } as unknown as Window;
  followFilePaths(window);
  const tell = (data: unknown, source: unknown = window): void =>
    listeners.forEach((listener) => listener({ data, source } as unknown as MessageEvent));
  return tell;
}

test('a path belongs to exactly the file that was dropped, and only the own window tells it', () => {
  const tell = host(true);
  const file = { name: 'a.json', size: 3, lastModified: 7 };
  const told = { type: 'toolwire:file', ...file, path: '/x/a.json' };
  tell(told, {});
  tell({ ...told, type: 'other' });
  tell(null);
  expect(pathOf(file)).toBeUndefined();
  tell(told);
  expect(pathOf(file)).toBe('/x/a.json');
  expect(pathOf({ ...file, size: 4 })).toBeUndefined();
  expect(pathOf({ ...file, lastModified: 8 })).toBeUndefined();
});

test('a browser knows no path', () => {
  const file = { name: 'b.json', size: 3, lastModified: 7 };
  host(false)({ type: 'toolwire:file', ...file, path: '/x/b.json' });
  expect(pathOf(file)).toBeUndefined();
});
