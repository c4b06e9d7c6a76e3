import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

import { writeWhole } from '../../../../src-core/features/collections/writeWhole.ts';
import { folderWith } from './folders.ts';

test('of two that create one file at once one fails, and no temporary file remains', async () => {
  const folder = folderWith({});
  for (let round = 0; round < 20; round++) {
    const at = join(folder, `${round}.json`);
    const made = await Promise.allSettled(['A', 'B'].map((text) => writeWhole(at, text, { isNew: true })));
    const winner = made.findIndex(({ status }) => status === 'fulfilled');
    expect(made[1 - winner]).toMatchObject({ status: 'rejected', reason: { code: 'EEXIST' } });
    expect(readFileSync(at, 'utf8')).toBe(['A', 'B'][winner]);
  }
  expect(readdirSync(folder)).toHaveLength(20);
});

test.skipIf(process.platform === 'win32')(
  'a disk that takes no more leaves the old file, and nothing beside it',
  () => {
    const folder = folderWith({ 'a.json': 'old' });
    const source = fileURLToPath(new URL('../../../../src-core/features/collections/writeWhole.ts', import.meta.url));
    const code = `const { writeWhole } = await import(${JSON.stringify(source)});
    await writeWhole(${JSON.stringify(join(folder, 'a.json'))}, 'new'.repeat(100_000), { isNew: false })
      .catch((error) => process.stdout.write(error.code));`;
    // A process of its own: its files may hold a few blocks only.
    const script = 'ulimit -f 8; exec "$0" --input-type=module -e "$1"';
    const { stdout } = spawnSync('sh', ['-c', script, process.execPath, code], { encoding: 'utf8' });
    expect(stdout).toBe('EFBIG');
    expect(readdirSync(folder)).toEqual(['a.json']);
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('old');
  },
);
