import { describe, expect, test } from 'vitest';

import type { CaptureInfo, DeviceInfo, ReplayReport } from '../../../src-core/contract/types.ts';
import type { CaptureSource } from '../../../src-core/features/captures/service.ts';
import type { Workbench } from '../../../src-core/workbench.ts';
import { addDevice, call, dataFolder, openWorkbench, readyDevice, until } from './openWorkbench.ts';

/** A whole file, and how many parts it came in. */
async function exported({ services }: Workbench, source: CaptureSource) {
  const texts: string[] = [];
  let after: number | undefined;
  let fileName: string;
  do {
    const part = await services.captures.exportPart({ ...source, after });
    texts.push(part.text);
    ({ fileName, next: after } = part);
  } while (after !== undefined);
  return { text: texts.join(''), parts: texts.length, fileName };
}

async function imported({ services }: Workbench, text: string, name = 'capture'): Promise<CaptureInfo> {
  const { captureId } = await services.captures.importPart({ name, text });
  return (await services.captures.list()).find(({ id }) => id === captureId)!;
}

const header = '{"toolwire":"capture","version":1,"device":{"name":"Lamp","deviceId":"02:0"},"exportedAt":5}';
const line = (seq: number, change: object = {}): string =>
  JSON.stringify({
    seq,
    at: seq,
    direction: 'in',
    kind: 'text',
    type: 'mcp',
    summary: 'x',
    bytes: 1,
    text: 'y',
    ...change,
  });

/** A device that did a few things: one call that fails, one that asks first, one that is no tool. */
async function busyDevice(workbench: Workbench, profile = 'firmware'): Promise<DeviceInfo> {
  const device = await addDevice(workbench, { profile, name: '书房/音箱' });
  await call(workbench, device, 'self.audio_speaker.set_volume', { volume: 33 });
  await call(workbench, device, 'self.get_device_status');
  await call(workbench, device, 'self.screen.set_theme', { theme: 'pink' });
  return device;
}

const verdicts = ({ calls }: ReplayReport) => calls.map(({ toolName, verdict }) => [toolName, verdict]);

