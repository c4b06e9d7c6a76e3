/** What the documents say about Node's version is what the programs check. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const read = async (file: string): Promise<string> =>
  (await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')).replaceAll(/\s+/g, ' ');

/** The one version that follows a text in a file. */
async function versionIn(file: string, sentence: RegExp): Promise<string | undefined> {
  return sentence.exec(await read(file))?.[1];
}

test('for npm, README.md and CONTRIBUTING.md name the version that package.json asks for', async () => {
  const { engines } = JSON.parse(await read('package.json')) as {
    engines: { node: string };
  };
  const asked = engines.node.replace('>=', '');
  expect(await versionIn('README.md', /npm commands need Node ([\d.]+) or newer/)).toBe(asked);
  expect(await versionIn('CONTRIBUTING.md', /Node ([\d.]+) or newer and npm are enough/)).toBe(asked);
});

test('for node dist/cli.js, README.md names the version that the entry asks for', async () => {
  const needed = await versionIn('src-core/cli.ts', /const needed = (\d+);/);
  expect(needed).toBeDefined();
  expect(await versionIn('README.md', /`node dist\/cli\.js` instead, use Node (\d+) or newer/)).toBe(needed);
});

test('the Node that npm installs is one that the entry accepts', async () => {
  const { devDependencies } = JSON.parse(await read('package.json')) as {
    devDependencies: { node: string };
  };
  const needed = await versionIn('src-core/cli.ts', /const needed = (\d+);/);
  expect(Number(devDependencies.node.split('.', 1)[0])).toBeGreaterThanOrEqual(Number(needed));
});
