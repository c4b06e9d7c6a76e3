/** A call copied for curl, made by a shell against the listener of a whole workbench. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

import type { JsonObject } from '../../../../src-core/base/json.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { newToken } from './connectHost.ts';

const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const argsJson = `{ "it's": "$(exit 3) \`id\` \\"q\\" \\\\ !! 你好\\n", "id": 9007199254740993, "region": "@/etc/passwd" }`;

async function lamp() {
  const workbench = await openWorkbench();
  const given: JsonObject[] = [];
  const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
  const method = { description: 'Sets', inputSchema, agentCallable: true };
  const handler = (args: JsonObject): string => `got ${String(given.push(args))}`;
  const source = { kind: 'builtin', id: 'lamp', label: 'Lamp' } as const;
  const methods = [
    { ...method, name: 'set', handler },
    { ...method, name: 'own', handler, agentCallable: false },
  ];
  workbench.toolRegistryManager.register(defineToolRegistry({ id: 'lamp', name: 'Lamp', source, methods }));
  return { workbench, given, curl: workbench.services.hosts.curl };
}

it('calls the tool with the token of the shell’s variable and the exact arguments', async () => {
  const { workbench, given, curl } = await lamp();
  const { token } = newToken(workbench);
  const { text } = curl({ toolName: 'lamp_set', argsJson });
  expect(text).not.toContain(token);
  const script = hasCurl ? text : `curl() { for word; do printf '%s\\0' "$word"; done; }\n${text}`;
  const { stdout } = await run('sh', ['-c', script], { env: { ...process.env, TOOLWIRE_TOKEN: token } });
  const answer = hasCurl ? stdout : await fetched(stdout.split('\0'));
  expect(JSON.parse(answer.replace(/^[\s\S]*?data: (?=\{)/, ''))).toMatchObject({
    result: { content: [{ text: 'got 1' }] },
  });
  expect(given).toEqual([{ ...(JSON.parse(argsJson) as object), id: 9007199254740993n }]);
});

/** The request of curl’s words, without curl. */
async function fetched([, url = '', ...words]: string[]): Promise<string> {
  const headers = words.flatMap((word, at) =>
    words[at - 1] === '-H' ? [word.split(': ', 2) as [string, string]] : [],
  );
  const response = await fetch(url, { method: 'POST', headers, body: words[words.indexOf('--data-raw') + 1] ?? '' });
  return response.text();
}

it('is refused for tools that hosts are not offered, and for arguments that are no object', async () => {
  const { curl } = await lamp();
  expect(() => curl({ toolName: 'lamp_own', argsJson: '{}' })).toThrow('lamp_own');
  expect(() => curl({ toolName: 'lamp_set', argsJson: '[1]' })).toThrow('an array');
});
