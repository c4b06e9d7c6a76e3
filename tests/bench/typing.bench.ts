import { startApp } from '../e2e/app.ts';

/** 200,000 characters with some 800 calls between prose: a long agent's log. */
const block =
  '<<<[TOOL_REQUEST]>>>\ntool_name:「始」directory-tree_listFiles「末」,\npath:「始」src「末」\n<<<[END_TOOL_REQUEST]>>>\n';
const prose = 'The model says a little more here, so that a block is not alone in its paragraph, and goes on.\n\n';
const long = `${block}${prose}`.repeat(Math.ceil(200_000 / (block.length + prose.length)));

/** Types in the Parser with an empty text, then in a 200 kB one, and reports the longest task of the page's thread. */
export async function run(): Promise<{ title: string; rows: Record<string, string | number>[]; pass: boolean }> {
  const app = await startApp();
  try {
    const rows = [];
    for (const [name, text] of [
      ['an empty text (the floor)', ''],
      [`${Math.round(long.length / 1000)} kB, ${long.split(block).length - 1} calls`, long],
    ] as const) {
      rows.push({ text: name, 'longest task while typing, ms': await longestTask(app, text) });
    }
    return { title: 'Typing in the Parser (0: no task over 50 ms)', rows, pass: true };
  } finally {
    await app.stop();
  }
}

async function longestTask(app: Awaited<ReturnType<typeof startApp>>, text: string): Promise<number> {
  const { page } = await app.openWindow();
  await page.getByRole('navigation').getByRole('button', { name: 'Parser' }).click();
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  if (text !== '') {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open a file' }).click();
    await (await chooser).setFiles({ name: 'reply.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.getByRole('region', { name: 'Calls' }).getByRole('listitem').first().waitFor();
  }
  await page.waitForTimeout(2_000);
  await page.evaluate(() => {
    const record = window as unknown as { longest: number };
    record.longest = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) record.longest = Math.max(record.longest, entry.duration);
    }).observe({ entryTypes: ['longtask'] });
  });
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('A sentence is typed at a steady pace. ', { delay: 60 });
  await page.waitForTimeout(1_000);
  const longest = await page.evaluate(() => (window as unknown as { longest: number }).longest);
  await page.context().close();
  return Math.round(longest);
}
