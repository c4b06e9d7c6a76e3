import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

import { createFileSecrets } from '../../../src-core/store/fileSecrets.ts';

function file(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-secrets-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'secrets.json');
}

describe('secrets in a file', () => {
  test('are there again after a restart, each by its name, and only for their owner', async () => {
    const path = file();
    const secrets = createFileSecrets(path);
    expect(await secrets.storage()).toBe('file');
    expect(await secrets.get('a')).toBeUndefined();
    await secrets.set('a', 'one');
    await secrets.set('__proto__', 'two');
    await secrets.set('a', 'three');
    const again = createFileSecrets(path);
    expect([await again.get('a'), await again.get('__proto__'), await again.get('constructor')]).toEqual([
      'three',
      'two',
      undefined,
    ]);
    expect([await again.has('a'), await again.has('toString')]).toEqual([true, false]);
    await again.delete('a');
    await again.delete('a');
    expect(await secrets.has('a')).toBe(false);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(path, '..'))).toEqual(['secrets.json']);
  });

  test('a file that was opened to others is closed by the next write', async () => {
    if (process.platform === 'win32') return;
    const path = file();
    writeFileSync(path, '{"a":"one"}');
    chmodSync(path, 0o644);
    await createFileSecrets(path).set('b', 'two');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ a: 'one', b: 'two' });
  });

  test('a file of more than 4 MB is neither read nor made', async () => {
    const path = file();
    const secrets = createFileSecrets(path);
    await expect(secrets.set('a', 'x'.repeat(4 * 1024 * 1024))).rejects.toThrow(`${path} would be larger than 4 MB`);
    expect(await secrets.has('a')).toBe(false);
    writeFileSync(path, JSON.stringify({ a: 'x'.repeat(4 * 1024 * 1024) }));
    await expect(secrets.get('a')).rejects.toThrow(`${path} has 4,194,312 bytes; the limit is 4,194,304.`);
  });

  test.each(['{"a": "sk-secret', '[]', 'null', '{"a": 5}'])(
    'a damaged file (%s) is named, not shown and not overwritten',
    async (text) => {
      const path = file();
      writeFileSync(path, text);
      const secrets = createFileSecrets(path);
      for (const attempt of [secrets.get('a'), secrets.has('a'), secrets.set('a', 'b'), secrets.delete('a')]) {
        const error = await attempt.catch((thrown: unknown) => thrown as Error);
        expect(error).toMatchObject({ message: expect.stringContaining(`${path} is damaged`) });
        expect(String((error as Error).stack)).not.toContain('sk-secret');
      }
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );
});
