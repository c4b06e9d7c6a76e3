import { ChunkType, EventChunk, ToolCallChunk, type AnyChunk } from '../chunks.ts';
import { textOf } from '../events/eventFields.ts';
import { realtimeLimits } from '../limits.ts';
import { callItem, outputItem } from './conversationItems.ts';
import { outputText } from './outputText.ts';
import type { EventPurpose } from './sentEvents.ts';
import { ToolRounds, type OpenCall } from './toolRounds.ts';
import { cloneJson } from '../../base/cloneJson.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { roundExact } from '../../base/exactNumber.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { parseArgsJson } from '../../schema/parseArgsJson.ts';

export interface ToolCallsOptions {
  emit: (chunk: AnyChunk) => void;
  sendItem: (item: JsonObject, purpose: EventPurpose) => void;
  /** All outputs of a response are sent: the model may go on. */
  answer: () => void;
}

/** The function calls of a session: which are run, and that each output reaches the model. */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #rounds: ToolRounds;
  #open = false;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
    this.#rounds = new ToolRounds(options.answer);
  }

  /** An item of a response has ended. Runs it once if it is a call that was not cut short; `whole` says so for one without a status. */
  itemDone(item: JsonObject | undefined, responseId: string, { whole = false }: { whole?: boolean } = {}): void {
    if (item === undefined || textOf(item, 'type') !== 'function_call') return;
    if ((textOf(item, 'status') ?? (whole ? 'completed' : '')) !== 'completed') return;
    const callId = textOf(item, 'call_id') ?? '';
    if (this.#rounds.isKnown(callId)) return;
    const name = textOf(item, 'name') ?? '';
    if (callId === '' || callId.length > 200)
      return this.#complain(
        `The model called ${name.slice(0, 64) || 'a tool'} without an id to answer to.`,
        responseId,
      );
    const argumentsText = textOf(item, 'arguments') ?? '';
    const full = this.#rounds.running >= realtimeLimits.runningCalls;
    this.#rounds.open({ callId, name, argumentsText, responseId });
    const read = full
      ? { problem: `${realtimeLimits.runningCalls} tools run already. Wait for their answers.` }
      : readArguments(argumentsText);
    if ('arguments' in read && name !== '')
      return this.#options.emit(new ToolCallChunk({ callId, toolName: name, ...read, responseId }));
    const problem = 'problem' in read ? read.problem : 'The call names no tool.';
    this.#complain(`The call of ${name.slice(0, 64)} was not run. ${problem}`, responseId);
    this.answer(callId, outputText(problem, { isError: true }));
  }

  /** The server has an item in its conversation. */
  itemKnown(item: JsonObject | undefined): void {
    if (textOf(item, 'type') === 'function_call_output') this.#rounds.confirmed(textOf(item, 'call_id') ?? '');
  }

  /** Stores an output and sends it when possible. False if no call of this id waits for one. */
  answer(callId: string, output: string): boolean {
    const call = this.#rounds.waiting(callId);
    if (call === undefined) return false;
    call.output = output;
    if (this.#open) this.#send(call, output);
    return true;
  }

  /** The server does not take this output. */
  refused(callId: string): void {
    this.#rounds.refused(callId);
  }

  responseCreated(responseId: string): void {
    this.#rounds.responseCreated(responseId);
  }

  responseDone(responseId: string, status: string): void {
    this.#rounds.responseDone(responseId, status);
  }

  silence(): void {
    this.#rounds.silence();
  }

  lost(): void {
    this.#open = false;
    this.#rounds.lost();
  }

  /** Tells a new session every call that the model has had no whole answer to. */
  tellAgain(): void {
    for (const call of this.#rounds.unsettled()) this.#options.sendItem(callItem(call), { kind: 'history' });
  }

  /** Outputs may go out: those that wait do. */
  open(): void {
    this.#open = true;
    for (const call of this.#rounds.unsettled())
      if (call.output !== undefined && !call.sent) this.#send(call, call.output);
  }

  #send(call: OpenCall, output: string): void {
    this.#options.sendItem(outputItem(call.callId, output), { kind: 'output', callId: call.callId });
    this.#rounds.sent(call);
  }

  #complain(detail: string, responseId: string): void {
    this.#options.emit(new EventChunk({ type: ChunkType.EVENT_ERROR, detail, responseId }));
  }
}

/** The arguments that a model wrote, as `ToolCallChunk` has them, or what to tell it instead. Never throws; keys are data, `__proto__` too. */
function readArguments(text: string): Pick<ToolCallChunk, 'arguments' | 'argumentsJson'> | { problem: string } {
  if (text.length > realtimeLimits.argumentCharacters)
    return { problem: `The arguments are more than ${realtimeLimits.argumentCharacters} characters. Write fewer.` };
  let parsed: JsonObject;
  try {
    parsed = parseArgsJson(text);
  } catch (error) {
    return { problem: describeThrown(error) };
  }
  const cloned = cloneJson(parsed);
  if ('problem' in cloned) return { problem: `The arguments cannot be used: ${cloned.problem}.` };
  // Rounded once their depth is known.
  const args = roundExact(cloned.value);
  if (!isJsonObject(args)) return { problem: 'The arguments are not an object.' };
  return { arguments: args, argumentsJson: JSON.stringify(cloned.value) };
}
