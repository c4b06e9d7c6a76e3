import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import type { Clock } from '../../base/clock.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import { hostScope } from '../../contract/hosts.ts';
import { parseMessage } from '../../mcp/readMessages.ts';
import type { HostBook } from './hostBook.ts';
import type { HostLog } from './hostFrames.ts';
import type { CallingHost, HostOffer, HostOffered } from './hostServer.ts';
import { servePipe, type MessagePipe } from './pipe.ts';

/** What a program that starts `toolwire mcp` asks to be offered. */
const pipeOffered = z.strictObject({ scope: hostScope, finds: z.boolean() });

/** The hosts that have started `toolwire mcp`. */
export function createHostPipes(options: {
  offerOf: (offered: () => HostOffered) => HostOffer;
  book: Pick<HostBook, 'seen'>;
  clock: Clock;
  log: HostLog;
  onChange: () => void;
  onError: ErrorReporter;
}) {
  const { offerOf, book, clock, log, onChange, onError } = options;
  /** The open ones, by what closes them. */
  const pipes = new Map<() => void, CallingHost>();
  const closersOf = (id: string) => [...pipes].filter(([, caller]) => caller.id === id).map(([close]) => close);
  return {
    connections: (id: string) => closersOf(id).length,
    end: (id: string) => closersOf(id).forEach((close) => close()),
    /** Serves tools to the host at the other end of a pipe: those that `asked` selects, as JSON. */
    serve(pipe: MessagePipe, asked: string): void {
      const { data: offered, error } = pipeOffered.safeParse(parseMessage(asked));
      if (offered === undefined) {
        onError(error, 'what a host at `toolwire mcp` asks for');
        return pipe.close();
      }
      const caller: CallingHost = { id: 'stdio:', name: 'A host at toolwire mcp', offered, connection: randomUUID() };
      const close = servePipe({
        pipe,
        offer: offerOf(() => offered),
        caller,
        clock,
        log,
        onSeen(client) {
          // A host that starts again is the same one.
          const { name } = client;
          if (name !== undefined) Object.assign(caller, { id: `stdio:${name.slice(0, 100)}`, name });
          book.seen(caller, client);
        },
        onClose() {
          pipes.delete(close);
          onChange();
        },
        onError,
      });
      pipes.set(close, caller);
    },
    close() {
      for (const close of pipes.keys()) close();
    },
  };
}
