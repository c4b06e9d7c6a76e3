import { findOfferedTool } from '../../registry/findOfferedTool.ts';
import { isJsonObject } from '../../base/json.ts';
import type { JsonValue } from '../../base/json.ts';
import type { ChatReply, ChatRequest } from './chatModel.ts';
import { exampleArguments, pickClientTool } from './pickClientTool.ts';
import type { PickedTurn } from './pickTurn.ts';

/** Characters that one placeholder may bring. */
const maxFilled = 20_000;

/**
 * A turn as a reply to this request: `{{last_message}}` is the last message's text, `{{0}}` the match of `when.matches`,
 * `{{1}}` to `{{9}}` its groups. Placeholders stand in `text`, `reasoning` and in texts inside
 * `arguments`; a call named `{{client_tool}}` is of the client's own tool.
 */
export function fillTurn({ turn, groups }: PickedTurn, { messages, tools = [] }: ChatRequest): ChatReply {
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
      const args = call.arguments ?? (meant === undefined ? {} : exampleArguments(meant));
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
