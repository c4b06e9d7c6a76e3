import { randomUUID } from 'node:crypto';

import type { captures as capturesContract } from '../../contract/captures.ts';
import type { Implementation } from '../../contract/implementation.ts';
import { captureFrameLine, type CaptureFrame } from './captureFrame.ts';
import { captureHeaderLine, type CaptureHeader } from './captureHeader.ts';
import { captureProfile, profileMethods } from './captureProfile.ts';
import { isSameAnswer, type ComparedAnswer } from './compareAnswers.ts';
import { answerText, brokenErrorMessage, type RecordedAnswer } from './recordedAnswer.ts';
import { createCallReader, type RecordedCall } from './recordedCalls.ts';
import type { CaptureInfo, ReplayedCall, ReplayReport, ToolExecutionResult } from '../../contract/types.ts';
import type { Calls } from '../calls/service.ts';
import type { FeatureContext } from '../context.ts';
import type { DeviceHub } from '../devices/deviceHub.ts';
import type { Devices } from '../devices/open.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import type { Trash } from '../trash/open.ts';
import {
  gatewayLogId,
  logIdOf,
  type CaptureStore,
  type StoredCapture,
  type StoredLog,
  type WireStore,
} from '../../store/frameTypes.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ToolRegistry } from '../../registry/types.ts';
import { createCaptureImports } from './captureImports.ts';

/** Characters of one part of an export. */
const partLength = 2_000_000;

/** Calls that one replay runs at most. */
const maxReplayed = 10_000;

/** The log of a device or an MCP server, an imported capture, or a shared log: exactly one of them. */
export interface CaptureSource {
  deviceId?: string | undefined;
  serverId?: string | undefined;
  captureId?: string | undefined;
  /** A realtime conversation. */
  conversationId?: string | undefined;
  /** The log of all clients of the gateway. */
  shared?: 'gateway' | undefined;
}

type FoundLog = CaptureHeader & { log: StoredLog };

/** Opens the captures: logs as files and out of files, their calls once more, and devices made of them. */
export function openCaptures(
  context: FeatureContext & { trash: Trash; frames: FrameLog; calls: Calls; devices: Devices },
) {
  const { toolRegistryManager, events, settings, trash, frames, calls, devices } = context;
  const { bin, captures } = trash;
  const { execute, beginSeries } = calls;
  const { hub, startVirtual } = devices;
  function onChange(): void {
    events.emit('changed', 'captures');
    frames.changed();
  }
  const imports = createCaptureImports({ captures, limitMb: () => settings().captureLimitMb, onChange });
  const closing = new AbortController();
  const sources = createSources({ captures, frames, wire: context.store.wire, hub });

  /** The tools of the device or server that calls are replayed on; undefined if it is not connected. */
  function registryOf(kind: 'device' | 'mcp', targetId: string): ToolRegistry | undefined {
    if (kind === 'mcp')
      return toolRegistryManager.getAllTools().find(({ source }) => source.kind === kind && source.id === targetId);
    const id = hub.device(targetId)?.registryId;
    return id === undefined ? undefined : toolRegistryManager.getTool(id);
  }

  const service = {
    // What is known of a conversation comes when it is opened.
    list: async () => (await captures.list()).map(withoutAbout),
    async exportPart({ after, ...named }): Promise<{ fileName: string; text: string; next?: number }> {
      const { log, ...header } = await sources.read(named);
      const lines = after === undefined ? [captureHeaderLine(header)] : [];
      let length = 0;
      let last: number | undefined;
      for await (const frame of log.frames(after === undefined ? {} : { afterSeq: after })) {
        if (length > partLength) break;
        const line = captureFrameLine(frame);
        lines.push(line);
        length += line.length;
        last = frame.seq;
      }
      const text = lines.map((line) => `${line}\n`).join('');
      const part = { fileName: fileNameOf(header), text };
      return length > partLength && last !== undefined ? { ...part, next: last } : part;
    },
    importPart: (part) => imports.take(part),
    async rename({ captureId, name }) {
      await sources.capture(captureId);
      await captures.rename(captureId, name);
      onChange();
    },
    async remove({ captureId, forGood = false }) {
      const capture = await captures.get(captureId);
      if (forGood) await captures.remove(captureId);
      else if (capture !== undefined) bin.put({ kind: 'capture', name: capture.name, of: captureId });
      onChange();
    },
    async replay({ targetId, seqs, confirmed = false, callId, origin = 'executor', ...named }, signal?) {
      const { log, origin: kind = 'device' } = await sources.read(named);
      if (kind !== 'device' && kind !== 'mcp')
        throw new RequestError('Only logs of devices and MCP servers can be replayed.', { field: 'captureId' });
      const calls = await readCalls(log, seqs);
      const registry = () => registryOf(kind, targetId);
      if (registry() === undefined)
        throw new RequestError('The target of the calls is not connected, or has no tools.', { field: 'targetId' });
      const ending = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      const options = { calls, registry, confirmed, callId, origin, execute, signal: ending };
      return replayCalls(options).finally(beginSeries());
    },
    async asVirtual(named) {
      const { log, device, origin } = await sources.read(named);
      if (origin !== undefined)
        throw new RequestError('Only logs of devices can run as a device.', { field: 'captureId' });
      const found: CaptureFrame[] = [];
      for await (const frame of log.frames({ only: { kind: 'open', methods: profileMethods } })) found.push(frame);
      return startVirtual(captureProfile({ device, frames: found }), device.name);
    },
  } satisfies Implementation<typeof capturesContract>;
  return { service, close: () => closing.abort() };
}

