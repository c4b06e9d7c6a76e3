/**
 * Every failure of a node, of its broker and of both, while calls are idle, waiting, running and answered: each call has a truthful
 * outcome, and no device runs one twice. A fault lasts until the others notice it, or the calls have ended. Cables cut the lines and
 * make them slow, so that no rights are needed; a broker whose cables are cut is cut off as both are.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';

import { McpTool } from '../../../../src-core/deviceSide/mcp/mcpTool.ts';
import { Property } from '../../../../src-core/deviceSide/mcp/property.ts';
import { PropertyList } from '../../../../src-core/deviceSide/mcp/propertyList.ts';
import { virtualProfileOf } from '../../../../src-core/features/devices/virtual/profiles.ts';
import { createVirtualDevice } from '../../../../src-core/features/devices/virtual/virtualDevice.ts';
import type { ToolExecutionResult } from '../../../../src-core/contract/types.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { builtCli } from '../../../helpers/builtCli.ts';
import { natsServer, noNatsServer, openNatsServer, type NatsServer } from '../../../helpers/natsServer.ts';
import { call, dataFolder, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { openTestCable } from './openTestCable.ts';
import { memberOf } from './peer.ts';

/** `node` is the one that has the devices. */
type Who = 'node' | 'broker' | 'both' | 'caller';
type Fault = 'killed' | 'stopped' | 'cut shortly' | 'cut for long' | 'delayed by 200 ms' | 'losing 5 %';
type State = 'waiting' | 'running' | 'answering';
type Outcome = 'result' | 'refused: nothing ran' | 'lost: may have run';

/** The outcomes that a call may have that waited for its device, ran or was answered when the fault began. */
interface Expected extends Record<State, Outcome[]> {
  /** Whether an idle device can be called afterwards. */
  isBack: boolean;
}

const result: Outcome[] = ['result'];
const lost: Outcome[] = ['lost: may have run'];
const either: Outcome[] = [...result, ...lost];
const works: Expected = { waiting: result, running: result, answering: result, isBack: true };
const mayBeLost: Expected = {
  waiting: [...either, 'refused: nothing ran'],
  running: either,
  answering: either,
  isBack: true,
};
/** A call that its owner has accepted goes on. */
const goesOn: Expected = { ...mayBeLost, running: result };
const isGone: Expected = {
  waiting: ['refused: nothing ran', ...lost],
  running: lost,
  answering: either,
  isBack: false,
};

const table: [Fault, Who, Expected][] = [
  ['killed', 'node', isGone],
  ['killed', 'broker', works],
  ['killed', 'both', isGone],
  ['stopped', 'node', mayBeLost],
  ['stopped', 'broker', mayBeLost],
  ['stopped', 'both', mayBeLost],
  ['cut shortly', 'node', goesOn],
  ['cut shortly', 'broker', goesOn],
  ['cut shortly', 'caller', goesOn],
  ['cut for long', 'node', mayBeLost],
  ['cut for long', 'broker', mayBeLost],
  ['cut for long', 'caller', mayBeLost],
  ['delayed by 200 ms', 'node', works],
  ['delayed by 200 ms', 'broker', works],
  ['delayed by 200 ms', 'caller', works],
  ['losing 5 %', 'node', mayBeLost],
  ['losing 5 %', 'broker', mayBeLost],
  ['losing 5 %', 'caller', mayBeLost],
];

/** ms from the beginning of a fault until the calls that run then are answered. */
const takesMs = 1_000;
const answerLength = 300_000;

/** A board that counts how often it has run each call, and answers after `takes`. Its answers need several messages. */
async function connectBoard(url: string, name: string, takes: Promise<unknown>): Promise<Map<string, number>> {
  const ran = new Map<string, number>();
  const run = new McpTool({
    name: 'self.run',
    description: 'Runs.',
    properties: new PropertyList([new Property('id', 'string')]),
    callback: async ({ id }) => {
      ran.set(String(id), (ran.get(String(id)) ?? 0) + 1);
      await takes;
      return String(id).padEnd(answerLength, '.');
    },
  });
  const board = createVirtualDevice({
    url,
    name,
    profile: { ...virtualProfileOf('device-library')!, createTools: () => [run] },
  });
  onTestFinished(() => board.close());
  await board.connect();
  return ran;
}

interface Owner {
  otaUrl: string;
  signal: (name: NodeJS.Signals) => void;
}

