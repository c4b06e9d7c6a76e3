import type { ToolExecutionResult } from '../../base/calls.ts';
import type { ContentBlock } from '../../base/toolTypes.ts';
import type { ChatAssistantEntry, ChatCall } from '../../contract/chat.ts';
import { unusedArguments } from './unusedArguments.ts';

/** Characters of refused arguments that are sent to the model. */
const maxArgumentsLength = 8_000;

/**
 * The feedback on a call for the model: its result under the model's own id and the full name of the method. It
 * includes the arguments that could not be used, since the call is sent back without them. It also notes that the user
 * changed the arguments, and that an answer had pictures or sounds, which the model does not get.
 */
export function callFeedback(call: ChatCall): ToolExecutionResult | undefined {
  const { requestId, toolName, command, qualifiedName, edited, argsJson, result } = call;
  if (result === undefined) return undefined;
  const { content, ...rest } = result;
  const unused = unusedArguments(call);
  const notes = [
    unused === undefined ? '' : `(The call was written with these arguments: ${shorten(unused)})`,
    edited === true ? `(The user changed the arguments to ${argsJson} before the call ran.)` : '',
    content === undefined ? '' : notSent(content),
  ];
  const text = [...notes, result.result].filter((part) => part !== '').join('\n');
  const name = qualifiedName ?? (command === undefined ? toolName : `${toolName}_${command}`);
  return { ...rest, requestId, toolName: name, result: text };
}

function notSent(content: readonly ContentBlock[]): string {
  const media = content.flatMap((block) => (block.type === 'image' || block.type === 'audio' ? [block.mimeType] : []));
  return media.length === 0 ? '' : `(The answer came with ${media.join(', ')}, shown to the user.)`;
}

function shorten(text: string): string {
  const rest = text.length - maxArgumentsLength;
  if (rest <= 0) return text;
  return `${text.slice(0, maxArgumentsLength).toWellFormed()}… (${rest.toLocaleString('en')} more characters are left out)`;
}

/** The parts of a reply that are reported to the model besides the results of its calls. */
type NotedReply = Pick<ChatAssistantEntry, 'calls' | 'skippedCalls' | 'finishReason'>;

/**
 * The feedback on calls that have no result: there were more than one reply may make, or the reply was cut within one.
 * Empty if there are none. `showsAll`: the model sees its reply with the calls that were too many.
 */
export function replyNote(
  { calls, skippedCalls, finishReason }: NotedReply,
  { showsAll }: { showsAll: boolean },
): string {
  const skipped = skippedCalls === undefined ? '' : skippedNote(skippedCalls, showsAll);
  const isToldByCall = calls.some(({ result }) => result?.error?.details?.['finishReason'] === 'length');
  const cut =
    calls.length > 0 && finishReason === 'length' && !isToldByCall
      ? '(This reply was cut at its limit of tokens. A call that it had not completed was not run.)'
      : '';
  return [skipped, cut].filter((note) => note !== '').join('\n');
}

function skippedNote(count: number, showsAll: boolean): string {
  const were = `(${count} more calls of this reply were too many`;
  return showsAll ? `${were} and were not run.)` : `${were}: they were not run and are not shown here.)`;
}

/** JSON text of the arguments, with their types if known, for writing the call in another protocol. */
export function argsAsAsked({ edited, askedArgsJson, argsJson }: ChatCall): string {
  return edited === true ? askedArgsJson : argsJson;
}