/** Looks up logs with what a capture's header says of them. */
function createSources(stores: {
  captures: Pick<CaptureStore, 'get' | 'log'>;
  frames: FrameLog;
  wire: Pick<WireStore, 'device'>;
  hub: Pick<DeviceHub, 'device'>;
}) {
  const { captures, frames, wire, hub } = stores;

  async function capture(captureId: string): Promise<StoredCapture> {
    const capture = await captures.get(captureId);
    if (capture !== undefined) return capture;
    throw new RequestError(`There is no capture "${captureId}".`, { field: 'captureId' });
  }

  async function conversation(conversationId: string): Promise<FoundLog> {
    const found = await wire.device(logIdOf({ source: 'realtime', connection: conversationId }));
    if (found?.about === undefined)
      throw new RequestError(`There is no conversation "${conversationId}".`, { field: 'conversationId' });
    const { id, name, about } = found;
    const device = { name, deviceId: conversationId };
    return { device, origin: 'realtime', about, exportedAt: Date.now(), log: frames.log(id) };
  }

  async function server(serverId: string): Promise<FoundLog> {
    // The facts of a server that has just been started are written with its first frames.
    frames.flush();
    const found = await wire.device(logIdOf({ source: 'mcp', connection: serverId }));
    if (found === undefined)
      throw new RequestError(`There is no log of an MCP server "${serverId}".`, { field: 'serverId' });
    const { id, name } = found;
    return { device: { name, deviceId: serverId }, origin: 'mcp', exportedAt: Date.now(), log: frames.log(id) };
  }

  async function device(id: string): Promise<FoundLog> {
    const found = hub.device(id) ?? (await wire.device(id));
    if (found === undefined) throw new RequestError(`There is no log of a device "${id}".`, { field: 'deviceId' });
    const { name, board, firmware } = found;
    return {
      device: {
        name,
        deviceId: found.deviceId,
        ...(board !== undefined && { board }),
        ...(firmware !== undefined && { firmware }),
      },
      exportedAt: Date.now(),
      log: frames.log(id),
    };
  }

  async function read(source: CaptureSource): Promise<FoundLog> {
    const { deviceId, serverId, captureId, conversationId, shared } = source;
    if ([deviceId, serverId, captureId, conversationId, shared].filter((each) => each !== undefined).length !== 1)
      throw new RequestError(
        'Name a device, an MCP server, a capture, a conversation or a shared log, only one of them.',
        { field: 'captureId' },
      );
    if (captureId !== undefined) return { ...(await capture(captureId)), log: captures.log(captureId) };
    if (shared !== undefined) {
      const gateway = { name: 'Gateway', deviceId: shared };
      return { device: gateway, origin: shared, exportedAt: Date.now(), log: frames.log(gatewayLogId) };
    }
    if (conversationId !== undefined) return conversation(conversationId);
    return serverId === undefined ? device(deviceId ?? '') : server(serverId);
  }

  return { capture, read };
}

