import type { ServerContext } from '@modelcontextprotocol/server';

import type { Clock } from '../../base/clock.ts';
import type { ToolProgress } from '../../base/toolTypes.ts';

/** ms between the notes that keep a host's idle clock from ending a call. */
const heartbeatMs = 5_000;

/**
 * Progress notifications for a host that requested them: those of the tool, and one whenever the tool has sent none for 5 s.
 * Progress only grows, so a note without news adds a little.
 */
export function startHeartbeat(
  { context, setProgress }: { context: () => ServerContext | undefined; setProgress: (text: string) => void },
  title: string,
  clock: Pick<Clock, 'after' | 'now'>,
): Disposable & { report: (progress: ToolProgress) => void } {
  const began = clock.now();
  let last = 0;
  const send = (params: ToolProgress): void => {
    setProgress(params.message ?? '');
    const { mcpReq } = context() ?? {};
    const progressToken = mcpReq?._meta?.progressToken;
    if (mcpReq === undefined || progressToken === undefined || mcpReq.signal.aborted) return;
    // The host may have ended the stream; its call goes on.
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...params } }).catch(() => undefined);
  };
  const beat = (): void => {
    stop = clock.after(heartbeatMs, beat);
    last += 0.001;
    send({ progress: last, message: `${title} has been running for ${Math.round((clock.now() - began) / 1_000)} s` });
  };
  let stop = clock.after(heartbeatMs, beat);
  return {
    report(progress) {
      stop();
      stop = clock.after(heartbeatMs, beat);
      if (progress.progress <= last && last !== 0) return;
      last = progress.progress;
      send(progress);
    },
    [Symbol.dispose]: () => stop(),
  };
}
