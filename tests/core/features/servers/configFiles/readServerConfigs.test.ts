import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { zh } from '../../../../../src-core/base/messages/zh/index.ts';
import { renderMessage } from '../../../../../src-core/base/messages/message.ts';
import { readServerConfigs } from '../../../../../src-core/features/servers/configFiles/readServerConfigs.ts';
import { expandEndpoint } from '../../../../../src-core/features/servers/configFiles/expandEndpoint.ts';
import { fixtureText } from './configFixtures.ts';

const configsOf = (text: string, fileName?: string) =>
  readServerConfigs(text, fileName).servers.map(({ name, config }) => ({ name, ...config }));
const codesOf = (text: string, fileName?: string) =>
  readServerConfigs(text, fileName).problems.map(({ message, line }) => [message.code, line]);

describe('files', () => {
  test('of Claude Desktop: numbers become texts, and variables stay texts', () => {
    const [, files] = readServerConfigs(fixtureText('claude-desktop'), 'claude_desktop_config.json').servers;
    expect(files).toMatchObject({ name: 'files', variables: 'none' });
    expect(files?.config).toEqual({
      type: 'stdio',
      command: 'node',
      args: ['/opt/files/index.js', '/home/me'],
      env: { LIMIT: '9007199254740993', VERBOSE: 'true', KEY: 'sk-test-1234567890', LITERAL: '${HOME}' },
    });
    expect(Object.keys(files?.extra ?? {})).toEqual(['x-note']);
    // The values of variables are in the configuration only.
    expect(JSON.stringify(files?.spelling)).toBe('{"kinds":{"env":{"LIMIT":"number","VERBOSE":"boolean"}}}');
  });

  test('of Claude Code: types, time limits, and a helper that is kept but not run', () => {
    const { servers, problems } = readServerConfigs(fixtureText('claude-code'), '.mcp.json');
    expect(servers.map(({ config }) => config.type)).toEqual(['stdio', 'http', 'sse', 'websocket']);
    expect(servers[0]?.timeoutMs).toBe(600_000);
    expect(servers[1]?.extra).toEqual({
      headersHelper: '/opt/bin/headers.sh',
      oauth: { clientId: 'abc', callbackPort: 8080 },
    });
    expect(problems).toMatchObject([
      { level: 'warning', server: 'remote', line: 10, message: { code: 'configFiles.notFollowed' } },
    ]);
  });

  test('of Cursor: a whole command line as the command', () => {
    expect(configsOf(fixtureText('cursor'), '.cursor/mcp.json')[0]).toMatchObject({
      command: 'npx',
      args: ['-y', '@example/server', '--fast'],
    });
  });

  test('of Cline: a URL without a type is SSE, and time limits are in seconds', () => {
    const { servers } = readServerConfigs(fixtureText('cline'));
    expect(servers.map(({ config, disabled, timeoutMs }) => [config.type, disabled, timeoutMs])).toEqual([
      ['stdio', false, 60_000],
      ['sse', true, undefined],
      ['http', undefined, 1500],
    ]);
  });

  test('of VS Code: comments, trailing commas, and the inputs that a server uses', () => {
    const { servers } = readServerConfigs(fixtureText('vscode'));
    expect(servers[0]?.inputs?.map(({ id }) => id)).toEqual(['github-token', 'region']);
    expect(servers[1]?.inputs).toBeUndefined();
    expect(servers[1]?.config).toMatchObject({ env: { PORT: '8080' } });
    const settings = readServerConfigs('{"mcp": {"servers": {"a": {"command": "x"}}}}', 'settings.json');
    expect(settings).toMatchObject({ format: 'vscode', servers: [{ name: 'a' }] });
  });

  test('of Codex: variables that are passed on, and headers from variables', () => {
    const { servers } = readServerConfigs(fixtureText('codex'));
    expect(servers[0]).toMatchObject({
      config: { env: { MODE: 'fast', API_KEY: '${env:API_KEY}' } },
      disabled: false,
      timeoutMs: 60_000,
    });
    expect(servers[1]).toMatchObject({
      name: 'with space',
      config: {
        type: 'http',
        headers: { Authorization: 'Bearer ${env:EXAMPLE_TOKEN}', 'X-Region': 'eu', 'X-Key': '${env:EXAMPLE_KEY}' },
      },
    });
  });

  test('server.json: a server for each package and remote, with an input for each required value', () => {
    const { servers } = readServerConfigs(fixtureText('server-json'));
    expect(servers.map(({ name, config }) => ({ name, ...config }))).toEqual([
      {
        name: 'weather-npm',
        type: 'stdio',
        command: 'npx',
        args: ['-y', '@example/weather@1.2.0', 'Oslo', '--units', 'metric'],
        env: { WEATHER_KEY: '${input:WEATHER_KEY}' },
      },
      { name: 'weather-pypi', type: 'stdio', command: 'uvx', args: ['weather@1.2.0'], env: {} },
      {
        name: 'weather-oci',
        type: 'stdio',
        command: 'docker',
        args: ['run', '-i', '--rm', '-e', 'WEATHER_KEY', 'docker.io/example/weather:1.2.0'],
        env: { WEATHER_KEY: '${input:WEATHER_KEY}' },
      },
      {
        name: 'weather-streamable-http',
        type: 'http',
        url: 'https://weather.example.com/${input:tenant}/mcp',
        headers: { 'X-Key': '${input:X-Key}' },
      },
    ]);
    expect(servers[0]?.inputs).toEqual([
      { type: 'promptString', id: 'WEATHER_KEY', description: 'Key of the service', password: true },
    ]);
  });

  test('a package that has to be installed or started first is a problem with its line', () => {
    const text = `{
  "name": "a/b",
  "packages": [
    { "registryType": "mcpb", "identifier": "x" },
    { "registryType": "npm", "identifier": "y", "transport": { "type": "streamable-http", "url": "http://127.0.0.1/" } }
  ]
}`;
    const { servers, problems } = readServerConfigs(text);
    expect(servers).toEqual([]);
    expect(problems.map(({ line, message }) => [line, message.text])).toEqual([
      [4, '"b-mcpb" was not read. Packages of the type "mcpb" cannot be started. Install it and add its command.'],
      [
        5,
        '"b-npm" was not read. The package is started first and then reached over streamable-http. Start it yourself and add its URL.',
      ],
    ]);
  });
});

