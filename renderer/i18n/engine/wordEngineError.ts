import { ORPCError } from '@orpc/client';

import type { ApiErrorData } from '../../../src-core/contract/types.ts';
import { loadMessages, textOf } from '../textOf.ts';
import { loadEngineTexts, wordEngine } from './wordEngine.ts';

/** The same error with its message in the window's language; for a wrong input, with the name of each field. */
export async function wordEngineError(error: unknown): Promise<unknown> {
  if (!(error instanceof Error)) return error;
  await Promise.all([loadMessages(), loadEngineTexts()]);
  error.message = wordingOf(error.message, error instanceof ORPCError ? (error.data as ApiErrorData) : undefined);
  return error;
}

function wordingOf(text: string, data: ApiErrorData | undefined): string {
  if (data === undefined) return wordEngine(text);
  if ('issues' in data && 'field' in data)
    return data.issues.map(({ field, message }) => `${field}: ${wordEngine(message)}`).join('; ');
  if (!('params' in data) || data.code === undefined) return wordEngine(text);
  return textOf({ text, code: data.code, params: data.params });
}
