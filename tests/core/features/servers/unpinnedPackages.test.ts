/** Packages of a command line whose version is not exact. */
import { expect, it } from 'vitest';

import { unpinnedPackages } from '../../../../src-core/features/servers/unpinnedPackages.ts';

const of = (line: string): string[] => {
  const [program = '', ...args] = line.split(' ');
  return unpinnedPackages(program, args);
};

it.each([
  ['npx -y pkg', 'pkg'],
  ['npx pkg@1', 'pkg@1'],
  ['npx @scope/pkg@latest', '@scope/pkg@latest'],
  ['npx --registry https://npm.example pkg', 'pkg'],
  ['npm exec -- pkg', 'pkg'],
  ['npm --yes x pkg@1.2', 'pkg@1.2'],
  ['pnpm dlx pkg', 'pkg'],
  ['yarn dlx pkg', 'pkg'],
  ['bun x pkg', 'pkg'],
  ['uv tool run pkg', 'pkg'],
  ['uvx --python 3.12 pkg', 'pkg'],
  ['uvx --from pkg command', 'pkg'],
  ['uvx --with extra pkg==1.0', 'extra'],
  ['pipx run --spec pkg>=1 command', 'pkg>=1'],
  ['uvx pkg==1.*', 'pkg==1.*'],
  ['dnx Pkg', 'Pkg'],
  ['npx -p good@1.0.0 -p bad command', 'bad'],
  ['npx --package=pkg command', '--package=pkg'],
])('finds that of "%s"', (line, part) => {
  expect(of(line)).toEqual([part]);
});

it.each([
  'npx -y pkg@1.2.3',
  'npx @scope/pkg@1.2.3-beta.1 --dir pkg',
  'npx -p pkg@1.2.3 command',
  'npx ./local',
  'npm exec pkg@1.2.3',
  'npm run build',
  'uv run server.py',
  'uvx pkg==1.2',
  'uvx pkg@1.2.3',
  'dnx Pkg@1.2.3 --yes',
  'node server.js',
])('finds none in "%s"', (line) => {
  expect(of(line)).toEqual([]);
});
