/** What devices and modules write, printed by the built terminal. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { listTools } from '../../src-core/rpc/listTools.ts';
import { startProduct } from './product.ts';

const hostile = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202etxt\u2066\u200f\u2028';
/** Controls but newline and tab, and characters that reorder a line. */
const obeyed = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

test('a hostile device name, description and result reach no terminal unescaped, and JSON keeps their value', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-terminal-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  mkdirSync(join(dataDir, 'modules'));
  const method = `{ description: ${JSON.stringify(hostile)}, handler: () => ${JSON.stringify(hostile)} }`;
  writeFileSync(join(dataDir, 'modules', 'evil.js'), `export default { methods: { run: ${method} } };`);
  const product = await startProduct({ dataDir });
  try {
    await product.client.tools.whenLoaded();
    await product.client.devices.addVirtual({ name: `Lamp ${hostile}` });
    const names = async (): Promise<string[]> => (await listTools(product.client)).map(({ name }) => name);
    await expect.poll(names).toContainEqual(expect.stringMatching(/^Lamp/));
    const named = '[U+001B]]0;owned[U+0007][U+001B][2J[U+009B]31m[RLO]txt[LRI][RLM][U+2028]';
    const escaped = String.raw`\u001b]0;owned\u0007\u001b[2J\u009b31m\u202etxt`;
    const expected: [words: string[], text: string][] = [
      [['tools'], named],
      [['call', 'evil_run'], escaped],
    ];
    for (const [words, text] of expected) {
      const plain = await product.terminal(...words);
      expect(plain.stdout).toContain(text);
      const json = await product.terminal(...words, '--json');
      expect(JSON.stringify(JSON.parse(json.stdout))).toContain(JSON.stringify(hostile).slice(1, -1));
      expect(plain.stdout + plain.stderr + json.stdout + json.stderr).not.toMatch(obeyed);
    }
  } finally {
    await product.stop();
  }
}, 120_000);
