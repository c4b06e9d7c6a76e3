import type { CommonORPCErrorCode } from '@orpc/client';
import { ORPCError, ValidationError } from '@orpc/server';

import { ToolError } from '../base/errors.ts';
import type { RequestKind } from '../base/messages/requestKinds.ts';
import { RequestError } from '../base/requestError.ts';
import type { ApiErrorData } from '../contract/types.ts';

/** The status of the response to a request that cannot be fulfilled. */
const requestStatuses: Readonly<Record<RequestKind, CommonORPCErrorCode>> = {
  invalid: 'BAD_REQUEST',
  notFound: 'NOT_FOUND',
  conflict: 'CONFLICT',
  tooLarge: 'PAYLOAD_TOO_LARGE',
  tooMany: 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
  cancelled: 'CLIENT_CLOSED_REQUEST',
};

/**
 * Any error as one that may cross the contract. Wrong input names the field and what is wrong with it; a RequestError
 * travels as code, parameters and field; a ToolError as its info; anything else is our fault: it is reported to `onError`, the page learns only that it happened.
 */
export function toApiError(
  error: unknown,
  onError: (error: unknown) => void,
): ORPCError<string, ApiErrorData | undefined> {
  if (error instanceof ORPCError) {
    return error.cause instanceof ValidationError && error.code === 'BAD_REQUEST' ? inputError(error.cause) : error;
  }
  if (error instanceof ToolError) {
    return new ORPCError(error.code === 'cancelled' ? 'CLIENT_CLOSED_REQUEST' : 'UNPROCESSABLE_CONTENT', {
      message: error.message,
      data: error.info,
      cause: error,
    });
  }
  if (error instanceof RequestError) {
    const { message, said, field, kind } = error;
    const data = { code: said.code, params: said.params, field };
    return new ORPCError(requestStatuses[kind], { message, data, cause: error });
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return new ORPCError('CLIENT_CLOSED_REQUEST', { message: error.message, cause: error });
  }
  onError(error);
  return new ORPCError('INTERNAL_SERVER_ERROR', { message: 'Toolwire failed to do this; its log says why.' });
}

function inputError(cause: ValidationError): ORPCError<string, ApiErrorData | undefined> {
  const issues = cause.issues.slice(0, 20).map((issue) => ({
    field: (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.') || 'input',
    message: issue.message,
  }));
  const message = issues.map((issue) => `${issue.field}: ${issue.message}`).join('; ');
  return new ORPCError('BAD_REQUEST', { message, data: { field: issues[0]?.field ?? 'input', issues }, cause });
}