/** The calls of a log; those of some frames only if `seqs` names them. */
async function readCalls(log: StoredLog, seqs: readonly number[] | undefined): Promise<RecordedCall[]> {
  const afterSeq = seqs === undefined ? -1 : Math.min(...seqs) - 1;
  const reader = createCallReader(seqs && new Set(seqs));
  for await (const frame of log.frames({ afterSeq, only: { kind: 'open', methods: ['tools/call'] } })) {
    reader.add(frame);
    if (reader.isDone) break;
  }
  const { calls } = reader;
  if (calls.length > maxReplayed) {
    throw new RequestError(`It has ${calls.length} calls; at most ${maxReplayed} are run again. Pick some.`, {
      field: 'seqs',
    });
  }
  return calls;
}

function withoutAbout(capture: StoredCapture): CaptureInfo {
  const info = { ...capture };
  delete info.about;
  return info;
}

/** The device's name and the day, without what a file system may not take. */
function fileNameOf({ device, exportedAt }: CaptureHeader): string {
  const name = device.name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-').slice(0, 60);
  return `${name} ${new Date(exportedAt).toISOString().slice(0, 10)}.jsonl`;
}

/** Characters of an answer that a report holds; the comparison sees all of it. */
const maxTextLength = 10_000;

/** Recorded calls, the device or server they run on now, and how. */
interface ReplayOptions {
  calls: readonly RecordedCall[];
  /** The target's registry; `undefined` once it has disconnected. */
  registry: () => ToolRegistry | undefined;
  execute: Calls['execute'];
  confirmed: boolean;
  /** Of the first call. */
  callId?: string | undefined;
  origin: 'executor' | 'cli';
  /** Stops the replay after the running call. */
  signal: AbortSignal;
}

/** Runs calls again, one after the other, and compares their results. Stops if the target disconnects. */
async function replayCalls(options: ReplayOptions): Promise<ReplayReport> {
  const { calls, registry, signal } = options;
  let { callId = randomUUID() } = options;
  const replayed: ReplayedCall[] = [];
  for (const call of calls) {
    const target = registry();
    if (signal.aborted || target === undefined) return { calls: replayed, stopped: true };
    replayed.push(await replayCall(call, target, { ...options, callId }));
    callId = randomUUID();
  }
  return { calls: replayed };
}

async function replayCall(
  { seq, toolName, args, answer }: RecordedCall,
  target: ToolRegistry,
  { execute, confirmed, callId, origin }: ReplayOptions & { callId: string },
): Promise<ReplayedCall> {
  const recorded = answer && toText(answer);
  const call = { seq, toolName, argsJson: JSON.stringify(args), ...(recorded && { recorded: shown(recorded) }) };
  if (!target.getMetadata().methods.some(({ name }) => name === toolName)) return { ...call, verdict: 'not-there' };
  const result = await execute({
    callId,
    toolName: target.id,
    command: toolName,
    argsJson: call.argsJson,
    origin,
    confirmed,
  });
  if (result.error?.code === 'confirmation-required') return { ...call, verdict: 'asks-first' };
  const { durationMs } = result;
  const answered = ownAnswer(result);
  if (answered === undefined)
    return { ...call, verdict: 'error', now: shown({ text: result.result, isError: true, durationMs }) };
  const isSame = recorded !== undefined && isSameAnswer(recorded, answered);
  return { ...call, verdict: isSame ? 'same' : 'different', now: shown({ ...answered, durationMs }) };
}

function toText({ content, ...answer }: RecordedAnswer): Omit<RecordedAnswer, 'content'> & ComparedAnswer {
  return { ...answer, text: answerText(content) };
}

/** The target's own answer; `undefined` if the call failed for another reason. */
function ownAnswer(run: ToolExecutionResult): ComparedAnswer | undefined {
  const { status, result, content, structuredContent, error } = run;
  const isError = status === 'error';
  if (!isError || content !== undefined)
    return { text: content ? answerText(content) : result, structured: structuredContent, isError };
  const { deviceMessage, frame } = error?.details ?? {};
  if (error?.code === 'tool-error')
    return { text: typeof deviceMessage === 'string' ? deviceMessage : result, isError };
  const message = typeof frame === 'string' ? brokenErrorMessage(frame) : undefined;
  return message === undefined ? undefined : { text: message, isError };
}

/** Structured content is shown below the text, unless it says the same. */
function shown<T extends ComparedAnswer>({ structured, ...answer }: T): Omit<T, 'structured'> {
  const isSame = structured === undefined || isSameAnswer({ ...answer, text: structured }, answer);
  const text = isSame ? answer.text : [answer.text, structured].filter((part) => part !== '').join('\n');
  return { ...answer, text: text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength).toWellFormed()}…` };
}