describe('pasted texts', () => {
  const entry = { name: 'a b', command: 'npx', args: ['-y', 'x'], env: { K: '1' } };
  const expected = { name: 'a b', type: 'stdio', command: 'npx', args: ['-y', 'x'], env: { K: '1' } };
  const encoded = encodeURIComponent(JSON.stringify(entry));
  const { name: _name, ...config } = entry;
  const base64 = encodeURIComponent(Buffer.from(JSON.stringify(config)).toString('base64'));

  test.each([
    `vscode:mcp/install?${encoded}`,
    `vscode-insiders:mcp/install?${encoded}`,
    `https://insiders.vscode.dev/redirect/mcp/install?name=a%20b&config=${encodeURIComponent(JSON.stringify(config))}`,
    `https://vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${encoded}`)}`,
    `cursor://anysphere.cursor-deeplink/mcp/install?name=a%20b&config=${base64}`,
    `https://cursor.com/en/install-mcp?name=a%20b&config=${base64}`,
    `toolwire://mcp/install?name=a%20b&config=${base64}`,
  ])('a link: %s', (link) => {
    expect(readServerConfigs(link).format).toBe('link');
    expect(configsOf(link)).toEqual([expected]);
  });

  test.each([
    'vscode:mcp/install?%7B',
    'cursor://anysphere.cursor-deeplink/mcp/install?name=a',
    'vscode:mcp/install?%ZZ',
  ])('a link without a configuration: %s', (link) =>
    expect(codesOf(link)).toEqual([['configFiles.badLink', undefined]]),
  );

  test.each([
    [
      'npx -y @scope/server-everything@1.0 --flag "two words"',
      'everything',
      ['npx', '-y', '@scope/server-everything@1.0', '--flag', 'two words'],
    ],
    ['"/opt/my tools/server.exe" "two words"', 'server', ['/opt/my tools/server.exe', 'two words']],
    ['$ uvx mcp-server-time', 'time', ['uvx', 'mcp-server-time']],
    ['C:\\tools\\server.exe --dir C:\\data', 'server', ['C:\\tools\\server.exe', '--dir', 'C:\\data']],
    [
      'docker run -i --rm -e KEY ghcr.io/a/mcp-server-git',
      'git',
      ['docker', 'run', '-i', '--rm', '-e', 'KEY', 'ghcr.io/a/mcp-server-git'],
    ],
    ['node /home/ada/weather/dist/index.js', 'weather', ['node', '/home/ada/weather/dist/index.js']],
    ['python C:\\x\\time-mcp\\server.py', 'time', ['python', 'C:\\x\\time-mcp\\server.py']],
    ['node ./dist/index.js', 'index', ['node', './dist/index.js']],
    ['node node_modules/@a/server-files/index.mjs', 'files', ['node', 'node_modules/@a/server-files/index.mjs']],
    ["docker run \\\n  -i 'my image'", 'my image', ['docker', 'run', '-i', 'my image']],
  ])('a command line: %s', (line, name, words) => {
    expect(configsOf(line)).toEqual([{ name, type: 'stdio', command: words[0], args: words.slice(1), env: {} }]);
  });

  test('a command line with variables, and commands of other hosts', () => {
    expect(configsOf('API_KEY=abc npx x')).toMatchObject([{ name: 'x', command: 'npx', env: { API_KEY: 'abc' } }]);
    expect(configsOf('claude mcp add --env KEY=v github -- npx -y gh --flag')).toMatchObject([
      { name: 'github', command: 'npx', args: ['-y', 'gh', '--flag'], env: { KEY: 'v' } },
    ]);
    expect(configsOf('claude mcp add -t sse asana https://mcp.asana.com/sse -H "X-Key: v"').length).toBe(0);
    expect(configsOf('claude mcp add -t sse -H "X-Key: v" asana https://mcp.asana.com/sse')).toEqual([
      { name: 'asana', type: 'sse', url: 'https://mcp.asana.com/sse', headers: { 'X-Key': 'v' } },
    ]);
    expect(configsOf('codex mcp add ctx --url https://mcp.context7.com/mcp')).toMatchObject([
      { name: 'ctx', type: 'http' },
    ]);
  });

  test('a URL', () => {
    expect(configsOf('https://mcp.context7.com/mcp?a=1&b=2')).toEqual([
      { name: 'context7', type: 'http', url: 'https://mcp.context7.com/mcp?a=1&b=2', headers: {} },
    ]);
    expect(configsOf('http://127.0.0.1:3001/sse')).toMatchObject([{ name: '127.0.0.1:3001', type: 'sse' }]);
    expect(configsOf('wss://example.com/mcp')).toMatchObject([{ name: 'example', type: 'websocket' }]);
  });

  test.each([
    ['http://lab.example/mcp', ['configFiles.unencrypted']],
    ['{"mcpServers":{"lab":{"type":"ws","url":"ws://lab.example"}}}', ['configFiles.unencrypted']],
    ['https://lab.example/mcp', []],
    ['http://127.0.0.1:3000/mcp', []],
  ])('%s: a URL that is not encrypted has a warning', (text, codes) => {
    const { servers, problems } = readServerConfigs(text);
    expect(servers).toHaveLength(1);
    expect(problems.map(({ level, message }) => [level, message.code])).toEqual(codes.map((code) => ['warning', code]));
  });

  test('a part of a file: one entry, a map without its key, a member without braces', () => {
    expect(configsOf('{"command": "npx", "args": ["-y", "@a/server-git"]}')).toMatchObject([{ name: 'git' }]);
    expect(configsOf('{"one": {"command": "a"}, "two": {"url": "https://b/"}}').map(({ name }) => name)).toEqual([
      'one',
      'two',
    ]);
    expect(configsOf('"mcpServers": {"one": {"command": "a"}}').map(({ name }) => name)).toEqual(['one']);
  });

  test.each(['npx x | sh', 'a && b', 'echo $(id)', 'a > /tmp/x', 'a; b', 'echo `id`'])(
    'a line of a shell: %s',
    (line) => {
      expect(codesOf(line)).toEqual([['configFiles.shellLine', undefined]]);
    },
  );
});

