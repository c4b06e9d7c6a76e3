import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('one zod is installed: with two, the types of the MCP SDK do not fit ours', () => {
  const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  expect(Object.keys(lock.packages).filter((path) => /(?:^|\/)node_modules\/zod$/.test(path))).toEqual([
    'node_modules/zod',
  ]);
});
