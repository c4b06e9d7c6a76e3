import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import type { MethodTexts, ToolChanges, ToolErrorInfo, ToolPrompt } from './types.ts';
import { chatProtocol } from './chat.ts';
import { id, nothing } from './fields.ts';

export const tools = {
  /** Answers once no tool of the modules folder is still to come: the window is there before them. */
  whenLoaded: oc.output(nothing),
  /** What has changed since the last answer, everything if there was none; a bounded part at a time. */
  changes: oc.input(z.strictObject({ since: id.optional() })).output(type<ToolChanges>()),
  texts: oc.input(z.strictObject({ toolId: id, methodName: id })).output(type<MethodTexts>()),
  /** Loads the file of a module again; answers once it has loaded or failed. */
  reload: oc.input(z.strictObject({ toolId: id })).output(nothing),
  /** The executor's error if a call of this name finds no method; absent if it finds one. */
  missing: oc
    .input(z.strictObject({ toolName: z.string().max(1024) }))
    .output(type<{ error?: ToolErrorInfo | undefined }>()),
  /** What a new chat sends about the tools, by the saved ToolCallConfig. */
  prompt: oc.input(z.strictObject({ protocol: chatProtocol.optional() })).output(type<ToolPrompt>()),
};
