import { findOfferedTool } from '../../registry/findOfferedTool.ts';
import type { RealtimeFault, RealtimeScript, RealtimeScriptTurn } from '../../base/realtimeTypes.ts';
import type { SessionSettings } from './dialects.ts';

/** What all connections of a server share: which turn a call belongs to, so that its output counts after a reconnect. */
export interface SharedTurns {
  calls: Map<string, number>;
  /** Turns whose connection was dropped already: it is dropped once. */
  dropped: Set<number>;
}

/** A turn and its index in the script. */
export interface PlacedTurn {
  turn: RealtimeScriptTurn;
  index: number;
}

/** What one response says and which tools it calls. */
export interface ResponsePlan {
  say: string;
  calls: { name: string; argumentsText: string }[];
  fault: RealtimeFault | undefined;
  /** The turn that the response belongs to; undefined after the end of the script. */
  placed: PlacedTurn | undefined;
}

const maxCalls = 1_000;
/** Characters of an output that are said. */
const maxOutput = 600;

/** The position of one connection in the script. */
export class ScriptTurns {
  readonly #script: RealtimeScript | undefined;
  readonly #shared: SharedTurns;
  readonly #settings: () => SessionSettings;
  #position = 0;
  #answered: { index: number; output: string } | undefined;

  /** Without a script: the default one, in the language of the session's instructions. */
  constructor(script: RealtimeScript | undefined, shared: SharedTurns, settings: () => SessionSettings) {
    this.#script = script;
    this.#shared = shared;
    this.#settings = settings;
  }

  /** The next turn; undefined at the end of a script that is silent then. */
  peek(): PlacedTurn | undefined {
    const { turns, atEnd = 'repeat' } = this.#currentScript;
    const index = atEnd === 'repeat' ? this.#position % turns.length : this.#position;
    const turn = turns[index];
    return turn === undefined ? undefined : { turn, index };
  }

  /** The next response: what follows the outputs that came, or the next turn. */
  planNext(offered: SessionSettings['tools']): ResponsePlan {
    const answered = this.#answered;
    this.#answered = undefined;
    const turn = answered && this.#currentScript.turns[answered.index];
    if (answered !== undefined && turn !== undefined) {
      const said = (turn.then ?? '').replaceAll('{{output}}', () => textOf(answered.output).slice(0, maxOutput));
      return { say: said, calls: [], fault: undefined, placed: { turn, index: answered.index } };
    }
    const placed = this.peek();
    this.#position += 1;
    if (placed === undefined) return { say: '', calls: [], fault: undefined, placed };
    const fault = placed.turn.fault === 'drop-socket' && !this.#drops(placed.index) ? undefined : placed.turn.fault;
    return { ...this.#planTurn(placed.turn, offered), fault, placed };
  }

  /** A response of this turn has made a call. */
  noteCall(callId: string, index: number): void {
    const { calls } = this.#shared;
    calls.set(callId, index);
    const [oldest] = calls.keys();
    if (calls.size > maxCalls && oldest !== undefined) calls.delete(oldest);
  }

  /** An output came; the turn continues with its first one. */
  noteOutput(callId: string, output: string): void {
    const index = this.#shared.calls.get(callId);
    if (index === undefined || this.#answered?.index === index) return;
    this.#answered = { index, output };
    // After a reconnect: the turn began on the previous connection.
    if (this.#position === 0) this.#position = index + 1;
  }

  /** The user says something else: the turn does not continue with the outputs. */
  noteUserInput(): void {
    this.#answered = undefined;
  }

  get #isChinese(): boolean {
    return /\p{Script=Han}/u.test(this.#settings().instructions);
  }

  get #currentScript(): RealtimeScript {
    return this.#script ?? (this.#isChinese ? defaultScriptChinese : defaultScript);
  }

  /** Its words, and its calls as far as their tools are offered. */
  #planTurn({ say = '', calls = [], fault }: RealtimeScriptTurn, offered: SessionSettings['tools']) {
    const planned = calls.flatMap(({ name, arguments: args = {} }) => {
      const tool = findOfferedTool(name, offered);
      if (tool === undefined) return [];
      const text = typeof args === 'string' ? args : JSON.stringify(args);
      return [{ name: tool.name, argumentsText: fault === 'broken-arguments' ? text.slice(0, -1) : text }];
    });
    if (calls.length === 0 || planned.length > 0) return { say, calls: planned };
    const names = calls.map(({ name }) => name);
    const missing = this.#isChinese
      ? `我想调用 ${names.join('、')}，但会话里没有这个工具。请在工具里选上它。`
      : `I would call ${names.join(', ')}, but no such tool is offered to me. Choose it under Tools.`;
    return { say: say === '' ? missing : `${say} ${missing}`, calls: [] };
  }

  /** True the first time for a turn. */
  #drops(index: number): boolean {
    if (this.#shared.dropped.has(index)) return false;
    this.#shared.dropped.add(index);
    return true;
  }
}

/** A JSON string without its quotes. */
function textOf(output: string): string {
  try {
    const value: unknown = JSON.parse(output);
    return typeof value === 'string' ? value : output;
  } catch {
    return output;
  }
}

/** Tools of a clock or of a board: the one that is offered is called. */
const defaultCalls = [{ name: 'get_time' }, { name: 'get_current_time' }, { name: 'get_device_status' }];

const defaultScript: RealtimeScript = {
  turns: [
    {
      say:
        'Hello, I am the scripted realtime server. I need no network and hear only that you speak, not what. ' +
        'Say or type something, and I call a tool.',
    },
    { say: 'One moment, I look.', calls: defaultCalls, then: 'The tool answered: {{output}}' },
  ],
};

const defaultScriptChinese: RealtimeScript = {
  turns: [
    {
      say: '你好，我是脚本实时服务器。我不需要网络，只知道你在说话，听不懂内容。再说一句或输入文字，我就调用一个工具。',
    },
    { say: '请稍等，我看一下。', calls: defaultCalls, then: '工具的结果是：{{output}}' },
  ],
};
