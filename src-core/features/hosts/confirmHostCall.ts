import { ToolError } from '../../base/errors.ts';
import { visibleLine } from '../../base/hiddenCharacters.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { undecided } from '../../engine/confirmCall.ts';
import type { Confirmation, PendingCall } from '../../engine/executionOptions.ts';
import type { CallHost } from '../../registry/types.ts';
import type { CallQuestions } from '../calls/callQuestions.ts';
import type { CallingHost } from './hostServer.ts';

/** Characters of the host's question. A longer one is asked in the window only, because the user must see all of it. */
const maxQuestion = 10_000;

/**
 * Asks about a call of a host: the host's user, if the host supports forms, and our windows, if any is open. The first
 * yes or no counts; a question that is dismissed or runs out of time leaves the decision to the other.
 * @throws {ToolError} `confirmation-required` if the user cannot be asked, `not-authorized` if no answer arrives in time.
 */
export async function confirmHostCall(options: {
  pending: PendingCall;
  caller: CallingHost;
  host: CallHost;
  toolName: string;
  /** Asks in the windows. Undefined if none is open. */
  askWindow: CallQuestions['ask'] | undefined;
}): Promise<Confirmation> {
  const { pending, caller, host, toolName, askWindow } = options;
  const message = questionText({ pending, caller, toolName });
  const fits = message.length <= maxQuestion;
  const elicit = fits ? host.elicit : undefined;
  if (elicit === undefined && askWindow === undefined) throw cannotConfirm(toolName, { danger: pending.danger, fits });
  const settled = new AbortController();
  const signal = AbortSignal.any([pending.signal, settled.signal]);
  try {
    // If the host fails to show the form, the window decides.
    return await Promise.any([
      ...(elicit === undefined ? [] : [elicit(formOf(message), { signal }).then(readAnswer)]),
      ...(askWindow === undefined
        ? []
        : [askWindow({ toolName, args: pending.args }, { ...pending, signal }, caller.name)]),
    ]);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors.at(-1) : error;
  } finally {
    // Withdraws the other question.
    settled.abort(new ToolError('cancelled', 'The call was decided elsewhere.'));
  }
}

/** One fact a line: no name can add a line, and hidden characters are codes. */
function questionText(of: { pending: PendingCall; caller: CallingHost; toolName: string }): string {
  const { pending, caller, toolName } = of;
  return [`${caller.name} wants to call ${toolName}.`, pending.danger, `Arguments: ${JSON.stringify(pending.args)}`]
    .flatMap((line) => (line === undefined ? [] : [visibleLine(line)]))
    .join('\n');
}

function formOf(message: string): JsonObject {
  return {
    mode: 'form',
    message,
    requestedSchema: {
      type: 'object',
      properties: {
        run: { type: 'boolean', title: 'Run this call', description: 'Tick to let it run.', default: false },
      },
      required: ['run'],
    },
  };
}

/** The host's answer is untrusted: only an explicit yes runs the call. Throws if the question was dismissed: some hosts dismiss all questions. */
function readAnswer({ action, content }: JsonObject): Confirmation {
  if (action === 'accept' && isJsonObject(content) && content['run'] === true) return true;
  if (action === 'cancel') throw undecided('The question was dismissed.');
  return false;
}

function cannotConfirm(
  toolName: string,
  { danger = 'Calls have to be confirmed before they run.', fits }: { danger: string | undefined; fits: boolean },
): ToolError {
  const why = fits
    ? 'this host does not support forms (elicitation)'
    : 'the arguments are too long for a form of this host';
  return new ToolError(
    'confirmation-required',
    `${danger} "${toolName}" runs only after it is confirmed, and the user cannot be asked: ${why}, ` +
      'and no window of Toolwire is open. Open Toolwire and repeat the call; the question appears there.',
  );
}
