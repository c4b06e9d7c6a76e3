import { describe, expect, test } from 'vitest';

import { lsofHolder } from '../../../../src-core/workbench/portConflict/lsofHolder.ts';
import { netstatPid } from '../../../../src-core/workbench/portConflict/netstatPid.ts';
import { listeningInodes } from '../../../../src-core/workbench/portConflict/procNetTcp.ts';
import { programName } from '../../../../src-core/workbench/portConflict/programName.ts';
import { tasklistProgram } from '../../../../src-core/workbench/portConflict/tasklistProgram.ts';

const procTcp = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 31337 1 0000000000000000 100 0 0 10 0
   1: 00000000:1F41 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 31338 1 0000000000000000 100 0 0 10 0
   2: 0100007F:1F40 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 31339 1 0000000000000000 20 4 30 10 -1
   3: 0100007F:C350 0100007F:1F40 06 00000000:00000000 03:00000F2A 00000000     0        0 0 3 0000000000000000
`;

test.each([
  ['the port that listens, not its connections', 8_000, ['31337']],
  ['one of every address', 8_001, ['31338']],
  ['a port that only a connection has', 50_000, []],
  ['a port of fewer digits', 80, []],
])('/proc/net/tcp: %s', (_what, port, inodes) => {
  expect(listeningInodes(procTcp, port)).toEqual(inodes);
});

test('/proc/net/tcp6 has the same columns, and may be empty', () => {
  const line =
    '   0: 00000000000000000000000000000000:1F40 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0000000000000000 100 0 0 10 0';
  expect(listeningInodes(`head\n${line}\n`, 8_000)).toEqual(['4711']);
  expect(listeningInodes('', 8_000)).toEqual([]);
});

test.each([
  ['p4711\ncnode\nf23\nn127.0.0.1:8000\n', { pid: 4_711, program: 'node' }],
  ['p4711\ncGoogle\\x20Chrome\\x20He\nf23\nn*:8000\n', { pid: 4_711, program: 'Google Chrome He' }],
  ['p4711\n', { pid: 4_711 }],
  ['', {}],
  ['lsof: unknown option\n', {}],
])('lsof: %j', (output, holder) => {
  expect(lsofHolder(output)).toEqual(holder);
});

const netstat = [
  '',
  'Aktive Verbindungen',
  '',
  '  Proto  Lokale Adresse         Remoteadresse          Status           PID',
  '  TCP    0.0.0.0:135            0.0.0.0:0              ABHÖREN          1044',
  '  TCP    127.0.0.1:8000         127.0.0.1:50123        HERGESTELLT      99',
  '  TCP    127.0.0.1:8000         0.0.0.0:0              ABHÖREN          4711',
  '  TCP    [::]:8001              [::]:0                 LISTENING        4712',
  '  TCP    0.0.0.0:18000          0.0.0.0:0              LISTENING        4713',
  '  TCP    0.0.0.0:9000           0.0.0.0:0              LISTENING        0',
  '  UDP    0.0.0.0:8002           *:*                                     4714',
  '',
].join('\r\n');

test.each([
  [8_000, 4_711],
  [8_001, 4_712],
  [8_002, undefined],
  [9_000, undefined],
  [50_123, undefined],
])('netstat, whatever its language: port %i', (port, pid) => {
  expect(netstatPid(netstat, port)).toBe(pid);
});

test.each([
  ['"node.exe","4711","Console","1","61.284 K"\r\n', 'node'],
  ['"Toolwire.exe","4711","Console","1","161.284 K"\r\n', 'Toolwire'],
  ['INFORMATION: Es werden keine Aufgaben ausgeführt.\r\n', undefined],
  ['', undefined],
])('tasklist: %j', (output, program) => {
  expect(tasklistProgram(output)).toBe(program);
});

describe('a program by its command line', () => {
  test.each<[readonly string[], string | undefined]>([
    [['/usr/sbin/nginx', '-g', 'daemon off;'], 'nginx'],
    [['node', '--inspect', '/home/me/app/server.js', '--token', 's3cret'], 'node server.js'],
    [['/usr/bin/python3.12', './main.py', '--mode', 'cli'], 'python3.12 main.py'],
    [['python3', '-m', 'http.server'], 'python3 http.server'],
    [['node', '-r', './hook.cjs', '--import', './hook.mjs', 'server.js'], 'node server.js'],
    [['node', '--import=./hook.mjs', 'server.js'], 'node server.js'],
    [['python3', '-c', 'open("/etc/s3cret.txt")'], 'python3'],
    [['node', '-e', 'require("./s3cret.js")', './data.json'], 'node'],
    [['java', '-jar', 'app.jar'], 'java app.jar'],
    [['C:\\Program Files\\nodejs\\node.exe', 'C:\\app\\server.js'], 'node server.js'],
    [['node', '/usr/lib/node_modules/toolwire/dist/cli.js', 'serve'], 'Toolwire'],
    [['node', '/home/me/.local/bin/toolwire', 'serve'], 'Toolwire'],
    [['/opt/Toolwire/toolwire'], 'Toolwire'],
    [['/Applications/Toolwire.app/Contents/MacOS/Toolwire'], 'Toolwire'],
    [['node', '/home/me/toolwire/other.js'], 'node other.js'],
    [['bash', '/home/me/toolwire'], 'bash'],
    [[''], undefined],
    [[], undefined],
  ])('%j is %s', (command, name) => {
    expect(programName(command)).toBe(name);
  });

  test('is ours where it runs the very script that we run, wherever it was started', () => {
    const script = process.argv[1] ?? '';
    const cut = script.lastIndexOf('/') + 1;
    expect(programName(['node', `./${script.slice(cut)}`], script.slice(0, cut))).toBe('Toolwire');
    expect(programName(['node', `./${script.slice(cut)}`], '/elsewhere')).not.toBe('Toolwire');
  });
});
