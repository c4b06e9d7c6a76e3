import { describe, expect, test } from 'vitest';

import { readServerConfigs } from '../../../../../src-core/features/servers/configFiles/readServerConfigs.ts';
import { exportFormats } from '../../../../../src-core/contract/servers.ts';
import { writeServerConfigs } from '../../../../../src-core/features/servers/configFiles/writeServerConfigs.ts';
import { configFixtures } from './configFixtures.ts';

const { servers } = readServerConfigs(
  `{ "mcpServers": {
  "github": { "command": "npx", "args": ["-y", "@example/github@1.0", "--api-key", "hunter1", "--password=hunter2"],
              "env": { "GITHUB_TOKEN": "hunter3", "FROM_SHELL": "\${FROM_SHELL}" } },
  "web": { "type": "http", "url": "https://me:hunter4@example.com/mcp",
           "headers": { "Authorization": "Bearer hunter5", "X-Key": "hunter6" }, "auth": { "clientSecret": "hunter7" } },
  "query": { "type": "http", "url": "https://me:hunter9@example.com/mcp?a=1&token=hunter8&b=2&api_key=hunter9" }
} }`,
  '.mcp.json',
);

describe('with hidden secrets', () => {
  test.each(exportFormats)('%s holds none of them, and names each', (format) => {
    const { text, missing, problems } = writeServerConfigs(servers, format, { hideSecrets: true });
    expect(text).not.toContain('hunter');
    expect(JSON.stringify({ missing, problems })).not.toContain('hunter');
    expect(missing.map(({ server, field }) => `${server} ${field}`).sort()).toEqual([
      'github args[3]',
      'github args[4]',
      'github env.GITHUB_TOKEN',
      'query url',
      'web auth.clientSecret',
      'web headers.Authorization',
      'web headers.X-Key',
      'web url',
    ]);
    for (const { written } of missing) expect(written).toMatch(/\{.+\}|<.+>|env_var|env_http_headers/);
    // A value is named once.
    expect(problems.filter(({ message }) => /TOKEN|Authorization|X-Key/.test(message.text))).toEqual([]);
    const again = readServerConfigs(text, configFixtures[format].path);
    expect(again.problems.filter(({ level }) => level === 'error')).toEqual([]);
    expect(again.servers.map(({ name }) => name).sort()).toEqual(['github', 'query', 'web']);
  });

  test('VS Code asks for each with an input', () => {
    const file = JSON.parse(writeServerConfigs(servers, 'vscode', { hideSecrets: true }).text) as {
      inputs: { id: string; password: boolean }[];
      servers: Record<string, unknown>;
    };
    expect(file.inputs.map(({ id, password }) => [id, password])).toContainEqual(['github-github-token', true]);
    expect(file.servers['github']).toMatchObject({
      env: { GITHUB_TOKEN: '${input:github-github-token}', FROM_SHELL: '${env:FROM_SHELL}' },
    });
    expect(file.servers['web']).toMatchObject({ headers: { Authorization: 'Bearer ${input:web-token}' } });
  });

  test('Claude Code and Codex take them from variables', () => {
    const claude = JSON.parse(writeServerConfigs(servers, 'claude-code', { hideSecrets: true }).text) as object;
    expect(claude).toMatchObject({
      mcpServers: {
        github: { env: { GITHUB_TOKEN: '${GITHUB_TOKEN}', FROM_SHELL: '${FROM_SHELL}' } },
        web: { headers: { Authorization: 'Bearer ${WEB_TOKEN}' } },
      },
    });
    const codex = writeServerConfigs(servers, 'codex', { hideSecrets: true }).text;
    expect(codex).toContain('env_vars = [ "GITHUB_TOKEN", "FROM_SHELL" ]');
    expect(codex).toContain('bearer_token_env_var = "WEB_TOKEN"');
  });

  test.each([
    ['claude-desktop', '<API_KEY>', '"API_KEY": "<API_KEY>"'],
    ['mcp-pipe', '<API_KEY>', '"API_KEY": "<API_KEY>"'],
    ['codex', '"API_KEY" in env_vars', 'env_vars = [ "API_KEY" ]'],
    ['server-json', '{weather-api-key}', '"value": "{weather-api-key}"'],
  ] as const)(
    '%s names what the file has in the place of a secret, also of its own format',
    (format, written, text) => {
      const entry = { command: 'npx', args: ['-y', 'weather@1'], env: { API_KEY: 'hunter1' } };
      const { servers: read } = readServerConfigs(JSON.stringify({ mcpServers: { weather: entry } }));
      expect(read[0]?.format).toBe('claude-desktop');
      const file = writeServerConfigs(read, format, { hideSecrets: true });
      expect(file.text).toContain(text);
      expect(file).toMatchObject({ problems: [], missing: [{ server: 'weather', field: 'env.API_KEY', written }] });
    },
  );

  const hide = (entry: object, format: Parameters<typeof writeServerConfigs>[1] = 'claude-code', inputs?: object[]) =>
    writeServerConfigs(
      readServerConfigs(
        JSON.stringify({ [inputs ? 'servers' : 'mcpServers']: { a: entry }, ...(inputs && { inputs }) }),
        inputs ? '.vscode/mcp.json' : '.mcp.json',
      ).servers,
      format,
      { hideSecrets: true },
    );
  const token = 'ghx_A1b2C3d4E5f6G7h8I9j0';

  test('Codex takes whole values from variables; others are placeholders that are named', () => {
    const inputs = [{ type: 'promptString', id: 'key' }];
    const env = { API_KEY: '${input:key}', OTHER: '${env:KEY}', PART: 'a-${env:PART}', SAME: '${env:SAME}' };
    const { text, missing, problems } = hide({ command: 'npx', args: ['x@1'], env }, 'codex', inputs);
    expect(text).toContain('env_vars = [ "API_KEY", "PART", "SAME" ]');
    expect(text).not.toContain('${');
    expect(missing.map(({ field }) => field)).toEqual(['env.API_KEY', 'env.PART']);
    expect(problems.map(({ message }) => message.text)).toEqual([expect.stringContaining('env.OTHER (${KEY})')]);
    const headers = { Authorization: 'Bearer ${input:key}' };
    const web = hide({ type: 'http', url: 'https://example.com', headers }, 'codex', inputs);
    expect(web.text).toContain('bearer_token_env_var = "KEY"');
    expect(web.missing.map(({ field }) => field)).toEqual(['headers.Authorization']);
    const { servers: read } = readServerConfigs(
      JSON.stringify({ servers: { a: { command: 'npx', env } }, inputs }),
      'mcp.json',
    );
    const shown = writeServerConfigs(read, 'codex');
    expect(shown.text).toContain('PART = "a-<PART>"');
    expect(shown.problems).toHaveLength(2);
  });

  test.each(exportFormats)('%s holds no default, unknown field, part of a URL or second copy of a secret', (format) => {
    const written = [
      hide({ command: 'npx', args: ['x@1', '--token=${T:-hunter1}', '--mode', '${MODE:-hunter2}'] }, format),
      hide({ command: 'npx', args: ['x@1'], env: { A: '${B:-hunter3}', K: 'hunter4' }, other: 'hunter4' }, format),
      hide({ command: 'npx', args: ['x@1', token, 'a-hunter5-b'], env: { K: 'hunter5' } }, format),
      hide({ command: 'npx', plugin: { key: 'hunter6', list: [{ authToken: { deep: 'hunter7' } }, token] } }, format),
      hide({ url: `https://example.com/${token}/mcp`, env2: { headers: { 'X-A': 'hunter8' } } }, format),
      hide({ command: 'npx', args: ['x@1'], url: 'https://me:hunter9@example.com', headers: {} }, format),
      hide({ command: 'npx', args: ['x@1', 'k=sk-hunter10hunter${X}'], timeout: 'Bearer hunter11' }, format),
      hide({ command: 'npx', args: ['x@1', '${input:i}'] }, format, [
        { type: 'promptString', id: 'i', default: 'hunter12', description: `For example ${token}` },
      ]),
    ];
    expect(written.map((each) => JSON.stringify(each)).filter((each) => /hunter|A1b2C3/.test(each))).toEqual([]);
  });

  test('a server.json loses the values that it declares to be secret', () => {
    const { servers: read } = readServerConfigs(
      JSON.stringify({
        name: 'x/y',
        packages: [
          {
            registryType: 'npm',
            identifier: 'y',
            version: '1.0.0',
            transport: { type: 'stdio' },
            packageArguments: [{ type: 'positional', value: 'hunter1', isSecret: true, valueHint: 'code' }],
          },
        ],
      }),
    );
    const { text, missing } = writeServerConfigs(read, 'server-json', { hideSecrets: true });
    expect(text).not.toContain('hunter');
    expect(missing).toMatchObject([{ field: 'args[2]' }]);
  });

  test('what is left out is listed, and what is harmless stays', () => {
    const args = ['--port=${PORT:-8080}', '--in', '${DIR:-./data}', '--as', '${WHO:-me}', '--token=${T:-x}', 'a@1.2.3'];
    const { text, missing } = hide({
      command: 'npx',
      args,
      plugin: { key: 'abc', limit: 3, note: 'two words', tools: ['read', 'write'] },
    });
    expect(missing).toEqual([
      { server: 'a', field: 'args[4]', written: '${WHO}' },
      { server: 'a', field: 'args[5]', written: '--token=${T}' },
      { server: 'a', field: 'plugin.key', written: '<KEY>' },
    ]);
    expect(JSON.parse(text)).toEqual({
      mcpServers: {
        a: {
          command: 'npx',
          args: args.map((arg) => arg.replace(':-me', '').replace(':-x', '')),
          plugin: { key: '<KEY>', limit: 3, note: 'two words', tools: ['read', 'write'] },
        },
      },
    });
  });

  test('two secrets of one name have inputs of their own', () => {
    const { text } = hide({ command: 'x', args: ['--token=hunter1', '--token=hunter2'] });
    expect(JSON.parse(text)).toMatchObject({
      mcpServers: { a: { args: ['--token=${A_TOKEN}', '--token=${A_TOKEN_2}'] } },
    });
  });

  test('Claude Desktop has placeholders', () => {
    const { text } = writeServerConfigs(servers.slice(0, 1), 'claude-desktop', { hideSecrets: true });
    expect(text).toContain('"GITHUB_TOKEN": "<GITHUB_TOKEN>"');
  });
});

