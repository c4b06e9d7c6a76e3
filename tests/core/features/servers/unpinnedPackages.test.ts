/** Packages of a command line whose version is not exact. */
import { expect, it } from 'vitest';

import { unpinnedPackages } from '../../../../src-core/features/servers/unpinnedPackages.ts';

const of = (line: string): string[] => unpinnedPackages(line.split(' '));

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
  ['npx --loglevel silent pkg', 'pkg'],
  ['npx github:owner/pkg', 'github:owner/pkg'],
  ['npx git+https://git.example/pkg.git#v1.2.3', 'git+https://git.example/pkg.git#v1.2.3'],
  ['npm --loglevel silent exec pkg', 'pkg'],
  ['npm --package pkg exec -- command', 'pkg'],
  ['pnpm --reporter append-only dlx pkg', 'pkg'],
  ['uvx --with a==1.0,b pkg==1.0', 'a==1.0,b'],
  ['uvx -w a pkg==1.0', 'a'],
  ['uvx --from git+https://git.example/pkg@v1.2.3 command', 'git+https://git.example/pkg@v1.2.3'],
  ['uvx git+https://git.example/pkg@1.2.3', 'git+https://git.example/pkg@1.2.3'],
  ['uv run --with mcp server.py', 'mcp'],
  ['uv --directory /srv run --with=mcp mcp run server.py', '--with=mcp'],
  ['deno run -A npm:pkg', 'npm:pkg'],
  ['cmd /c npx -y pkg', 'pkg'],
  ['/usr/local/bin/npx.cmd -y pkg', 'pkg'],
  ['env A=1 uvx pkg', 'pkg'],
  ['sudo /usr/bin/npx -y pkg', 'pkg'],
  ['env A=1 /usr/local/bin/uvx.exe pkg', 'pkg'],
  ['docker run --rm node:24 npx -y pkg', 'pkg'],
  ['docker run --name npm node:24 npx -y pkg', 'pkg'],
  ['env -u npm npx -y pkg', 'pkg'],
  ['npx --tag x@1.0.0 -y pkg', 'pkg'],
  ['deno run https://code.example/server.ts --dir https://data.example', 'https://code.example/server.ts'],
])('finds that of "%s"', (line, part) => {
  expect(of(line)).toEqual([part]);
});

it('names both words if the first one may be the value of an option', () => {
  expect(of('npx --unknown word pkg')).toEqual(['word', 'pkg']);
  expect(of('npx --unknown pkg@1.2.3 word')).toEqual([]);
  expect(of('npx --unknown word pkg@1.2.3')).toEqual([]);
});

it.each([
  'npx -y pkg@1.2.3',
  'npx -y @scope/npx@1.2.3 word',
  'npx -y pkg@1.2.3 @scope/npx word',
  'npx @scope/pkg@1.2.3-beta.1 --dir pkg',
  'npx -p pkg@1.2.3 command',
  'npx ./local',
  'npm exec pkg@1.2.3',
  'npm run build',
  'uv run server.py',
  'uv --directory /srv run server.py',
  'uv run --with mcp[cli,ws]==1.2.0,b==1.0 server.py',
  'uvx --python 3.12 --no-cache pkg==1.2 --dir x',
  'npx git+https://git.example/pkg.git#0123456789abcdef0123456789abcdef01234567',
  'pnpm --reporter=silent dlx pkg@1.2.3 dir',
  'deno run -A npm:@scope/pkg@1.2.3/bin https://data.example',
  'deno run server.ts',
  'uvx pkg==1.2',
  'uvx pkg@1.2.3',
  'dnx Pkg@1.2.3 --yes',
  'node server.js',
  'node server.js /srv/npx data',
  'cmd /c npx -y pkg@1.2.3',
  'docker run --rm node:24',
])('finds none in "%s"', (line) => {
  expect(of(line)).toEqual([]);
});
