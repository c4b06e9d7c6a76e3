import { isSafeNumber, parse } from 'lossless-json';

import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { ChatModelError, type ChatModel, type ChatReply } from './chatModel.ts';
import type { ChatToolCall } from '../../contract/chatMessages.ts';
import type { ModelScript, ScriptToolCall, ScriptTurn } from '../../contract/modelInfo.ts';

/** A model whose steps are recorded. */
export interface RecordingModel extends ChatModel {
  /** The steps so far as a script without conditions, in the order in which they were asked for. */
  script: () => ModelScript;
}

/** As many turns as a script may have. */
const maxTurns = 1_000;

/** Wraps a model and records its replies and failures as a script for the scripted model. */
export function recordModel(model: ChatModel): RecordingModel {
  const turns: (ScriptTurn | undefined)[] = [];
  return {
    name: model.name,
    async generate(request) {
      const place = turns.length < maxTurns ? turns.push(undefined) - 1 : undefined;
      const keep = (turn: ScriptTurn | undefined): void => {
        if (place !== undefined) turns[place] = turn;
      };
      try {
        const reply = await model.generate(request);
        keep(turnOf(reply));
        return reply;
      } catch (error) {
        keep(errorTurn(error));
        throw error;
      }
    },
    script: () => ({ turns: turns.filter((turn) => turn !== undefined) }),
  };
}

function turnOf({ text, reasoning, toolCalls, finishReason, usage }: ChatReply): ScriptTurn {
  const usual = toolCalls.length > 0 ? 'tool-calls' : 'stop';
  return {
    ...(text !== '' && { text }),
    ...(reasoning !== undefined && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls: toolCalls.map(callOf) }),
    ...(finishReason !== usual && { finishReason }),
    ...(usage && { usage }),
  };
}

/** An object if it is equivalent to the text; the text if it is invalid or has numbers that JavaScript rounds. */
function callOf({ name, argumentsText }: ChatToolCall): ScriptToolCall {
  try {
    const value = parse(argumentsText, undefined, exactNumber) as JsonValue;
    return { name, arguments: isJsonObject(value) ? value : argumentsText };
  } catch {
    return { name, arguments: argumentsText };
  }
}

function exactNumber(source: string): number {
  if (!isSafeNumber(source)) throw new RangeError(`${source} would be rounded`);
  return Number(source);
}

function errorTurn(error: unknown): ScriptTurn | undefined {
  if (!(error instanceof ChatModelError) || error.code === 'cancelled' || error.code === 'script') return undefined;
  return { error: { code: error.code, message: error.message } };
}
