import { expect, test } from 'vitest';

import type { ServerConfig } from '../../../../src-core/contract/types.ts';
import { configOf, draftOf, splitCommandLine } from '../../../../renderer/features/servers/edit/serverDraft.ts';

test.each([
  ['npx -y @modelcontextprotocol/server-everything', 'npx', ['-y', '@modelcontextprotocol/server-everything']],
  [' uvx  server --name "my notes" --tag \'a b\'', 'uvx', ['server', '--name', 'my notes', '--tag', 'a b']],
  ['npx', 'npx', []],
  ['/opt/my tools/server', '/opt/my tools/server', []],
  ['C:\\Program Files\\nodejs\\node.exe server.js', 'C:\\Program Files\\nodejs\\node.exe server.js', []],
  ['"my server" -v', '"my server" -v', []],
])('the command %j is the program %j with the arguments %j', (command, program, args) => {
  expect(splitCommandLine({ command, args: '' })).toEqual({ command: program, args: args.join('\n') });
});

test('puts the words of a command line before the arguments that are there', () => {
  expect(splitCommandLine({ command: 'npx -y server', args: '--port\n80' })).toEqual({
    command: 'npx',
    args: '-y\nserver\n--port\n80',
  });
});

test.each([
  { name: 'a', type: 'stdio', command: 'node', args: [], env: [], era: 'legacy' },
  { name: 'a', type: 'http', url: 'https://example.com', headers: [], era: 'modern' },
  { name: 'a', type: 'sse', url: 'https://example.com', headers: [] },
] satisfies ServerConfig[])('keeps the era of %j', (config) => {
  expect(configOf(draftOf(config))).toEqual(config);
});
