/**
 * What failures and large answers cost others in a cluster: pictures of 5 MB between two nodes, a third node that is stopped, and a
 * cable that is cut for 30 s.
 */
import { setTimeout as wait } from 'node:timers/promises';

import { createWorkbench, type Workbench } from '../../src-core/workbench.ts';
import { openCable } from '../helpers/cable.ts';
import { connectBoards, startNode, withBroker } from './clusterBeds.ts';

const boards = 16;
const pictureBytes = 5_000_000;
/** Of calls beside pictures to calls alone; ms that a stopped node may add; ms until the others are unreachable, and equal again. */
const limits = { p99: 2, stoppedMs: 100, unreachableMs: 6_000, equalMs: 30_000 };
const cutMs = 30_000;
const stoppedMs = 10_000;

interface Times {
  calls: number;
  p50: number;
  p99: number;
  longest: number;
}

let made = 0;
async function callTool({ services }: Workbench, toolName: string): Promise<string> {
  const input = { callId: `bench-${(made += 1)}`, toolName, command: 'self.set', argsJson: '{"volume":50}' };
  const { status, result, content } = await services.calls.execute({ ...input, origin: 'executor' });
  if (status !== 'success') throw new Error(result);
  const [block] = content ?? [];
  return block?.type === 'image' ? block.data : '';
}

/** Calls these tools in turn, one call at a time, until the work has ended. */
async function timesDuring(here: Workbench, tools: string[], work: Promise<unknown>): Promise<Times> {
  const times: number[] = [];
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  while (!isOver) {
    const begun = performance.now();
    await callTool(here, tools[times.length % tools.length] ?? '');
    times.push(performance.now() - begun);
  }
  await over;
  times.sort((one, other) => one - other);
  const at = (share: number): number => Number((times[Math.floor(times.length * share)] ?? NaN).toFixed(2));
  return { calls: times.length, p50: at(0.5), p99: at(0.99), longest: at(0.999999) };
}

const toolsOf = ({ services }: Workbench, isRemote: boolean): string[] =>
  services.devices
    .list()
    .filter(({ node, registryId }) => registryId !== undefined && (node !== undefined && !node.isLost) === isRemote)
    .map(({ registryId }) => registryId ?? '');

async function untilListed(here: Workbench, isRemote: boolean, count: number): Promise<number> {
  const begun = performance.now();
  while (toolsOf(here, isRemote).length !== count) await wait(20);
  return Math.round(performance.now() - begun);
}

export const run = (): Promise<{
  title: string;
  note: string;
  rows: Record<string, string | number>[];
  pass: boolean;
}> =>
  withBroker(async ({ url, port, folder }) => {
    const cable = await openCable({ port });
    const owner = await startNode(cable.url, folder, 'owner');
    const third = await startNode(url, folder, 'third');
    const here = await createWorkbench({
      dataDir: `${folder}/here`,
      devicePort: 0,
      shell: 'terminal',
      cluster: { url, name: 'bench', nodeName: 'here', nkeyFile: '', caFile: '' },
      onError: () => undefined,
    });
    const workers = [
      connectBoards(owner.webSocketUrl, boards, 0),
      connectBoards(here.info().device.webSocketUrl, boards, 128),
    ];
    try {
      await untilListed(here, true, boards);
      await untilListed(here, false, boards);
      const [camera = '', ...others] = toolsOf(here, true);
      await timesDuring(here, others, wait(2_000));
      const alone = await timesDuring(here, others, wait(8_000));

      await owner.ask({ ask: 'givePicture', id: camera, bytes: pictureBytes });
      const isThere = (): boolean => toolsOf(here, true).includes(camera);
      await wait(200);
      while (!isThere()) await wait(20);
      let pictures = 0;
      const whole = Buffer.alloc(pictureBytes, 7).toString('base64');
      const taking = (async () => {
        for (const until = performance.now() + 8_000; performance.now() < until; pictures += 1) {
          if ((await callTool(here, camera)) !== whole) throw new Error('A picture did not arrive intact.');
          await wait(1_000);
        }
      })();
      const besides = await timesDuring(here, others, taking);

      await owner.ask({ ask: 'rename', everyMs: 40 });
      const busy = await timesDuring(here, others, wait(stoppedMs));
      third.signal('SIGSTOP');
      const stopped = await timesDuring(here, others, wait(stoppedMs));
      third.signal('SIGCONT');
      await owner.ask({ ask: 'rename', everyMs: 0 });

      cable.cut();
      let mendedAt = Infinity;
      void wait(cutMs).then(() => {
        cable.mend();
        mendedAt = performance.now();
      });
      const unreachableMs = await untilListed(here, true, 0);
      let ownCalls = 0;
      while (mendedAt === Infinity) {
        for (const tool of toolsOf(here, false)) await callTool(here, tool);
        if ((await owner.ask({ ask: 'callOwn' })) !== boards)
          throw new Error('The other side does not run its own devices.');
        ownCalls += boards;
        await wait(100);
      }
      await untilListed(here, true, boards);
      const equalMs = Math.round(performance.now() - mendedAt);

      const pass =
        besides.p99 <= limits.p99 * alone.p99 &&
        stopped.longest <= busy.longest + limits.stoppedMs &&
        unreachableMs <= limits.unreachableMs &&
        equalMs <= limits.equalMs;
      return {
        title: 'Calls between two nodes while pictures cross, a third node is stopped, and a cable is cut',
        note: `One call at a time to ${boards - 1} boards of another node. ${pictures} pictures of 5 MB crossed intact, one each second. The third node was stopped for 10 s while each board was renamed 25 times a second. In a cut of 30 s the devices of the other side were unreachable after ${unreachableMs} ms, each side ran ${ownCalls} calls of its own devices, and both were equal ${equalMs} ms after the end. Spec: p99 beside pictures at most twice that of calls alone; 100 ms more for a stopped node; 6 s and 30 s.`,
        rows: Object.entries({
          'calls alone': alone,
          'while pictures cross': besides,
          'while boards are renamed': busy,
          'and the third node is stopped': stopped,
        }).map(([path, { calls, p50, p99, longest }]) => ({
          path,
          calls,
          'p50 ms': p50,
          'p99 ms': p99,
          'longest ms': longest,
        })),
        pass,
      };
    } finally {
      for (const worker of workers) await worker.terminate();
      await here.close();
      cable.close();
      await owner.end();
      third.signal('SIGCONT');
      await third.end();
    }
  });
