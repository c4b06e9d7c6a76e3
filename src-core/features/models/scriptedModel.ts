import { systemClock, type Clock } from '../../base/clock.ts';
import { createWorkBudget, TooMuchWorkError } from '../../base/workBudget.ts';
import { ChatModelError, type ChatModel, type ChatPart, type ChatReply, type ChatRequest } from './chatModel.ts';
import type { ChatMessage, ChatTool } from '../../contract/chatMessages.ts';
import type { ModelScript, ScriptCondition, ScriptTurn } from '../../contract/modelInfo.ts';
import { startStepLimits } from './stepLimits.ts';
import { findOfferedTool } from '../../registry/findOfferedTool.ts';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { exampleArguments } from '../../registry/exampleValue.ts';

export interface ScriptedModelOptions {
  /** As `readModelScript` gives it. */
  script: ModelScript;
  /** For people. */
  name?: string;
  clock?: Clock;
}

/** The chat model that needs no network: it says what its script says, and the same to the same request. */
export function createScriptedModel(options: ScriptedModelOptions): ChatModel {
  const { script, name = 'Scripted model', clock = systemClock } = options;
  return {
    name,
    async generate(request) {
      const limits = startStepLimits({ totalMs: request.totalMs, signal: request.signal, clock });
      try {
        const picked = pick(script, request);
        await delay(picked.turn.delayMs ?? 0, limits.signal, clock);
        const failure = limits.failure();
        if (failure !== undefined) throw failure;
        if (picked.turn.error !== undefined) throw scriptedError(picked);
        const reply = fillTurn(picked, request);
        for (const part of partsOf(reply)) request.onPart?.(part);
        return reply;
      } finally {
        limits.end();
      }
    },
  };
}

function pick(script: ModelScript, request: ChatRequest): PickedTurn {
  if (!script.turns.some(({ when }) => when?.matches !== undefined || when?.asked !== undefined))
    return pickTurn(script, request);
  try {
    return createWorkBudget().run(() => pickTurn(script, request));
  } catch (error) {
    if (!(error instanceof TooMuchWorkError)) throw error;
    throw new ChatModelError('script', 'A pattern of the script ("matches") took too long. Make it simpler.', {
      cause: error,
    });
  }
}

/** Resolves after so many ms, or at once when the step ends. */
async function delay(ms: number, signal: AbortSignal, clock: Clock): Promise<void> {
  if (ms === 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const stop = clock.after(ms, resolve);
    signal.addEventListener('abort', () => {
      stop();
      resolve();
    });
  });
}

function scriptedError({ turn, index }: PickedTurn): ChatModelError {
  const { code = 'answer', message = '' } = turn.error ?? {};
  return new ChatModelError(code, message, { details: { turn: `turns[${index}]` } });
}

/** A reply as it would stream: word by word. */
function* partsOf({ text, reasoning = '', toolCalls }: ChatReply): Generator<ChatPart> {
  for (const piece of words(reasoning)) yield { type: 'reasoning', text: piece };
  for (const piece of words(text)) yield { type: 'text', text: piece };
  for (const call of toolCalls) yield { type: 'tool-call', call };
}

function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** Characters that one placeholder may bring. */
const maxFilled = 20_000;

/**
 * A turn as a reply to this request: `{{last_message}}` is the last message's text, `{{0}}` the match of `when.matches`,
 * `{{1}}` to `{{9}}` its groups. Placeholders stand in `text`, `reasoning` and in texts inside
 * `arguments`; a call named `{{client_tool}}` is of the client's own tool.
 */
function fillTurn({ turn, groups }: PickedTurn, { messages, tools = [] }: ChatRequest): ChatReply {
  const last = messages.at(-1)?.content ?? '';
  const fill = (text: string): string =>
    text.replace(/\{\{(?:(last_message)|(\d))\}\}/g, (whole, isLast, digit) =>
      (isLast === undefined ? (groups[Number(digit)] ?? whole) : last).slice(0, maxFilled),
    );
  const { text = '', reasoning, toolCalls = [], finishReason, usage } = turn;
  return {
    text: fill(text),
    ...(reasoning !== undefined && { reasoning: fill(reasoning) }),
    toolCalls: toolCalls.map((call, index) => {
      const meant = call.name === '{{client_tool}}' ? pickClientTool(last, tools) : undefined;
      const name = meant?.name ?? findOfferedTool(call.name, tools)?.name ?? call.name;
      const args = call.arguments ?? (meant === undefined ? {} : exampleArguments(meant.parameters));
      return {
        // Never given out before in this conversation: each reply makes it longer.
        id: `scripted_${messages.length}_${index}`,
        name,
        argumentsText: typeof args === 'string' ? args : JSON.stringify(fillValue(args, fill)),
      };
    }),
    finishReason: finishReason ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop'),
    ...(usage && { usage }),
  };
}

