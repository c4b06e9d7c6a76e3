import { afterEach, expect, it } from 'vitest';

import { readTextFile } from '../../../../renderer/ui/files/readTextFile.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';

afterEach(() => setLanguage('en'));

it('refuses a file that the engine would refuse, before it is read, in the window’s language', async () => {
  const bytes = new Uint8Array(25_000_000);
  const file = Object.assign(new File([bytes], 'reply.txt'), { text: () => expect.unreachable('it is read') });
  await expect(readTextFile(file)).rejects.toThrow('reply.txt has 25.0 MB. Files of up to 20.0 MB can be read.');
  setLanguage('zh');
  await expect(readTextFile(file)).rejects.toThrow('reply.txt 有 25.0 MB，最多能读 20.0 MB。');
  expect(await readTextFile(new File(['short'], 'reply.txt'))).toBe('short');
});
