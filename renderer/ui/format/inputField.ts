import { ORPCError } from '@orpc/client';

import type { ApiErrorData } from '../../../src-core/contract/types.ts';

/** The field that the engine rejected; undefined if the error does not concern a field. */
export function inputField(cause: unknown): string | undefined {
  if (!(cause instanceof ORPCError)) return undefined;
  const data = cause.data as ApiErrorData | undefined;
  return data !== undefined && 'field' in data ? data.field : undefined;
}
