/**
 * The example clients of the original documentation of the protocol, as they are; only the address is put in. They
 * share no code with us. The C client is not run: the library it names is none that a system has.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { ChatServerBody } from '../fakes/scriptedChatServer.ts';
import type { ChatServerTurn } from '../fakes/chatServerTurn.ts';
import { openGateway } from '../core/features/gateway/support/openGateway.ts';

const seed = '/work/shared/seeds/004_5a10e265b579f802.txt';
const hasSeed = existsSync(seed);
const python = process.env['TOOLWIRE_PYTHON'] ?? '/usr/bin/python3';
const hasPython = spawnSync(python, ['-c', 'import websockets']).status === 0;

/** The first block of code of a language in chapter 10 of the documentation. */
function codeOf(language: 'python' | 'javascript', url: string): string {
  const chapter = readFileSync(seed, 'utf8').split('\n## 10. ')[1] ?? '';
  const code = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(chapter)?.[1] ?? '';
  expect(code).toContain('ws://localhost:9400');
  return code.replaceAll('ws://localhost:9400', url);
}

/** Runs a program; resolves with what it printed and its exit code. */
function run(interpreter: string, name: string, code: string): Promise<{ out: string; err: string; code: number }> {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-seed-client-'));
  const file = join(dir, name);
  writeFileSync(file, code);
  const child = spawn(interpreter, [file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PYTHONUNBUFFERED: '1', PYTHONIOENCODING: 'utf-8', NODE_OPTIONS: '' },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });
  const exit = once(child, 'close') as Promise<[number]>;
  return Promise.all([text(child.stdout), text(child.stderr), exit]).then(([out, err, [code]]) => ({ out, err, code }));
}

/** A model that does what the two questions of the clients need. */
function seedModel({ messages }: ChatServerBody): ChatServerTurn {
  const { role, content } = messages.at(-1)!;
  if (role === 'tool') return { text: `好的：${String(content)}` };
  if (String(content) === '我的电量还剩多少？') return { toolCalls: [{ name: 'get_battery' }] };
  return { toolCalls: [{ name: 'get_current_time' }, { name: 'set_volume', arguments: { volume: 50 } }] };
}

const because = (reason: string | undefined): string => (reason === undefined ? '' : ` (not run: ${reason})`);
const noSeed = hasSeed ? undefined : `there is no ${seed}`;
const noPython = noSeed ?? (hasPython ? undefined : `${python} has no module websockets; Debian: python3-websockets`);

describe(`the Python client of the documentation${because(noPython)}`, () => {
  test.skipIf(noPython !== undefined)('registers, is called back, and gets both answers', async () => {
    const { url, server } = await openGateway({ turns: seedModel });
    const { out, err, code } = await run(python, 'client.py', codeOf('python', url));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(
      out
        .replace(/ID: \S+/, 'ID: …')
        .replace(/Result: .*/, 'Result: …')
        .split('\n'),
    ).toEqual([
      'Connected. Session ID: …',
      'Registered 2 tools',
      '  - get_battery: OK',
      '  - set_volume: OK',
      'Client tool called: get_battery with {}',
      'Response: 好的：{"level":85,"charging":false}',
      'Server tool called: get_current_time',
      'Result: …',
      "Client tool called: set_volume with {'volume': 50}",
      'Response: 好的：{"volume":50,"status":"set"}',
      '',
    ]);
    // configure came first: the second question carries the first.
    expect(server.chats.at(-1)!.body.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
  });
});

describe(`the JavaScript client of the documentation${because(noSeed)}`, () => {
  test.skipIf(noSeed !== undefined)(
    'as written: its registerTools never resolves, and it comes no further',
    async () => {
      const { url, server, gateway, frames, until } = await openGateway({ turns: seedModel });
      const client = run(process.execPath, 'client.mjs', codeOf('javascript', url));
      await until(() => frames.some(({ frame }) => frame.type === 'tools_registered'));
      const types = frames.map(({ frame }) => frame.type);
      expect(types).toEqual(['open', 'status', 'register_tools', 'tools_registered']);
      gateway.disconnect(gateway.connections()[0]!.id);
      const { out, code } = await client;
      // Node's code for a program that ends while it still waits.
      expect(code).toBe(13);
      expect(out).toMatch(/Session ID: .*\nRegistered 2 tools\nWebSocket closed\n$/);
      expect(server.chats).toEqual([]);
    },
  );

  test.skipIf(noSeed !== undefined)('with the one line repaired: to the end', async () => {
    const { url, server } = await openGateway({ turns: seedModel });
    const code = codeOf('javascript', url);
    const logs = '                    console.log(`Registered ${msg.count} tools`);\n                } else';
    expect(code).toContain(logs);
    const repaired = code.replace(
      logs,
      logs.replace('console', "this.messageHandlers.get('tools_registered')?.(msg);console"),
    );
    const { out, err, code: exit } = await run(process.execPath, 'client.mjs', repaired);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toContain('Response: 好的：{"level":85,"charging":false}\n');
    expect(out).toContain('Response: 好的：{"volume":50,"status":"set"}\n');
    expect(out).toMatch(/Server tool: get_current_time/);
    expect(server.chats).toHaveLength(4);
  });
});