describe('several servers of one name', () => {
  const named = (command: string) =>
    readServerConfigs(`{"mcpServers": {"a": {"command": "npx", "args": ["-y", "${command}@1"]}}}`).servers;

  test.each(exportFormats)('are written under different names by %s, which says so', (format) => {
    const { text, problems } = writeServerConfigs([...named('one'), ...named('two'), ...named('three')], format);
    const again = readServerConfigs(text, configFixtures[format].path).servers;
    expect(again.map(({ name, config }) => [name, config.type === 'stdio' && config.args.at(-1)])).toEqual([
      ['a', 'one@1'],
      ['a-2', 'two@1'],
      ['a-3', 'three@1'],
    ]);
    expect(problems.map(({ message: { text: said } }) => said)).toEqual([
      'Another server is called "a", too. It is written as "a-2".',
      'Another server is called "a", too. It is written as "a-3".',
    ]);
  });
});

test('a file without a server is empty', () => {
  const { servers: programs } = readServerConfigs('{"mcpServers": {"a": {"command": "/bin/x"}}}');
  expect(writeServerConfigs(programs, 'server-json')).toMatchObject({ text: '', problems: [{ level: 'error' }] });
});

describe('what a format cannot say', () => {
  const lost = (text: string, format: Parameters<typeof writeServerConfigs>[1]): (string | undefined)[] =>
    writeServerConfigs(readServerConfigs(text).servers, format).problems.map(({ message }) => message.code);

  test('is named', () => {
    const sse = '{"mcpServers": {"a": {"type": "sse", "url": "https://x/sse"}}}';
    expect(lost(sse, 'codex')).toEqual(['configFiles.fieldLost']);
    expect(lost(sse, 'claude-desktop')).toEqual(['configFiles.onlyPrograms']);
    expect(lost('{"mcpServers": {"a": {"type": "stdio", "command": "x", "timeout": 5000}}}', 'cline')).toEqual([]);
    expect(lost('{"mcpServers": {"a": {"command": "/bin/x"}}}', 'server-json')).toEqual(['configFiles.noPackage']);
    expect(lost('{"servers": {"a": {"command": "x", "env": {"K": "${input:k}"}}}}', 'cursor')).toEqual([]);
    expect(lost('{"servers": {"a": {"command": "x", "args": ["${workspaceFolder}"]}}}', 'claude-desktop')).toEqual([
      'configFiles.fieldLost',
    ]);
  });
});

test('time limits are written in the unit of the format', () => {
  const claude = readServerConfigs('{"mcpServers": {"a": {"command": "x", "timeout": 1500}}}', '.mcp.json').servers;
  expect(writeServerConfigs(claude, 'cline').text).toContain('"timeout": 1.5');
  expect(writeServerConfigs(claude, 'codex').text).toContain('tool_timeout_sec = 1.5');
});

test('server.json of a program that npx or uvx starts', () => {
  const { servers: pasted } = readServerConfigs('KEY=v npx -y @example/weather@1.2.0 Oslo');
  const { text } = writeServerConfigs(pasted, 'server-json', { hideSecrets: true });
  expect(JSON.parse(text)).toMatchObject({
    packages: [
      {
        registryType: 'npm',
        identifier: '@example/weather',
        version: '1.2.0',
        packageArguments: [{ type: 'positional', value: 'Oslo' }],
        environmentVariables: [{ name: 'KEY', variables: { 'weather-key': { isRequired: true, isSecret: true } } }],
      },
    ],
  });
  expect(readServerConfigs(text).servers[0]?.config).toMatchObject({ args: ['-y', '@example/weather@1.2.0', 'Oslo'] });
});