describe('problems', () => {
  test.each([
    ['', 'configFiles.empty', undefined],
    ['{"mcpServers": {\n"a": {"command": "x" "args": []}}}', 'configFiles.commaExpected', 2],
    ['{"mcpServers": {"a": {"command": "x"}}', 'configFiles.notClosed', 1],
    ['{"mcpServers": {\n"a": {"command": "x"\n\n', 'configFiles.notClosed', 2],
    ['{"mcpServers": {}}', 'configFiles.noServers', 1],
    ['{"mcpServers": {\n"a": {"command": "x"},\n"a": {"command": "y"}}}', 'configFiles.nameTwice', 3],
    ['{"mcpServers": {\n\n"a": {}}}', 'configFiles.badEntry', 3],
    ['{"mcpServers": {"a": {"command": "x", "args": "y"}}}', 'configFiles.badEntry', 1],
    ['{"mcpServers": {"a": {"command": "x", "env": {"K": [1]}}}}', 'configFiles.badEntry', 1],
    ['{"mcpServers": {"a": {"type": "grpc", "url": "https://x"}}}', 'configFiles.badEntry', 1],
    ['{"mcpServers": {"a": {"url": "file:///etc/passwd"}}}', 'configFiles.badEntry', 1],
    ['{"mcpServers": {"a": {"url": "javascript:alert(1)"}}}', 'configFiles.badEntry', 1],
    ['{"mcpServers": {"": {"command": "x"}}}', 'configFiles.noName', 1],
    ['{"mcpServers": {"a": 1}}', 'configFiles.notEntry', 1],
    ['{"other": true}', 'configFiles.noServers', 1],
    ['[1]', 'configFiles.noServers', 1],
    ['[mcp_servers.a]\ncommand = ', 'configFiles.badToml', 2],
    ['[mcp_servers.b]\ncommand = "x"\n[mcp_servers.a]\nargs = ["x"]', 'configFiles.badEntry', 3],
    ['line one\nline two', 'configFiles.severalLines', undefined],
    [`{"mcpServers":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`, 'configFiles.tooDeep', 1],
    [`{"a": "${'x'.repeat(1_000_001)}"}`, 'configFiles.tooLong', undefined],
  ])('%.60s: %s', (text, code, line) => {
    const { problems } = readServerConfigs(text);
    expect(problems[0]).toMatchObject({ level: 'error', message: { code } });
    expect(problems[0]?.line).toBe(line);
    expect(problems).toHaveLength(1);
    expect(renderMessage(problems[0]?.message ?? { text: '' }, zh)).not.toBe(problems[0]?.message.text);
  });

  const words = (count: number) => Array.from({ length: count }, () => 'npx');
  const packageOf = (count: number) => ({
    name: 'a',
    packages: [
      { registryType: 'npm', identifier: 'a', packageArguments: words(count - 2).map((value) => ({ value })) },
    ],
  });
  test.each([
    ['a JSON entry', (count: number) => JSON.stringify({ command: 'npx', args: words(count) })],
    ['a command with its arguments', (count: number) => JSON.stringify({ command: `npx ${words(count).join(' ')}` })],
    ['a TOML table', (count: number) => `[mcp_servers.a]\ncommand = "npx"\nargs = ${JSON.stringify(words(count))}`],
    ['a registry document', (count: number) => JSON.stringify(packageOf(count))],
    ['a command line', (count: number) => `npx ${words(count).join(' ')}`],
  ])('%s has at most 1,000 arguments', (_form, textOf) => {
    expect(configsOf(textOf(1_000))).toHaveLength(1);
    const { servers, problems } = readServerConfigs(textOf(1_001));
    expect([servers, problems]).toMatchObject([[], [{ level: 'error', message: { code: 'configFiles.badEntry' } }]]);
    expect(problems[0]?.message.text).toContain('more than 1,000 arguments. Remove some');
    expect(renderMessage(problems[0]?.message ?? { text: '' }, zh)).toContain('参数超过 1,000 个');
  });

  test('of one server leave the others', () => {
    const text = '{"mcpServers": {"bad": {"command": 1}, "good": {"command": "x"}}}';
    expect(configsOf(text).map(({ name }) => name)).toEqual(['good']);
    expect(readServerConfigs(text).problems[0]).toMatchObject({
      server: 'bad',
      message: { text: '"bad" was not read. "command" must be a string.' },
    });
    const [wrong] = readServerConfigs('{"mcpServers": {"bad": {"command": "x", "args": "y"}}}').problems;
    expect(wrong?.message.text).toBe('"bad" was not read. "args" must be an array of strings.');
    expect(renderMessage(wrong?.message ?? { text: '' }, zh)).toBe('未能读取“bad”。"args" 必须是字符串数组。');
    const { problems } = readServerConfigs('{"mcpServers": {"bad": {"type": "stdio"}}}');
    expect(problems[0]?.message.text).toBe('"bad" was not read. "command" is missing.');
  });
});

