import { ORPCError } from '@orpc/client';

import type { ApiErrorData } from '../../../src-core/contract/types.ts';

/** The field that the engine refused; undefined where the error is about none. */
export function inputField(cause: unknown): string | undefined {
  if (!(cause instanceof ORPCError)) return undefined;
  const data = cause.data as ApiErrorData | undefined;
  return data !== undefined && 'field' in data ? data.field : undefined;
}
