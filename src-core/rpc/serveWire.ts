import type { CommonORPCErrorCode } from '@orpc/client';
import { type Context, ORPCError, type Router, ValidationError } from '@orpc/server';
import { StandardRPCHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import { ServerPeer } from '@orpc/standard-server-peer';

import { ToolError } from '../base/errors.ts';
import type { RequestKind } from '../base/messages/requestKinds.ts';
import { RequestError } from '../base/requestError.ts';
import type { ApiErrorData } from '../contract/types.ts';
import { exactNumbers } from './exactNumbers.ts';
import type { Wire } from './wire.ts';

/** Requests one wire may have under way; a page needs a handful. */
const maxRequestsUnderWay = 2_000;

/** Answers the contract on any number of wires at once. */
export interface ContractServer {
  /** Answers on this wire until it closes. Returns a function that closes it. */
  serve(wire: Wire): () => void;
  /** Closes every wire served. */
  close(): void;
}

/**
 * Serves a router over any number of wires. A frame that is not a message of ours closes its wire: the other side does
 * not speak the contract. `onError` receives our own faults (a handler that threw).
 */
export function createContractServer(options: {
  // oRPC's router type is generic over every procedure's context; ours needs none.
  router: Router<Record<never, never>, Context>;
  onError: (error: unknown) => void;
}): ContractServer {
  const handler = new StandardRPCHandler(options.router, {
    customJsonSerializers: exactNumbers,
    clientInterceptors: [
      async ({ next, signal }) => {
        const worded = (error: unknown): Error =>
          toApiError(error, (fault) => {
            // That the window has gone is not a fault of ours.
            if (signal?.aborted !== true || fault !== signal.reason) options.onError(fault);
          });
        try {
          const output: unknown = await next();
          return isStream(output) ? wordErrors(output, worded) : output;
        } catch (error) {
          throw worded(error);
        }
      },
    ],
  });
  const open = new Set<Wire>();
  return {
    serve(wire) {
      open.add(wire);
      const peer = new ServerPeer((message) => wire.send(message));
      const answer = createServerPeerHandleRequestFn(handler, {});
      wire.onMessage((message) => {
        if (peer.length >= maxRequestsUnderWay) return wire.close();
        peer.message(message as string | Uint8Array<ArrayBuffer>, answer).catch(() => wire.close());
      });
      wire.onClose(() => {
        open.delete(wire);
        peer.close({ reason: new Error('The window closed the connection') });
      });
      return () => wire.close();
    },
    close() {
      for (const wire of open) wire.close();
    },
  };
}

function isStream(output: unknown): output is AsyncGenerator<unknown, unknown, void> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
}

/** A stream that fails half-way says why, as a request that fails at once does. */
function wordErrors(
  stream: AsyncGenerator<unknown, unknown, void>,
  worded: (error: unknown) => Error,
): AsyncGenerator<unknown, unknown, void> {
  const said = <T>(step: Promise<T>): Promise<T> =>
    step.catch((error: unknown) => {
      throw worded(error);
    });
  return {
    next: () => said(stream.next()),
    return: (value) => said(stream.return(value)),
    throw: (error) => said(stream.throw(error)),
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await this.return(undefined);
    },
  };
}

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
function toApiError(error: unknown, onError: (error: unknown) => void): ORPCError<string, ApiErrorData | undefined> {
  if (error instanceof ORPCError)
    return error.cause instanceof ValidationError && error.code === 'BAD_REQUEST' ? inputError(error.cause) : error;
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
  if (error instanceof Error && error.name === 'AbortError')
    return new ORPCError('CLIENT_CLOSED_REQUEST', { message: error.message, cause: error });
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
