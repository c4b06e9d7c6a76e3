import { ORPCError } from '@orpc/client';

import type { ApiErrorData } from '../../../src-core/contract/types.ts';
import { loadEngineTexts, wordEngine } from './wordEngine.ts';

/** The same error with its message in the window's language; for a wrong input, with the name of each field. */
export async function wordEngineError(error: unknown): Promise<unknown> {
  if (!(error instanceof Error)) return error;
  await loadEngineTexts();
  const issues = error instanceof ORPCError && error.code === 'BAD_REQUEST' ? issuesOf(error.data) : [];
  error.message =
    issues.length === 0
      ? wordEngine(error.message)
      : issues.map(({ field, message }) => `${field}: ${wordEngine(message)}`).join('; ');
  return error;
}

function issuesOf(data: unknown): { field: string; message: string }[] {
  const known = data as ApiErrorData | undefined;
  return known !== undefined && 'field' in known ? known.issues : [];
}
