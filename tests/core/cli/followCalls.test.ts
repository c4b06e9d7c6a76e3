/** Whose questions a command answers, while others call the same server, too. */
import { expect, onTestFinished, test } from 'vitest';

import type { CallRecord, ServerRequest } from '../../../src-core/contract/types.ts';
import { followCalls, type CallFollower } from '../../../src-core/cli/followCalls.ts';
import type { Client } from '../../../src-core/rpc/client.ts';
import { testTerminal } from './cliProcess.ts';

interface Scene {
  follower: CallFollower;
  /** Ids of requests that were answered. */
  answered: string[];
  running: Pick<CallRecord, 'callId' | 'source'>[];
  waiting: ServerRequest[];
  /** Resolves once the follower has looked at the requests twice. */
  looked(): Promise<void>;
}

const call = (callId: string): Scene['running'][number] => ({
  callId,
  source: { kind: 'mcp', id: 'lab', label: 'lab' },
});
const request = (requestId: string, callId?: string): ServerRequest => ({
  requestId,
  serverId: 'lab',
  serverName: 'lab',
  askedAt: Date.now() + 1_000,
  kind: 'form',
  message: 'Size?',
  ...(callId !== undefined && { callId }),
});

/** Follows the call `own` without a user who could be asked. */
function follow(): Scene {
  const answered: string[] = [];
  const running = [call('own')];
  const waiting: ServerRequest[] = [];
  let looks = 0;
  const client = {
    calls: { running: () => Promise.resolve(running) },
    servers: {
      requests() {
        looks += 1;
        return Promise.resolve([...waiting]);
      },
      answer({ requestId }: { requestId: string }) {
        answered.push(requestId);
        waiting.splice(
          waiting.findIndex((each) => each.requestId === requestId),
          1,
        );
        return Promise.resolve();
      },
    },
  } as unknown as Client;
  const follower = followCalls({ client, terminal: testTerminal(), callId: () => 'own' });
  onTestFinished(() => follower.stop());
  follower.answerFor('lab');
  const looked = async (): Promise<void> => {
    const before = looks;
    await expect.poll(() => looks).toBeGreaterThan(before + 1);
  };
  return { follower, answered, running, waiting, looked };
}

test('leaves the questions of other calls unanswered', async () => {
  const { follower, answered, waiting, looked } = follow();
  waiting.push(request('theirs', 'chat'), request('ours', 'own'));
  await looked();
  expect(answered).toEqual(['ours']);
  expect(follower.refused()).toBe(true);
});

test('a question of a call that is not known waits until no other call of the server runs', async () => {
  const { follower, answered, running, waiting, looked } = follow();
  running.push(call('chat'));
  waiting.push(request('unknown'));
  await looked();
  expect([answered, follower.refused()]).toEqual([[], false]);
  running.pop();
  await looked();
  expect([answered, follower.refused()]).toEqual([['unknown'], true]);
});
