import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { runCli, runProcess, startCli } from './cliProcess.ts';

const commands = ['serve', 'parse', 'tools', 'call', 'device'];

describe('help', () => {
  test.each([['--help'], ['-h'], ['help']])('%s lists every command on standard output', async (flag) => {
    const { code, out, err } = await runCli([flag]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const command of commands) expect(out).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
  });

  test.each(commands)('%s --help names its flags', async (command) => {
    const { code, out, err } = await runCli([command, '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`^Usage: toolwire ${command}`));
    expect(out).toContain('-h, --help');
  });

  test('every listed command is reachable', async () => {
    const { out } = await runCli(['--help']);
    const names = [...out.matchAll(/^ {2}([a-z]+(?: [a-z-]+)?)/gm)].map(([, name = '']) => name);
    expect(names).toEqual(expect.arrayContaining(commands));
    for (const name of names) {
      const help = await runCli([...name.split(' '), '--help']);
      expect(help).toMatchObject({ code: 0, out: expect.stringContaining(`Usage: toolwire ${name}`) });
    }
  });

  test('help wins over what is missing', async () => {
    expect(await runCli(['call', '-h'])).toMatchObject({ code: 0, err: '' });
  });

  test('no command at all is a wrong command line, with the help on standard error', async () => {
    const { code, out, err } = await runCli([]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Usage: toolwire COMMAND');
  });
});

test('--version is that of package.json', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(await runProcess(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
});

test.each<[string[], RegExp]>([
  [['prase'], /There is no command "prase"\. Did you mean "parse"\?\nTry "toolwire --help"/],
  [['--jsn'], /There is no flag "--jsn"/],
  [['tools', '--jsno'], /There is no flag --jsno\. Did you mean --json\?\nTry "toolwire tools --help"/],
  [['tools', '-x'], /There is no flag -x/],
  [['tools', '--__proto__=1'], /There is no flag --__proto__/],
  [['tools', '--json=yes'], /--json takes no value/],
  [['tools', '--json', '--json'], /--json is given twice/],
  [['tools', '--data-dir'], /--data-dir needs a value/],
  [['tools', '--data-dir', '--json'], /--data-dir needs a value/],
  [
    ['tools', 'one', 'extra'],
    /"extra" is one argument too many for "toolwire tools"\. If it is part of SERVER, put SERVER in quotes\./,
  ],
  [['servers', 'add', 'npx', '-y', 'x'], /There is no flag -y\. If it is part of TEXT, put TEXT in quotes\./],
  [['serve', 'x'], /"x" is one argument too many for "toolwire serve"\.\n/],
  [['call'], /"toolwire call" needs NAME/],
  [['call', 'x', '--args', '{"a":1,}'], /--args is not valid JSON: line 1, column 7: there is a comma before }\./],
  [['call', 'x', '--args', '[1]'], /--args must be a JSON object/],
  [['call', 'x', '--timeout', '0'], /--timeout must be a whole number from 1 to 3600000; it is "0"/],
  [['serve', '--port', '65536'], /--port must be a whole number from 0 to 65535/],
  [['serve', '--device-port', '1.5'], /--device-port must be a whole number/],
  [['parse', '--dialect', 'vpc'], /There is no dialect "vpc"\. Choose one of: auto, standard, /],
  [['device', '--profile', 'toaster'], /There is no profile "toaster"\. Choose one of: /],
  [['device', '--url', 'ftp://x'], /--url must be an http or ws address/],
])('%j is a wrong command line', async (args, message) => {
  const { code, out, err } = await runCli(args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(message);
});

test('a wrong command line ends the process with 2', async () => {
  const { code, out, err } = await runProcess(['tools', '--jsno']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/Did you mean --json\?/);
});

test('a reader that has had enough ends the program quietly', async () => {
  const { child } = startCli(['parse', '--json']);
  child.stdout.destroy();
  child.stdin.on('error', () => undefined);
  child.stdin.end('<<<[TOOL_REQUEST]>>>\ntool_name:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>\n'.repeat(20_000));
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
});