async function startOwner(url: string): Promise<Owner> {
  const flags = ['--port', '0', '--device-port', '0', '--no-open', '--json', '--data-dir', dataFolder()];
  const cluster = ['--cluster', url, '--cluster-name', 'lab', '--node-name', 'owner'];
  const child = spawn(process.execPath, [builtCli, 'serve', ...flags, ...cluster], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { device } = JSON.parse(line) as { device: { otaUrl: string } };
  return { otaUrl: device.otaUrl, signal: (name) => void child.kill(name) };
}

/** A node in this process. */
async function openOwner(url: string): Promise<Owner> {
  const owner = await openWorkbench({ cluster: memberOf({ url }, 'owner'), onError: () => undefined });
  return { otaUrl: owner.info().device.otaUrl, signal: () => undefined };
}

const find = ({ services }: Workbench, name: string) => services.devices.list().find((device) => device.name === name);
const run = (workbench: Workbench, name: string, id: string) =>
  call(workbench, find(workbench, name)!, 'self.run', { id });
const stateOf = ({ services }: Workbench) => services.cluster.info().nodes.find(({ name }) => name === 'owner')?.state;

/** What a call came to; its message if that is none of the three. */
function outcomeOf({ status, result: text }: ToolExecutionResult): string {
  if (status === 'success') return text.length === answerLength ? 'result' : `${text.length} characters`;
  if (text.endsWith('Nothing ran.')) return 'refused: nothing ran';
  return text.includes('may have run') ? 'lost: may have run' : text;
}

/** How the fault begins and ends. */
async function openFault(fault: Fault, who: Who) {
  const nats = await openNatsServer();
  const lines = { owner: await openTestCable(nats), caller: await openTestCable(nats) };
  const isOfProcess = (fault === 'killed' || fault === 'stopped') && who !== 'broker';
  const owner = await (isOfProcess ? startOwner : openOwner)(lines.owner.url);
  const cables = { node: [lines.owner], caller: [lines.caller], broker: Object.values(lines), both: [] }[who];
  const stopped: Pick<NatsServer, 'signal'>[] = [who === 'broker' ? [] : owner, who === 'node' ? [] : nats].flat();
  const signal = (name: NodeJS.Signals): void => stopped.forEach((one) => one.signal(name));
  return {
    url: lines.caller.url,
    otaUrl: owner.otaUrl,
    begin(): void {
      if (fault === 'killed') signal('SIGKILL');
      else if (fault === 'stopped') signal('SIGSTOP');
      else if (fault === 'losing 5 %') for (const cable of cables) cable.slow({ delayMs: 0, isLossy: true });
      else if (fault === 'delayed by 200 ms') for (const cable of cables) cable.slow({ delayMs: 200, isLossy: false });
      else for (const cable of cables) cable.cut();
    },
    /** Resolves once it has lasted long enough. */
    async last(caller: Workbench): Promise<void> {
      if (fault === 'losing 5 %' || fault === 'delayed by 200 ms' || (fault === 'killed' && who === 'broker')) return;
      const enough = fault === 'cut shortly' ? ['suspect', 'lost'] : ['lost'];
      await until(caller, () => enough.includes(stateOf(caller) ?? ''));
    },
    async end(): Promise<void> {
      if (fault === 'killed' && who !== 'node') {
        await nats.kill();
        await nats.start();
      } else if (fault === 'stopped') signal('SIGCONT');
      else if (fault === 'cut shortly' || fault === 'cut for long') for (const cable of cables) cable.mend();
    },
  };
}

async function play([fault, who, expected]: (typeof table)[number]): Promise<object> {
  const { url, otaUrl, begin, last, end } = await openFault(fault, who);
  const caller = await openWorkbench({ cluster: memberOf({ url }, 'caller'), onError: () => undefined });
  const names = ['idle', 'waiting', 'running', 'answering'] as const;
  const ends = Promise.withResolvers<undefined>();
  const ran = Object.fromEntries(
    await Promise.all(
      names.map(async (name) => {
        const takes = name === 'waiting' || name === 'running' ? ends.promise : Promise.resolve();
        return [name, await connectBoard(otaUrl, name, takes)] as const;
      }),
    ),
  );
  await until(caller, () => names.every((name) => find(caller, name)?.registryId !== undefined));
  const calls: { state: State; name: string; id: string; ended: Promise<ToolExecutionResult> }[] = [];
  const send = (state: State, name: string, id: string): void =>
    void calls.push({ state, name, id, ended: run(caller, name, id) });
  send('running', 'waiting', 'first');
  send('waiting', 'waiting', 'second');
  send('running', 'running', 'only');
  await expect.poll(() => ran['waiting']?.size === 1 && ran['running']?.size === 1).toBe(true);
  // The others are accepted by then.
  await run(caller, 'idle', 'before');
  for (const id of ['1', '2', '3', '4', '5']) send('answering', 'answering', id);
  await expect.poll(() => ran['answering']?.size).toBeGreaterThan(0);
  begin();
  setTimeout(ends.resolve, takesMs);
  await last(caller);
  await end();
  const wrong: string[] = [];
  for (const { state, name, id, ended } of calls) {
    const outcome = outcomeOf(await ended);
    const times = ran[name]?.get(id) ?? 0;
    const isTrue = outcome === 'result' ? times === 1 : outcome === 'refused: nothing ran' ? times === 0 : times <= 1;
    const allowed: string[] = expected[state];
    if (!isTrue || !allowed.includes(outcome)) wrong.push(`${id}: ${outcome}, ran ${times} times`);
  }
  // A call that meets a connection which is about to end may be lost, too; it is not sent again by itself.
  for (let at = 0, isBack = !expected.isBack; !isBack; at += 1) {
    await until(caller, () => find(caller, 'idle')?.registryId !== undefined);
    const outcome = outcomeOf(await run(caller, 'idle', `after-${at}`));
    isBack = outcome === 'result';
    if ((ran['idle']?.get(`after-${at}`) ?? 0) > 1) wrong.push(`after-${at}: ran twice`);
  }
  return { fault, who, wrong };
}

describe.skipIf(natsServer === undefined)(`the failures of a cluster (${natsServer ?? noNatsServer})`, () => {
  test.each([
    ['ended and stopped', ['killed', 'stopped'], 4],
    ['cut', ['cut shortly', 'cut for long'], 4],
    // One at a time: nothing but the cable may delay what a row sends.
    ['slow', ['delayed by 200 ms', 'losing 5 %'], 1],
  ])(
    '%s: each call has a truthful outcome, and no device runs one twice',
    async (_, faults, atOnce) => {
      const rows = table.filter(([fault]) => faults.includes(fault));
      const played: object[] = [];
      for (let at = 0; at < rows.length; at += atOnce)
        played.push(...(await Promise.all(rows.slice(at, at + atOnce).map(play))));
      expect(played).toEqual(rows.map(([fault, who]) => ({ fault, who, wrong: [] })));
    },
    120_000,
  );
});
