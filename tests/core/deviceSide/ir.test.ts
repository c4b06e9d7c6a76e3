import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createIrManager, createSerialPort } from '../../../src-core/device.ts';
import { portError } from '../../../src-core/deviceSide/managers/serialPort.ts';
import { callTool, serverOf } from './support/callTool.ts';

const python = process.env['TOOLWIRE_PYTHON'] ?? 'python3';
const hasPty = process.platform !== 'win32' && spawnSync(python, ['-c', 'import pty; pty.openpty()']).status === 0;

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-device-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A pseudo-terminal: a port that can be opened and set up as a real one. */
async function startPort() {
  const script = fileURLToPath(new URL('support/terminalPort.py', import.meta.url));
  const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async () => (await lines.next()).value as string;
  return { path: await line(), line, send: (hex: string) => child.stdin.write(`send ${hex}\n`) };
}

describe('simulated', () => {
  const server = () => serverOf(createIrManager({ simulated: true, codes: { tv_power: 'A1 F1 04 FB 08' } }));

  test('sending and learning say so, and what was learnt can be sent', async () => {
    expect(await callTool(server(), 'self.ir.send_named', { name: 'tv_power' })).toMatchObject({
      text: '已模拟发送 5 字节',
      isError: false,
    });
    expect((await callTool(server(), 'self.ir.send_hex', { hex: '0xA1, 0xF1' })).text).toBe('已模拟发送 2 字节');
    expect(JSON.parse((await callTool(server(), 'self.ir.list_codes')).text)).toEqual({
      port: null,
      simulated: true,
      codes: ['tv_power'],
    });
    const learning = server();
    expect(await callTool(learning, 'self.ir.learn_external', { name: 'fan' })).toMatchObject({
      text: expect.stringMatching(/^已模拟学习并保存 "fan"：(?:[0-9A-F]{2} ?){5}$/) as string,
      isError: false,
    });
    expect((await callTool(learning, 'self.ir.send_named', { name: 'fan' })).text).toBe('已模拟发送 5 字节');
  });

  test('a port beside it is refused', () => {
    expect(() => createIrManager({ simulated: true, port: '/dev/ttyS1' })).toThrow('"simulated" opens no port');
  });

  test.each(['', 'xyz', 'A', 'A1 F', '{}', 'FF'.repeat(1_025), ' '.repeat(10_000)])(
    'refuses an invalid code (%#)',
    async (hex) => {
      expect(await callTool(server(), 'self.ir.send_hex', { hex })).toMatchObject({ isError: true });
    },
  );

  test('a name that is not there is a failure that names it, __proto__ among them', async () => {
    for (const name of ['nothing', '__proto__'])
      expect(await callTool(server(), 'self.ir.send_named', { name })).toMatchObject({
        text: expect.stringContaining(`"${name}"`) as string,
        isError: true,
      });
  });
});

test.skipIf(existsSync('/dev/ttyS1'))(
  'without a port sending and learning are errors that name the remedy',
  async () => {
    const server = serverOf(createIrManager({ env: {}, codesFile: join(folder(), 'codes.json') }));
    const text = expect.stringMatching(/^无法打开串口 \/dev\/ttyS1: No such file.*IR_SERIAL_PORT/) as string;
    for (const [name, args] of [
      ['self.ir.send_hex', { hex: 'A1' }],
      ['self.ir.learn_external', { name: 'fan' }],
    ] as const)
      expect(await callTool(server, name, args)).toMatchObject({ text, isError: true });
  },
);

test('the port and its speed come from the environment', () => {
  expect(() => createIrManager({ env: { IR_SERIAL_PORT: '/dev/ttyS1', IR_BAUD: 'fast' } })).toThrow(
    'IR_BAUD must be a whole number such as 9600; it is "fast".',
  );
  expect(() => createIrManager({ env: { IR_SERIAL_PORT: '/dev/ttyS1', IR_BAUD: '115200' } })).not.toThrow();
});

test('a port that cannot be opened is an error result that names the port', async () => {
  const denied = Object.assign(new Error('EACCES: permission denied'), { errno: -13 });
  expect(portError('/dev/ttyS1', denied).message).toBe('无法打开串口 /dev/ttyS1: Permission denied');
  const server = serverOf(createIrManager({ env: { IR_SERIAL_PORT: '/dev/no-such-port' } }));
  expect(await callTool(server, 'self.ir.send_hex', { hex: 'A1' })).toMatchObject({
    text: '无法打开串口 /dev/no-such-port: No such file or directory',
    isError: true,
  });
});

test.runIf(process.platform !== 'win32')(
  'refuses a file that is not a serial port, and does not change it',
  async () => {
    const file = join(folder(), 'notes.txt');
    writeFileSync(file, 'mine');
    const server = serverOf(createIrManager({ port: file, env: {} }));
    expect(await callTool(server, 'self.ir.send_hex', { hex: 'A1' })).toMatchObject({
      text: expect.stringContaining(`无法打开串口 ${file}: `) as string,
      isError: true,
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  },
);

describe(hasPty ? 'on a terminal' : `on a terminal (not run: ${python} has no module pty)`, () => {
  test.runIf(hasPty)('codes go out byte for byte, and replies come back', async () => {
    const { path, line } = await startPort();
    const server = serverOf(createIrManager({ env: { IR_SERIAL_PORT: path, IR_BAUD: '115200' } }));
    expect(await callTool(server, 'self.ir.send_hex', { hex: 'B1 0A 0D 11 03 FF' })).toMatchObject({
      text: '发送成功（无回复）',
      isError: false,
    });
    expect(await line()).toBe('got b10a0d1103ff');
    expect((await callTool(server, 'self.ir.send_hex', { hex: 'A1F1' })).text).toBe('发送成功，回复：5A');
  });

  test.runIf(hasPty && process.platform === 'linux')('a code is learnt, kept in its file and sent again', async () => {
    const { path, line, send } = await startPort();
    // Without `codesFile`: the file is in the user's folder for data.
    const env = { XDG_DATA_HOME: folder() };
    const codesFile = join(env.XDG_DATA_HOME, 'toolwire-device', 'ir-codes.json');
    const server = serverOf(createIrManager({ port: path, env }));
    expect(await callTool(server, 'self.ir.learn_external', { name: '' })).toMatchObject({ isError: true });
    const learnt = callTool(server, 'self.ir.learn_external', { name: 'fan' });
    send('00ff6d');
    expect(await learnt).toMatchObject({ text: '已保存 "fan"：00 FF 6D', isError: false });
    expect(JSON.parse(readFileSync(codesFile, 'utf8'))).toEqual({ fan: '00 FF 6D' });
    const next = serverOf(createIrManager({ port: path, env }));
    await callTool(next, 'self.ir.send_named', { name: 'fan' });
    expect(await line()).toBe('got 00ff6d');
  });

  test.runIf(hasPty)('waiting for a key ends when the caller is gone', async () => {
    const { path } = await startPort();
    const stop = new AbortController();
    const port = createSerialPort({ path, baud: 9_600 });
    const waiting = port.exchange({ bytes: new Uint8Array(), waitMs: 60_000, signal: stop.signal });
    stop.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  });
});
