/** A node of a cluster in a process of its own, which a bench asks what it has. */
import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { createWorkbench } from '../../src-core/workbench.ts';
import type { Call } from './callBeds.ts';
import { measureCalls } from './measureCalls.ts';
import type { ToolRegistry } from '../../src-core/registry/types.ts';

/** What a bench asks for. */
export type NodeQuestion =
  | { ask: 'state' }
  /** How many devices can be called here. */
  | { ask: 'count' }
  /** ms of processor time. */
  | { ask: 'cpu' }
  /** Calls of so many of its own devices, or of the others', one after the other at each. */
  | ({ ask: 'calls'; remote: boolean; lanes: number } & ({ count: number } | { ms: number }))
  /** Its own devices run a call each; how many succeeded. */
  | { ask: 'callOwn' }
  /** The device of this tool id answers with a picture of so many bytes from now on. */
  | { ask: 'givePicture'; id: string; bytes: number }
  /** All devices are renamed every so many ms; 0 ends it. */
  | { ask: 'rename'; everyMs: number };

export interface NodeState {
  /** Devices whose tools can be called here, and a hash of them. */
  devices: number;
  hash: string;
  /** MB, after a collection. */
  heapMb: number;
  /** ms of processor time. */
  cpuMs: number;
  /** ms for which the event loop stood still at most since the last question. */
  blockedMs: number;
  /** ms that a list of all devices takes. */
  listMs: number;
}

const [dataDir = '', url = '', nodeName = ''] = process.argv.slice(2);
const { toolRegistryManager, services, info } = await createWorkbench({
  dataDir,
  devicePort: 0,
  shell: 'browser',
  cluster: { url, name: 'bench', nodeName, nkeyFile: '', caFile: '' },
  onError: () => undefined,
});
const delays = monitorEventLoopDelay({ resolution: 2 });
delays.enable();
let renaming: NodeJS.Timeout | undefined;
let renamed = 0;

const deviceTools = (): ToolRegistry[] =>
  toolRegistryManager.getAllTools().filter(({ source }) => source.kind === 'device');

function state(): NodeState {
  const blockedMs = Math.round(delays.max / 1e6);
  const tools = deviceTools();
  const hash = createHash('sha256');
  for (const text of tools.map((tool) => `${tool.id} ${tool.getMetadata().methods.length}`).sort()) hash.update(text);
  const begun = performance.now();
  services.devices.list();
  const listMs = Math.round(performance.now() - begun);
  globalThis.gc?.();
  const spent = cpuMs();
  const heapMb = process.memoryUsage().heapUsed / 1e6;
  delays.reset();
  return { devices: tools.length, hash: hash.digest('hex'), heapMb, cpuMs: spent, blockedMs, listMs };
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

let made = 0;
const callOf = (toolName: string) => async (): Promise<void> => {
  const input = { callId: `${nodeName}-${(made += 1)}`, toolName, command: 'self.set', argsJson: '{"volume":50}' };
  const { status, result } = await services.calls.execute({ ...input, origin: 'executor' });
  if (status !== 'success') throw new Error(result);
};

function lanesOf(remote: boolean, lanes: number): Call[] {
  const callable = services.devices
    .list()
    .flatMap(({ node, registryId }) =>
      registryId !== undefined && (node !== undefined) === remote ? [registryId] : [],
    );
  return callable.slice(0, lanes).map(callOf);
}

async function callOwn(): Promise<number> {
  const own = services.devices.list().filter(({ node, registryId }) => node === undefined && registryId !== undefined);
  const ended = await Promise.all(
    own.map(({ registryId = '' }, at) =>
      services.calls.execute({
        callId: `own-${performance.now()}-${at}`,
        toolName: registryId,
        command: 'self.set',
        argsJson: '{"volume":50}',
        origin: 'executor',
      }),
    ),
  );
  return ended.filter(({ status }) => status === 'success').length;
}

function givePicture(id: string, bytes: number): void {
  const device = toolRegistryManager.getTool(id)!;
  const content = [{ type: 'image' as const, mimeType: 'image/jpeg', data: Buffer.alloc(bytes, 7).toString('base64') }];
  toolRegistryManager.unregister(id);
  toolRegistryManager.register({
    id,
    name: device.name,
    source: device.source,
    getMetadata: () => device.getMetadata(),
    invoke: () => Promise.resolve({ value: 'A picture.', content }),
  });
}

async function rename(): Promise<void> {
  renamed += 1;
  const own = services.devices.list().filter(({ node }) => node === undefined);
  const deviceNames = Object.fromEntries(own.map(({ deviceId }) => [deviceId, `Board ${renamed}`]));
  await services.settings.set({ deviceNames });
}

process.on('message', (question: NodeQuestion) => {
  const answer = (said: unknown): void => void process.send?.({ answer: said });
  if (question.ask === 'state') answer(state());
  else if (question.ask === 'count') answer(deviceTools().length);
  else if (question.ask === 'cpu') answer(cpuMs());
  else if (question.ask === 'calls') void measureCalls(lanesOf(question.remote, question.lanes), question).then(answer);
  else if (question.ask === 'callOwn') void callOwn().then(answer);
  else if (question.ask === 'givePicture') answer(givePicture(question.id, question.bytes));
  else {
    clearInterval(renaming);
    if (question.everyMs > 0) renaming = setInterval(() => void rename(), question.everyMs);
    answer(undefined);
  }
});
process.send?.(info().device);