describe('a file', () => {
  test('of a log is its header and a line for each frame; imported and exported again it is the same', async () => {
    const workbench = await openWorkbench();
    const device = await busyDevice(workbench);
    const { text, fileName } = await exported(workbench, { deviceId: device.id });
    expect(fileName).toMatch(/^书房-音箱 \d{4}-\d\d-\d\d\.jsonl$/);
    const [head, ...lines] = text.trimEnd().split('\n');
    expect(JSON.parse(head!)).toMatchObject({
      toolwire: 'capture',
      version: 1,
      exportedAt: expect.any(Number),
      device: { name: '书房/音箱', deviceId: device.deviceId, board: device.board, firmware: device.firmware },
    });
    const { rows } = await workbench.services.frames.page({ source: 'device', connection: device.id, limit: 20_000 });
    expect(lines.map((each) => (JSON.parse(each) as { seq: number }).seq)).toEqual(rows.map(({ seq }) => seq));

    const capture = await imported(workbench, text, fileName);
    expect(capture).toMatchObject({
      name: fileName,
      frames: rows.length,
      toolCount: device.toolCount,
      callCount: 3,
      firstAt: rows[0]!.at,
      lastAt: rows.at(-1)!.at,
      device: { name: '书房/音箱', board: device.board },
    });
    expect((await exported(workbench, { captureId: capture.id })).text).toBe(text);
    const log = await workbench.services.frames.page({ captureId: capture.id, limit: 20_000 });
    expect(log).toEqual({ rows, firstSeq: rows[0]!.seq, lastSeq: rows.at(-1)!.seq });
    const { seqs } = await workbench.services.frames.search({ captureId: capture.id, text: 'SET_VOLUME' });
    expect(seqs.length).toBeGreaterThan(1);
    expect(await workbench.services.frames.frame({ captureId: capture.id, seq: seqs[0]! })).toEqual(
      await workbench.services.frames.frame({ source: 'device', seq: seqs[0]! }),
    );
  });

  test('has no secret in it: no token, no Authorization', async () => {
    const workbench = await openWorkbench();
    const device = await busyDevice(workbench);
    const { text } = await exported(workbench, { deviceId: device.id });
    expect(text).toContain('Authorization: ***');
    expect(text).not.toMatch(/Bearer (?!\*\*\*)|"token\\?":\\?"(?!\*\*\*)/);
  });

  test('comes in parts where it is long, and goes in by parts', async () => {
    const workbench = await openWorkbench();
    const device = await addDevice(workbench);
    const theme = '长'.repeat(40_000);
    for (let count = 0; count < 60; count += 1) await call(workbench, device, 'self.screen.set_theme', { theme });
    const { text, parts } = await exported(workbench, { deviceId: device.id });
    expect(parts).toBeGreaterThan(1);
    const lines = text.split(/(?<=\n)/);
    let captureId: string | undefined;
    for (let at = 0; at < lines.length; at += 30) {
      const part = { name: 'n', text: lines.slice(at, at + 30).join(''), captureId };
      captureId = (await workbench.services.captures.importPart(part)).captureId;
    }
    expect((await exported(workbench, { captureId: captureId! })).text).toBe(text);
    expect(await workbench.services.captures.list()).toMatchObject([
      { id: captureId, toolCount: device.toolCount, callCount: 60 },
    ]);
  });

  test('stays over a restart, whatever becomes of the log', async () => {
    const dataDir = dataFolder();
    const first = await openWorkbench({ dataDir });
    const device = await busyDevice(first);
    const { text } = await exported(first, { deviceId: device.id });
    const { id } = await imported(first, text);
    await first.services.frames.clear({ source: 'device', connection: device.id });
    await first.services.settings.set({ captureLimitMb: 1 });
    await first.close();
    const second = await openWorkbench({ dataDir });
    expect((await exported(second, { captureId: id })).text).toBe(text);
    await second.services.captures.rename({ captureId: id, name: 'Before the update' });
    expect(await second.services.captures.list()).toMatchObject([{ id, name: 'Before the update' }]);
    await second.services.captures.remove({ captureId: id });
    await second.services.captures.remove({ captureId: id });
    expect(await second.services.captures.list()).toEqual([]);
    await expect(second.services.frames.page({ captureId: id, limit: 1 })).rejects.toThrow(/no capture/);
  });

  test('of a device of an earlier run knows whose it is', async () => {
    const dataDir = dataFolder();
    const first = await openWorkbench({ dataDir });
    const device = await busyDevice(first);
    await first.close();
    const second = await openWorkbench({ dataDir });
    const { text } = await exported(second, { deviceId: device.id });
    expect(text).toContain(`"device":{"name":"书房/音箱","deviceId":"${device.deviceId}","board":"${device.board}"`);
  });

  test('may have a byte order mark, carriage returns, blank lines and no end of line', async () => {
    const workbench = await openWorkbench();
    const text = `\ufeff${header}\r\n${line(1)}\r\n\r\n${line(5)}`;
    expect(await imported(workbench, text)).toMatchObject({ frames: 2, size: 2 });
    expect(await imported(workbench, header)).toMatchObject({ frames: 0, toolCount: 0 });
    expect((await workbench.services.captures.list())[0]).not.toHaveProperty('firstAt');
  });

  test.each([
    ['', /Line 1 .*not valid JSON/],
    [line(1), /Line 1 .*not the header/],
    [header.replace('"version":1', '"version":9'), /newer Toolwire/],
    [`${header}\n${line(1)}\n{"seq":2`, /Line 3 .*not valid JSON/],
    [`${header}\n${line(1)}\n${line(1)}`, /Line 3 .*"seq" must be larger/],
    [`${header}\n${line(3)}\n\n${line(2)}`, /Line 4 .*"seq" must be larger/],
    [`${header}\n${line(3, { bytes: null })}`, /Line 2 .*"bytes" must be/],
  ])('that is wrong is refused, with the line, and leaves nothing behind: %#', async (text, message) => {
    const workbench = await openWorkbench();
    await expect(imported(workbench, text)).rejects.toThrow(message);
    expect(await workbench.services.captures.list()).toEqual([]);
  });

  test('that turns out wrong later is taken back whole', async () => {
    const { captures } = (await openWorkbench()).services;
    const { captureId } = await captures.importPart({ name: 'a', text: `${header}\n${line(1)}\n${line(2)}\n` });
    await expect(captures.importPart({ name: 'a', captureId, text: `${line(3)}\nnonsense\n` })).rejects.toThrow(
      /Line 5/,
    );
    expect(await captures.list()).toEqual([]);
    await expect(captures.importPart({ name: 'a', captureId, text: line(4) })).rejects.toThrow(/not under way/);
    await expect(captures.importPart({ name: 'a', captureId: '77', text: line(4) })).rejects.toThrow(/not under way/);
  });

  test('that is removed meanwhile takes no more', async () => {
    const { captures } = (await openWorkbench()).services;
    const { captureId } = await captures.importPart({ name: 'a', text: `${header}\n${line(1)}\n` });
    await captures.remove({ captureId });
    await expect(captures.importPart({ name: 'a', captureId, text: line(2) })).rejects.toThrow(/not under way/);
  });

  test('beyond the limit for logs is refused, and says which setting', async () => {
    const workbench = await openWorkbench();
    await workbench.services.settings.set({ captureLimitMb: 1 });
    const text = [header, ...Array.from({ length: 30 }, (_, seq) => line(seq, { text: 'x'.repeat(40_000) }))].join(
      '\n',
    );
    await expect(imported(workbench, text)).rejects.toThrow(/more than 1 MB\. Remove one, or raise the limit/);
    expect(await workbench.services.captures.list()).toEqual([]);
    expect(
      await imported(workbench, text.slice(0, 400_000).slice(0, text.slice(0, 400_000).lastIndexOf('\n'))),
    ).toBeTruthy();
  });
});

describe('calls once more', () => {
  test('are compared on a device of the same kind, and on one of another that has some of the tools', async () => {
    const workbench = await openWorkbench();
    const device = await busyDevice(workbench);
    const other = await addDevice(workbench);
    const report = await workbench.services.captures.replay({ deviceId: device.id, targetId: other.id });
    expect(verdicts(report)).toEqual([
      ['self.audio_speaker.set_volume', 'same'],
      ['self.get_device_status', 'same'],
      ['self.screen.set_theme', 'same'],
    ]);
    expect(report.calls[0]).toMatchObject({
      argsJson: '{"volume":33}',
      recorded: { text: 'true', isError: false, durationMs: expect.any(Number) },
      now: { text: 'true', isError: false, durationMs: expect.any(Number) },
    });
    expect(report).not.toHaveProperty('stopped');

    const python = await addDevice(workbench, { profile: 'py-xiaozhi' });
    const there = await workbench.services.captures.replay({ deviceId: device.id, targetId: python.id });
    expect(verdicts(there)).toEqual([
      ['self.audio_speaker.set_volume', 'same'],
      ['self.get_device_status', 'not-there'],
      ['self.screen.set_theme', 'not-there'],
    ]);
    const history = await workbench.services.calls.history({ limit: 100 });
    expect(history.filter(({ toolId }) => toolId === other.registryId)).toHaveLength(3);
  });

  test('some of them; those that ask first only when they are confirmed', async () => {
    const workbench = await openWorkbench();
    const device = await addDevice(workbench);
    const reboot = { callId: 'r', toolName: device.registryId!, command: 'self.reboot', argsJson: '{}' };
    await workbench.services.calls.execute({ ...reboot, origin: 'executor', confirmed: true });
    const { rows } = await workbench.services.frames.page({ source: 'device', limit: 20_000 });
    const calls = rows.filter(({ role, method }) => role === 'request' && method === 'tools/call');
    const target = await addDevice(workbench);
    const replay = (confirmed: boolean) =>
      workbench.services.captures.replay({
        deviceId: device.id,
        targetId: target.id,
        confirmed,
        seqs: calls.map(({ seq }) => seq),
      });
    expect(verdicts(await replay(false))).toEqual([['self.reboot', 'asks-first']]);
    expect(verdicts(await replay(true))).not.toEqual([['self.reboot', 'asks-first']]);
  });

  test('of picked requests only, read from where they stand', async () => {
    const workbench = await openWorkbench();
    const device = await busyDevice(workbench);
    const target = await addDevice(workbench);
    const { rows } = await workbench.services.frames.page({ source: 'device', connection: device.id, limit: 20_000 });
    const [, second] = rows.filter(({ role, method }) => role === 'request' && method === 'tools/call');
    const replay = (seqs: number[]) =>
      workbench.services.captures.replay({ deviceId: device.id, targetId: target.id, seqs });
    expect(verdicts(await replay([second!.seq]))).toEqual([['self.get_device_status', 'different']]);
    expect(await replay([])).toEqual({ calls: [] });
    expect(await replay([999_999])).toEqual({ calls: [] });
  });

  test('a call that fails for a reason of ours is an error; one without a recorded answer is compared with nothing', async () => {
    const workbench = await openWorkbench();
    const target = await addDevice(workbench);
    const request = (seq: number, name: string, args: object) =>
      line(seq, {
        direction: 'out',
        role: 'request',
        method: 'tools/call',
        rpcId: seq,
        text: JSON.stringify({ type: 'mcp', payload: { params: { name, arguments: args } } }),
      });
    const capture = await imported(
      workbench,
      [
        header,
        request(1, 'self.audio_speaker.set_volume', { volume: 4_096 }),
        request(2, 'self.audio_speaker.set_volume', { volume: 5 }),
        line(3, { role: 'answer', method: 'tools/call', rpcId: 2, cut: true, text: '{"ty' }),
        line(4, { direction: 'out', role: 'request', method: 'tools/call', rpcId: 9, text: 'nonsense' }),
      ].join('\n'),
    );
    const { calls } = await workbench.services.captures.replay({ captureId: capture.id, targetId: target.id });
    expect(calls).toMatchObject([
      { verdict: 'error', now: { text: expect.stringContaining('4096'), isError: true } },
      { verdict: 'different', now: { text: 'true' } },
    ]);
    expect(calls[1]).not.toHaveProperty('recorded');
  });

  test('an abort, or a device that leaves, ends the replay after the running call', async () => {
    const workbench = await openWorkbench();
    const device = await busyDevice(workbench);
    const target = await addDevice(workbench, { latencyMs: 50 });
    const abort = new AbortController();
    const replay = workbench.services.captures.replay({ deviceId: device.id, targetId: target.id }, abort.signal);
    await until(workbench, () => workbench.services.calls.running().length > 0);
    abort.abort();
    const report = await replay;
    expect(report).toMatchObject({ stopped: true, calls: [{ verdict: 'same' }] });

    const slow = await addDevice(workbench, { latencyMs: 600_000 });
    const gone = workbench.services.captures.replay({ deviceId: device.id, targetId: slow.id });
    await until(workbench, () => workbench.services.calls.running().length > 0);
    await workbench.services.devices.disconnect({ id: slow.id });
    expect(await gone).toMatchObject({ stopped: true, calls: [{ verdict: 'error' }] });
  });

  test('closing the workbench ends a replay', async () => {
    const workbench = await openWorkbench();
    const device = await busyDevice(workbench);
    const slow = await addDevice(workbench, { latencyMs: 600_000 });
    const replay = workbench.services.captures.replay({ deviceId: device.id, targetId: slow.id });
    await until(workbench, () => workbench.services.calls.running().length > 0);
    await workbench.close();
    expect(await replay).toMatchObject({ stopped: true, calls: [{ verdict: 'error' }] });
  });

  test('need a source and a target', async () => {
    const { captures } = (await openWorkbench()).services;
    await expect(captures.replay({ targetId: 'x' })).rejects.toThrow(/only one of them/);
    await expect(captures.replay({ captureId: '1', targetId: 'x' })).rejects.toThrow(/no capture "1"/);
    await expect(captures.replay({ deviceId: 'x', targetId: 'x' })).rejects.toThrow(/no log of a device "x"/);
  });
});

describe('a recorded device', () => {
  test('comes back as a virtual one, and answers its own recording the same', async () => {
    const workbench = await openWorkbench();
    const device = await busyDevice(workbench);
    const { text } = await exported(workbench, { deviceId: device.id });
    const capture = await imported(workbench, text);
    const { deviceId } = await workbench.services.captures.asVirtual({ captureId: capture.id });
    const again = await readyDevice(workbench, deviceId);
    expect(again).toMatchObject({ name: '书房/音箱', board: device.board, toolCount: device.toolCount, virtual: true });
    expect(again.id).not.toBe(device.id);
    const report = await workbench.services.captures.replay({ captureId: capture.id, targetId: again.id });
    expect(verdicts(report).map(([, verdict]) => verdict)).toEqual(['same', 'same', 'same']);
    await workbench.services.devices.disconnect({ id: again.id });
  });

  test('needs a list of tools', async () => {
    const workbench = await openWorkbench();
    const { id } = await imported(workbench, header);
    await expect(workbench.services.captures.asVirtual({ captureId: id })).rejects.toThrow(/no list of tools/);
    await expect(workbench.services.captures.asVirtual({})).rejects.toThrow(/only one of them/);
  });
});
