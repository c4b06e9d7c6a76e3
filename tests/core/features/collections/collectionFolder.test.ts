import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { ChangedFileError, openCollectionFolder } from '../../../../src-core/features/collections/collectionFolder.ts';
import { folderWith, put } from './folders.ts';

describe('nothing outside the folder', () => {
  test.each([
    '../secret.json',
    '../x.call.json',
    '/etc/passwd',
    'sub/x.call.json',
    'environments/../toolwire.json',
    'environments/../../x.json',
    'environments\\..\\x.call.json',
    'c:x.call.json',
    '.hidden.call.json',
    'x.call.json\0',
    'package.json',
    '',
  ])('%j is neither read nor written', async (file) => {
    const folder = await openCollectionFolder(folderWith({ 'toolwire.json': '{}' }));
    await expect(folder.read(file)).rejects.toThrow('is not a file of a collection');
    await expect(folder.write(file, 'x', undefined)).rejects.toThrow('is not a file of a collection');
    await expect(folder.remove(file)).rejects.toThrow('is not a file of a collection');
  });

  test('a link is not followed: not read, and replaced where it is written', async () => {
    const outside = folderWith({ 'secret.json': 'keep me' });
    const inside = folderWith({});
    symlinkSync(join(outside, 'secret.json'), join(inside, 'x.call.json'));
    const folder = await openCollectionFolder(inside);
    await expect(folder.read('x.call.json')).rejects.toThrow('is a link');
    await folder.write('x.call.json', 'mine', undefined);
    expect(readFileSync(join(outside, 'secret.json'), 'utf8')).toBe('keep me');
    expect((await folder.read('x.call.json'))!.text).toBe('mine');
  });

  test('a folder of environments that is a link is refused', async () => {
    const outside = folderWith({ 'live.json': '{}' });
    const inside = folderWith({});
    symlinkSync(outside, join(inside, 'environments'));
    const folder = await openCollectionFolder(inside);
    await expect(folder.environmentFiles()).rejects.toThrow('must be a folder');
    await expect(folder.read('environments/live.json')).rejects.toThrow('must be a folder');
    await expect(folder.write('environments/live.json', 'x', undefined)).rejects.toThrow('must be a folder');
    expect(readFileSync(join(outside, 'live.json'), 'utf8')).toBe('{}');
  });

  test('a folder in the place of a file, and a file that is too large, are refused', async () => {
    const path = folderWith({ 'big.call.json': 'x'.repeat(4 * 1024 * 1024 + 1) });
    mkdirSync(join(path, 'dir.call.json'));
    const folder = await openCollectionFolder(path);
    await expect(folder.read('dir.call.json')).rejects.toThrow('is not a regular file');
    await expect(folder.read('big.call.json')).rejects.toThrow('larger than 4 MB');
    const [most, text] = [4 * 1024 * 1024, 'ü'.repeat(2 * 1024 * 1024)];
    await folder.write('most.call.json', text, null);
    expect((await folder.read('most.call.json'))!.text).toHaveLength(most / 2);
    await expect(folder.write('more.call.json', `${text}.`, null)).rejects.toMatchObject({ field: 'file' });
    await expect(folder.write('most.call.json', `${text}.`, undefined)).rejects.toThrow('would be larger than 4 MB');
    expect(await folder.callFiles()).not.toContain('more.call.json');
    await expect(openCollectionFolder(join(path, 'big.call.json'))).rejects.toThrow('is not a folder');
  });
});

describe('saving', () => {
  test('over what was read works; over what somebody else changed it does not', async () => {
    const path = folderWith({ 'a.call.json': 'one' });
    const folder = await openCollectionFolder(path);
    const { version } = (await folder.read('a.call.json'))!;
    const second = await folder.write('a.call.json', 'two', version);
    put(path, 'a.call.json', 'theirs');
    const failed = await folder.write('a.call.json', 'three', second.version).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ChangedFileError);
    expect((failed as ChangedFileError).current).toMatchObject({ text: 'theirs' });
    await expect(folder.remove('a.call.json', second.version)).rejects.toThrow('changed by someone else');
    await folder.write('a.call.json', 'three', (failed as ChangedFileError).current!.version);
    expect(readFileSync(join(path, 'a.call.json'), 'utf8')).toBe('three');
  });

  test('a new file replaces none, a missing file is reported, and no temporary file remains', async () => {
    const path = folderWith({ 'a.call.json': 'one' });
    const folder = await openCollectionFolder(path);
    await expect(folder.write('a.call.json', 'x', null)).rejects.toThrow('changed by someone else');
    await expect(folder.write('b.call.json', 'x', 'some-version')).rejects.toThrow('is gone');
    await folder.write('environments/quiet.json', '{}', null);
    mkdirSync(join(path, 'c.call.json'));
    await expect(folder.write('c.call.json', 'x', undefined)).rejects.toThrow();
    expect(readdirSync(path).sort()).toEqual(['a.call.json', 'c.call.json', 'environments']);
  });

  test('of two saves over one version the second is refused, and so is one of two new files', async () => {
    const path = folderWith({ 'a.call.json': 'one' });
    // As two requests open it.
    const both = [await openCollectionFolder(path), await openCollectionFolder(path)];
    for (let round = 0; round < 20; round++) {
      const { version } = (await both[0]!.read('a.call.json'))!;
      const saves = both.map((folder, at) => folder.write('a.call.json', `${round} of ${at}`, version));
      const files = both.map((folder, at) => folder.write(`new-${round}.call.json`, `of ${at}`, null));
      for (const two of [saves, files]) {
        const [done, refused] = (await Promise.allSettled(two)).sort((a) => (a.status === 'fulfilled' ? -1 : 1));
        expect(done).toMatchObject({ status: 'fulfilled' });
        expect(refused).toMatchObject({
          status: 'rejected',
          reason: { current: { text: expect.any(String) as string } },
        });
      }
    }
  });

  test.skipIf(process.platform === 'win32')('it keeps the permissions that a file has', async () => {
    const path = folderWith({ 'a.call.json': 'one' });
    chmodSync(join(path, 'a.call.json'), 0o600);
    await (await openCollectionFolder(path)).write('a.call.json', 'two', undefined);
    expect(statSync(join(path, 'a.call.json')).mode & 0o777).toBe(0o600);
  });

  test('what a crash left beside a file goes with the next save, what another program is at does not', async () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const path = folderWith({
      'a.call.json': 'one',
      [`a.call.json.${id}.new`]: 'half',
      [`.toolwire.${id}.new`]: 'new',
    });
    const longAgo = new Date(Date.now() - 86_400_000);
    utimesSync(join(path, `a.call.json.${id}.new`), longAgo, longAgo);
    await (await openCollectionFolder(path)).write('a.call.json', 'two', undefined);
    expect(readdirSync(path).sort()).toEqual([`.toolwire.${id}.new`, 'a.call.json']);
  });
});
