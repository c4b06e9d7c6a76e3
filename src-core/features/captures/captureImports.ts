import type {
  RealtimeSessionInfo,
  RealtimeTimelineItem,
  RealtimeTranscriptEntry,
} from '../../contract/types/realtime.ts';
import { readCaptureFrame, readConversationFrame, readGatewayCaptureFrame, type CaptureFrame } from './captureFrame.ts';
import { readServerCaptureFrame } from './mcp/serverCaptureFrame.ts';
import type { CaptureOrigin } from '../../contract/types.ts';
import { readCaptureHeader } from './captureHeader.ts';
import { isCallRequest } from './recordedCalls.ts';
import { ToolListReader } from './toolListReader.ts';
import type { Frame } from '../../contract/frames.ts';
import type { CaptureStore } from '../../store/frameTypes.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { RequestError } from '../../base/requestError.ts';
import { checkConversationPart, checkTimes } from '../realtime/log/conversationSchemas.ts';

/** Files on their way in. */
export interface CaptureImports {
  /** The next part of a file, or the first. A line that is wrong takes the whole import back. */
  take(part: {
    name: string;
    text: string;
    captureId?: string | undefined;
  }): Promise<{ captureId: string; frames: number }>;
}

interface Import {
  deviceId: string;
  origin: CaptureOrigin | undefined;
  /** Epoch ms of the conversation's beginning. */
  startedAt: number;
  /** Lines read. */
  line: number;
  lastSeq: number;
  frames: number;
  size: number;
  calls: number;
  lists: ToolListReader;
}

const maxFrames = 1_000_000;

/** Imports that may go on; nobody says when a file has ended, so the oldest is taken for done. */
const maxOpen = 8;

/** Reads captures in, part by part. */
export function createCaptureImports(options: {
  captures: CaptureStore;
  limitMb: () => number;
  onChange: () => void;
}): CaptureImports {
  const { captures, limitMb, onChange } = options;
  const open = new Map<string, Import>();

  async function begin(name: string, headerLine: string): Promise<string> {
    const header = readCaptureHeader(headerLine.replace(/^\ufeff/, ''));
    const { origin, device } = header;
    const conversation = origin === 'realtime' ? readConversation(header.about) : undefined;
    const id = await captures.create({
      name,
      createdAt: Date.now(),
      exportedAt: header.exportedAt,
      device,
      ...(origin && { origin }),
      ...(conversation && { about: conversation as unknown as JsonObject }),
    });
    open.set(id, {
      deviceId: device.deviceId,
      origin,
      line: 1,
      lastSeq: -1,
      frames: 0,
      size: 0,
      startedAt: conversation?.startedAt ?? 0,
      calls: conversation?.counts.calls ?? 0,
      lists: new ToolListReader(),
    });
    const [oldest] = open.keys();
    if (open.size > maxOpen && oldest !== undefined) open.delete(oldest);
    return id;
  }

  async function append(id: string, lines: readonly string[]): Promise<number> {
    const state = open.get(id);
    // The user may have removed it meanwhile.
    if (state === undefined || (await captures.get(id)) === undefined)
      throw wrong('This import is not under way. Begin again with the first part of the file.', 'captureId');
    try {
      const frames = readLines(state, lines);
      const { size, calls, lists } = state;
      await captures.append(id, { frames, size, callCount: calls, toolCount: lists.tools.length });
      if ((await captures.bytes()) > limitMb() * 1_000_000) {
        throw wrong(
          `All captures together would take more than ${limitMb()} MB. Remove one, or raise the limit for logs in the settings.`,
        );
      }
      return state.frames;
    } catch (error) {
      open.delete(id);
      await captures.remove(id);
      throw error;
    }
  }

  return {
    async take({ name, text, captureId }) {
      const lines = text.split('\n');
      if (lines.at(-1) === '') lines.pop();
      const id = captureId ?? (await begin(name, lines.shift() ?? ''));
      try {
        return { captureId: id, frames: await append(id, lines) };
      } finally {
        onChange();
      }
    },
  };
}

function readLines(state: Import, lines: readonly string[]): Frame[] {
  const { origin: source = 'device', deviceId: connection } = state;
  const frames: Frame[] = [];
  for (const line of lines) {
    state.line += 1;
    if (line.trim() === '') continue;
    const frame = readers[source](line, state.line, state.startedAt);
    if (frame.seq <= state.lastSeq)
      throw wrong(`Line ${state.line} of the capture cannot be read: "seq" must be larger than on the line before.`);
    state.lastSeq = frame.seq;
    state.frames += 1;
    if (state.frames > maxFrames) throw wrong(`A capture may have ${maxFrames} frames; this one has more.`);
    state.size += frame.text?.length ?? 0;
    countCalls(state, frame);
    frames.push({ source, connection, ...frame });
  }
  return frames;
}

const readers = {
  device: readCaptureFrame,
  gateway: readGatewayCaptureFrame,
  realtime: readCheckedFrame,
  mcp: readServerCaptureFrame,
} as const;

function readConversation(about: JsonValue | undefined): RealtimeSessionInfo {
  const conversation = checkConversationPart('conversation', about, 1);
  const { startedAt, closedAt } = conversation;
  checkTimes({ 'conversation.closedAt': closedAt }, { startedAt, line: 1 });
  return conversation;
}

/** A frame of a conversation; the text of its notes is checked, since the window shows it, and has known fields only. */
function readCheckedFrame(line: string, number: number, startedAt: number): CaptureFrame {
  const frame = readConversationFrame(line, number);
  const { at, kind, type, text = '' } = frame;
  const place = { startedAt, line: number };
  checkTimes({ at }, place);
  if (kind !== 'note' || (type !== 'transcript' && type !== 'timeline')) return frame;
  let read: JsonValue;
  try {
    read = JSON.parse(text) as JsonValue;
  } catch {
    throw wrong(`Line ${number} of the capture cannot be read: the "text" of a ${type} must be JSON.`);
  }
  const part = checkPart(type, read, place);
  return { ...frame, text: JSON.stringify(part) };
}

function checkPart(
  type: 'transcript' | 'timeline',
  read: JsonValue,
  place: { startedAt: number; line: number },
): RealtimeTranscriptEntry | RealtimeTimelineItem {
  if (type === 'transcript') {
    const entry = checkConversationPart(type, read, place.line);
    checkTimes({ 'transcript.at': entry.at }, place);
    return entry;
  }
  const item = checkConversationPart(type, read, place.line);
  checkTimes({ 'timeline.from': item.from, 'timeline.to': item.to }, place);
  return item;
}

/** Calls of a conversation are counted in its header. */
function countCalls(state: Import, frame: CaptureFrame): void {
  if (state.origin === 'gateway') state.calls += frame.type === 'tool_callback' || frame.type === 'tool_call' ? 1 : 0;
  if (state.origin !== undefined && state.origin !== 'mcp') return;
  if (isCallRequest(frame)) state.calls += 1;
  state.lists.add(frame);
}

function wrong(message: string, field = 'text'): RequestError {
  return new RequestError(message, { field });
}
