import type { ChatCall } from '../../contract/chat.ts';

/** The text of a native call's arguments if they could not be used. The call then goes back to the model without arguments. */
export function unusedArguments({
  argumentsText = '',
  askedArgsJson,
}: Pick<ChatCall, 'argumentsText' | 'askedArgsJson'>): string | undefined {
  return askedArgsJson === '{}' && !/^\s*(?:\{\s*\}\s*)?$/.test(argumentsText) ? argumentsText : undefined;
}