function fillValue(value: JsonValue, fill: (text: string) => string): JsonValue {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((item) => fillValue(item, fill));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, fill)]));
}

/** Characters of a question, and of a description, that are compared. */
const maxCompared = 2_000;

/** The client's own tool that a question names by most of its words; the newest if it names none. */
function pickClientTool(question: string, tools: readonly ChatTool[]): ChatTool | undefined {
  const asked = wordsOf(question);
  let best: ChatTool | undefined;
  let most = -1;
  for (const tool of tools) {
    if (!tool.isClients) continue;
    const words = wordsOf(`${tool.name} ${tool.description}`);
    const shared = [...asked].filter((word) => words.has(word)).length;
    if (shared >= most) [best, most] = [tool, shared];
  }
  return best;
}

/** Words of three letters or more, and pairs of Chinese characters. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [run] of text
    .slice(0, maxCompared)
    .toLowerCase()
    .matchAll(/\p{Script=Han}+|[a-z]{3,}/gu)) {
    if (/[a-z]/.test(run)) words.add(run);
    else for (let at = 0; at + 2 <= run.length; at += 1) words.add(run.slice(at, at + 2));
  }
  return words;
}

/** The turn that answers a request, and the values of its placeholders. */
interface PickedTurn {
  turn: ScriptTurn;
  /** Its place in the script's list. */
  index: number;
  /** The match of `when.matches` and its groups; empty without one. */
  groups: string[];
}

/** Characters of a message that conditions check. */
const maxLooked = 100_000;

/**
 * Picks the turn for a request: the first whose `when` matches; else the next without one. Which is next depends only
 * on the conversation in the request, so that the same request always has the same answer.
 * @throws {ChatModelError} `script` if there is none.
 */
function pickTurn(script: ModelScript, request: ChatRequest): PickedTurn {
  const numbered = script.turns.map((turn, index) => ({ turn, index }));
  const rules = numbered.filter(({ turn }) => turn.when !== undefined);
  const plain = numbered.filter(({ turn }) => turn.when === undefined);
  const byRule = (messages: readonly ChatMessage[]): PickedTurn | undefined => {
    for (const { turn, index } of rules) {
      const groups = fit(turn.when ?? {}, { ...request, messages });
      if (groups !== undefined) return { turn, index, groups };
    }
    return undefined;
  };

  const fitting = byRule(request.messages);
  if (fitting !== undefined) return fitting;
  if (plain.length === 0) throw nothingFits(rules.length, request);
  const given = request.messages.filter(
    ({ role }, at) => role === 'assistant' && byRule(request.messages.slice(0, at)) === undefined,
  ).length;
  const next = plain[script.atEnd === 'repeat' ? given % plain.length : given];
  if (next === undefined) throw atEnd(script.turns.length, given);
  return { ...next, groups: [] };
}

/** The match and its groups if every condition holds; an empty list if there is no pattern. */
function fit(when: ScriptCondition, { messages, tools = [] }: ChatRequest): string[] | undefined {
  const last = messages.at(-1);
  const text = last?.content.slice(0, maxLooked) ?? '';
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  if (when.role !== undefined && when.role !== last?.role) return undefined;
  if (when.contains !== undefined && !has(text, when.contains)) return undefined;
  const wanted = when.system;
  if (wanted !== undefined && !system.some((content) => has(content, wanted))) return undefined;
  if (when.tool !== undefined && findOfferedTool(when.tool, tools) === undefined) return undefined;
  if (when.clientTool === true && !tools.some(({ isClients }) => isClients)) return undefined;
  const { matches, asked } = when;
  const first = messages.find(({ role }) => role === 'user')?.content.slice(0, maxLooked) ?? '';
  if (asked !== undefined && !new RegExp(asked, 'iu').test(first)) return undefined;
  if (matches === undefined) return [];
  const match = new RegExp(matches, 'iu').exec(text);
  return match === null ? undefined : [...match].map((group) => group ?? '');
}

function has(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

function nothingFits(count: number, { messages }: ChatRequest): ChatModelError {
  const last = messages.at(-1);
  const shown = JSON.stringify(last?.content.slice(0, 80) ?? '');
  return new ChatModelError(
    'script',
    `No turn of the script fits: all ${count} have conditions, and none holds for the last message (${last?.role ?? 'none'}: ${shown}). ` +
      'Add a turn without "when", or one that fits.',
  );
}

function atEnd(length: number, given: number): ChatModelError {
  return new ChatModelError(
    'script',
    `The script is at its end: reply ${given + 1} of this conversation has no turn. ` +
      `Add turns[${length}], or set "atEnd" to "repeat".`,
    { details: { missing: `turns[${length}]` } },
  );
}
