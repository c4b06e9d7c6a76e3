import type { ToolExecutionResult } from '../tools/calls.ts';
import type { ContentBlock } from '../tools/types.ts';
import type { ChatCall } from './entries.ts';

/**
 * What the model is told of a call: its result under the model's own id and the full name of the method. Where a person
 * changed the arguments it is told so, and that an answer had pictures or sounds, which it does not get.
 */
export function callFeedback({
  requestId,
  toolName,
  command,
  qualifiedName,
  edited,
  argsJson,
  result,
}: ChatCall): ToolExecutionResult | undefined {
  if (result === undefined) return undefined;
  const { content, ...rest } = result;
  const notes = [
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

/** What the model is told where it made more calls than one reply may; empty where it did not. */
export function skippedNote(skippedCalls: number | undefined): string {
  return skippedCalls === undefined ? '' : `(${skippedCalls} more calls of this reply were too many and were not run.)`;
}

/** JSON text of the arguments as the model meant them, for writing its call in another protocol: with their types, where those are known. */
export function argsAsAsked({ edited, askedArgsJson, argsJson }: ChatCall): string {
  return edited === true ? askedArgsJson : argsJson;
}
