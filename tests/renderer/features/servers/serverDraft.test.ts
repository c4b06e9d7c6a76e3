import { expect, test } from 'vitest';

import { splitCommandLine } from '../../../../renderer/features/servers/edit/serverDraft.ts';

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
