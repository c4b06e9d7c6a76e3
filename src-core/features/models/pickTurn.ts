import { findOfferedTool } from '../../registry/findOfferedTool.ts';
import { ChatModelError } from './chatModel.ts';
import type { ChatMessage } from '../../contract/chatMessages.ts';
import type { ChatRequest } from './chatModel.ts';
import type { ModelScript, ScriptCondition, ScriptTurn } from '../../contract/modelInfo.ts';

/** The turn that answers a request, and the values of its placeholders. */
export interface PickedTurn {
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
export function pickTurn(script: ModelScript, request: ChatRequest): PickedTurn {
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
  const { matches } = when;
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
