import { afterEach, expect, it } from 'vitest';

import { readTextFile } from '../../../../renderer/ui/files/readTextFile.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';

afterEach(() => setLanguage('en'));

it('refuses a file that the engine would refuse, before it is read, in the window’s language', async () => {
  const bytes = new Uint8Array(25_000_000);
  const file = Object.assign(new File([bytes], 'reply.txt'), { text: () => expect.unreachable('it is read') });
  await expect(readTextFile(file)).rejects.toThrow('reply.txt is 25.0 MB. The limit is 20.0 MB.');
  setLanguage('zh');
  await expect(readTextFile(file)).rejects.toThrow('“reply.txt”的大小为 25.0 MB，上限为 20.0 MB。');
  expect(await readTextFile(new File(['short'], 'reply.txt'))).toBe('short');
});
