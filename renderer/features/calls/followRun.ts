import { ORPCError } from '@orpc/client';

import type { RunOver } from '../../../src-core/contract/types.ts';
import { untilNextLine, type Connection } from '../../client/connection.ts';
import { wordEngineError } from '../../i18n/engine/wordEngineError.ts';

type Stream<Event> = (options: { signal?: AbortSignal }) => Promise<AsyncIterable<Event | RunOver>>;

/** A run of the engine, and how to read it. */
export interface RunToFollow<Event> {
  /** Starts the run; absent if it goes on already. */
  start?: Stream<Event> | undefined;
  follow: Stream<Event>;
  /** Aborted, the reading ends, and the run goes on. */
  signal?: AbortSignal | undefined;
}

/**
 * Yields the events of a run until it is over. If the connection is lost meanwhile, the run is followed again on the next one,
 * and its events are yielded again. Throws what the engine refuses and why the run failed, in the window's language.
 */
export async function* followRun<Event extends object>(
  connection: Connection,
  { start, follow, signal }: RunToFollow<Event>,
): AsyncGenerator<Event, void, void> {
  let open = start ?? follow;
  while (signal?.aborted !== true) {
    let line = connection.state.value;
    try {
      const events = await open({ ...(signal && { signal }) });
      line = connection.state.value;
      for await (const event of events) {
        if ('over' in event) return;
        yield event;
      }
    } catch (cause) {
      if (cause instanceof ORPCError) throw await wordEngineError(cause);
    }
    await untilNextLine(connection, line, signal);
    open = follow;
  }
}
