import { setTimeout as delay } from 'node:timers/promises';

import { McpTool } from '../../deviceSide/mcp/mcpTool.ts';
import type { ToolContent } from '../../deviceSide/mcp/toolContent.ts';
import { parseIntegersExactly } from '../../base/exactNumber.ts';
import { isJsonObject, type JsonValue, type JsonObject } from '../../base/json.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ContentBlock } from '../../base/toolTypes.ts';
import { readTool } from '../devices/session/readTool.ts';
import { firmwareProfile } from '../devices/virtual/firmware/firmwareProfile.ts';
import type { VirtualProfile } from '../devices/virtual/profile.ts';
import { createPyXiaozhiProfile } from '../devices/virtual/pyXiaozhi/pyXiaozhiProfile.ts';
import { canonicalJson } from './canonicalJson.ts';
import type { CaptureFrame } from './captureFrame.ts';
import { mcpPayload } from './mcpPayload.ts';
import { answerText, type RecordedAnswer } from './recordedAnswer.ts';
import { recordedCalls, type RecordedCall } from './recordedCalls.ts';
import { ToolListReader } from './toolListReader.ts';
import type { CaptureInfo } from '../../contract/types.ts';

/** Methods whose frames a profile is made of. */
export const profileMethods = ['initialize', 'tools/list', 'tools/call'] as const;

/** The only argument that callbacks get: all arguments as JSON text. */
const argsText = 'args';

/**
 * A virtual device kind made from a recorded device: it has the same identity and tool list, and returns the recorded
 * answers. It uses py-xiaozhi's dialect if the device identified itself so, the firmware's otherwise. `timing`: answers
 * take as long as recorded.
 * @throws {RequestError} If the capture has no list of tools.
 */
export function captureProfile(
  { device, frames }: { device: CaptureInfo['device']; frames: Iterable<CaptureFrame> },
  { timing = false }: { timing?: boolean } = {},
): VirtualProfile {
  const kept = [...frames];
  const lists = new ToolListReader();
  for (const frame of kept) lists.add(frame);
  const listed = new Map(lists.tools.map((entry) => [String(entry['name']), entry]));
  if (listed.size === 0) {
    throw new RequestError(
      'It has no list of tools, so it cannot run as a device. Record a connection from its hello on.',
    );
  }
  const { name, version } = serverInfo(kept);
  const base = name === 'py-xiaozhi' ? createPyXiaozhiProfile() : firmwareProfile;
  const calls = recordedCalls(kept);
  const names = new Set([...listed.keys(), ...hiddenTools(calls)]);
  // The profile's state lives in its tools, so that two devices of it do not share a place in the recording.
  const createTools = (): McpTool[] => {
    const book = new AnswerBook(calls);
    return [...names].map((name) => recordedTool({ name, book, timing }));
  };
  return {
    id: 'capture',
    board: device.board ?? name ?? base.board,
    firmware: version ?? device.firmware ?? base.firmware,
    wire: base.wire,
    createScheduler: base.createScheduler,
    createTools,
    dialect: {
      ...base.dialect,
      listTools: (tools, params) =>
        base.dialect.listTools(
          tools.flatMap((tool) => {
            const entry = listed.get(tool.name);
            return entry === undefined ? [] : [new ListedEntry(tool, entry)];
          }),
          params,
        ),
      bindArguments: (_, args) => ({ [argsText]: JSON.stringify(args ?? {}) }),
    },
  };
}

/** Tools that were called though they are not listed: boards take such calls (docs/protocols/device-mcp.md). */
function hiddenTools(calls: readonly RecordedCall[]): string[] {
  const isKnown = ({ toolName, answer }: RecordedCall): boolean =>
    toolName !== '' && answer !== undefined && answerText(answer.content) !== `Unknown tool: ${toolName}`;
  return calls.filter(isKnown).map(({ toolName }) => toolName);
}

function recordedTool({ name, book, timing }: { name: string; book: AnswerBook; timing: boolean }): McpTool {
  return new McpTool({
    name,
    description: '',
    callback: async (given, { signal }) => {
      const args = parseIntegersExactly(String(given[argsText]));
      const { answer, otherArgs } = book.answerTo(name, args);
      if (timing && answer.durationMs !== undefined) await delay(answer.durationMs, undefined, { signal });
      return replay(answer, otherArgs);
    },
  });
}

/** A tool as its device listed it: a schema may have more than properties can say. */
class ListedEntry extends McpTool {
  readonly #entry: JsonObject;

  constructor({ name, description, callback }: McpTool, entry: JsonObject) {
    const tool = readTool(entry);
    super({ name, description, callback, userOnly: typeof tool !== 'string' && tool.userOnly });
    this.#entry = entry;
  }

  override toJson(): JsonObject {
    return this.#entry;
  }
}

function replay({ content, isError }: RecordedAnswer, otherArgs: string | undefined): ToolContent[] {
  const blocks = content.flatMap(toContent);
  if (isError) throw new Error(blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n'));
  if (otherArgs === undefined) return blocks;
  return [...blocks, { type: 'text', text: `(Toolwire: this was recorded for the arguments ${otherArgs}.)` }];
}

function toContent(block: ContentBlock): ToolContent[] {
  return block.type === 'resource' ? [] : [block];
}

/** The name that the device sent in its last answer to initialize. */
function serverInfo(frames: readonly CaptureFrame[]): { name?: string; version?: string } {
  const answer = frames.findLast(({ method, role }) => method === 'initialize' && role === 'answer');
  const result = answer && mcpPayload(answer)?.['result'];
  const info = isJsonObject(result) ? result['serverInfo'] : undefined;
  if (!isJsonObject(info)) return {};
  const { name, version } = info;
  return { ...(typeof name === 'string' && { name }), ...(typeof version === 'string' && { version }) };
}

/** A recorded answer. `otherArgs`: it was recorded for these arguments, not for those of the call. */
interface FoundAnswer {
  answer: RecordedAnswer;
  otherArgs?: string;
}

/** A device's recorded answers: the same calls in the same order get the same answers, then the last one again. */
class AnswerBook {
  readonly #byCall = new Map<string, RecordedAnswer[]>();
  readonly #lastByTool = new Map<string, FoundAnswer>();

  constructor(calls: Iterable<RecordedCall>) {
    for (const { toolName, args, answer } of calls) {
      if (answer === undefined) continue;
      const key = keyOf(toolName, args);
      const answers = this.#byCall.get(key);
      if (answers === undefined) this.#byCall.set(key, [answer]);
      else answers.push(answer);
      this.#lastByTool.set(toolName, { answer, otherArgs: JSON.stringify(args).slice(0, 200) });
    }
  }

  /** @throws {Error} If the tool was never called in the recording. */
  answerTo(toolName: string, args: JsonValue): FoundAnswer {
    const answers = this.#byCall.get(keyOf(toolName, args));
    const answer = answers !== undefined && answers.length > 1 ? answers.shift() : answers?.[0];
    const found = answer === undefined ? this.#lastByTool.get(toolName) : { answer };
    if (found !== undefined) return found;
    throw new Error(`The recording has no answer of ${toolName}`);
  }
}

function keyOf(toolName: string, args: JsonValue): string {
  return `${toolName}\n${canonicalJson(args) ?? ''}`;
}