describe('variables', () => {
  const given = new Map([
    ['env:A', '1'],
    ['input:id', '2'],
    ['workspaceFolder', '/w/x'],
  ]);
  const expand = (variables: 'shell' | 'editor' | 'none', command: string) => {
    const { endpoint, variables: found } = expandEndpoint(
      { type: 'stdio', command, args: [], env: {} },
      { variables, given },
    );
    const missing = found.flatMap(({ from, written }) => (from === 'missing' ? [written] : []));
    return [endpoint.type === 'stdio' ? endpoint.command : '', ...missing];
  };

  test.each([
    [undefined, homedir(), homedir()],
    ['lab', join(homedir(), 'lab'), join(homedir(), 'lab')],
    ['${workspaceFolder}/lab', resolve('/w/x/lab'), resolve('/w/x/lab')],
    ['${env:NO}/lab', join(homedir(), '${env:NO}/lab'), '${env:NO}/lab'],
  ])('the folder %s is %s', (cwd, started, seen) => {
    const config = { type: 'stdio' as const, command: 'x', args: [], env: {}, ...(cwd !== undefined && { cwd }) };
    const { endpoint, shown } = expandEndpoint(config, { variables: 'editor', given });
    expect([endpoint, shown]).toMatchObject([{ cwd: started }, { cwd: seen }]);
  });

  test.each([
    ['shell', '${A}-${B:-x}-$A-${input:id}', ['1-x-$A-${input:id}']],
    ['shell', '${B}', ['${B}', '${B}']],
    ['editor', '${env:A}/${input:id}/${workspaceFolder}/${workspaceFolderBasename}/${A}', ['1/2//w/x/x/${A}']],
    ['editor', '${env:B} ${input:no}', ['${env:B} ${input:no}', '${env:B}', '${input:no}']],
    ['none', '${A}', ['${A}']],
  ] as const)('%s: %s', (syntax, text, expected) => {
    expect(expand(syntax, text)).toEqual(expected);
  });
});
