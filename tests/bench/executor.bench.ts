/**
 * What the executor adds to a call: the same method called straight, through the registry's `invoke`, and through
 * `executeSingleRequest` with JSON and with text arguments. Short rounds alternate and the best of each counts. Then
 * resolving a name, and the nearest names, among ten thousand methods.
 */
import { executeSingleRequest } from '../../src-core/engine/executor.ts';
import { defineToolRegistry } from '../../src-core/registry/defineTool.ts';
import { resolveToolName } from '../../src-core/registry/resolveToolName.ts';
import { createToolRegistryManager } from '../../src-core/registry/toolRegistryManager.ts';
import type { ToolRegistry } from '../../src-core/registry/types.ts';

const rounds = 15;
const callsPerRound = 2_000;
const manyMethods = 10_000;
/** µs a call may cost on top of the method itself before this bench fails. */
const floor = 10;

function makeTool(id: string, names: string[]): ToolRegistry {
  return defineToolRegistry({
    id,
    name: id,
    source: { kind: 'builtin', id, label: id },
    methods: names.map((name) => ({
      name,
      description: 'Sets the volume.',
      agentCallable: true,
      handler: setVolume,
      inputSchema: {
        type: 'object',
        properties: { volume: { type: 'integer', minimum: 0, maximum: 100 } },
        required: ['volume'],
      },
    })),
  });
}

async function setVolume({ volume }: { volume?: unknown }): Promise<string> {
  return `volume ${String(volume)}`;
}

/** µs a call, of a round of calls one after the other. */
async function timeRound(call: () => unknown, calls = callsPerRound): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < calls; i += 1) await call();
  return ((performance.now() - start) * 1_000) / calls;
}

/** The best round of each, rounds taken in turn. */
async function bestRounds(ways: Record<string, () => unknown>): Promise<Record<string, number>> {
  const best: Record<string, number> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, call] of Object.entries(ways)) {
      best[name] = Math.min(best[name] ?? Infinity, await timeRound(call));
    }
  }
  return best;
}

export async function run(): Promise<{ title: string; rows: Record<string, string | number>[]; pass: boolean }> {
  const tool = makeTool('lab', ['set_volume']);
  const toolRegistryManager = createToolRegistryManager();
  toolRegistryManager.register(tool);
  const execution = { toolRegistryManager, caller: 'model' as const };
  const options = { signal: new AbortController().signal, timeoutMs: 30_000, callId: 'c' };
  const text = { requestId: 'r', toolName: 'lab_set_volume', args: { volume: '50' }, rawBlock: '' };
  const best = await bestRounds({
    'the method itself': () => setVolume({ volume: 50 }),
    'registry.invoke': () => tool.invoke('set_volume', { volume: 50 }, options),
    'executor, JSON arguments': () =>
      executeSingleRequest({ toolName: 'lab_set_volume', args: { volume: 50 } }, execution),
    'executor, text arguments': () => executeSingleRequest(text, execution),
  });
  const direct = best['the method itself'] ?? 0;
  const worst = Math.max(...Object.values(best)) - direct;
  const rows = Object.entries(best).map(([what, micros]) => ({
    what,
    'µs a call': Number(micros.toFixed(2)),
    'on top, µs': Number((micros - direct).toFixed(2)),
    'times the method': Number((micros / direct).toFixed(1)),
  }));
  return {
    title: `Executor overhead, at most ${floor} µs a call`,
    rows: [...rows, ...(await timeNames())],
    pass: worst <= floor,
  };
}

async function timeNames(): Promise<Record<string, string | number>[]> {
  const toolRegistryManager = createToolRegistryManager();
  for (let t = 0; t < 100; t += 1) {
    const names = Array.from({ length: manyMethods / 100 }, (_, m) => `self.part_${m}.set_value`);
    toolRegistryManager.register(makeTool(`device${t}`, names));
  }
  const resolve = (toolName: string) => (): unknown => {
    try {
      return resolveToolName({ toolRegistryManager, toolName });
    } catch (error) {
      return error;
    }
  };
  const indexing = await timeRound(resolve('device1_self.part_1.set_value'), 1);
  const exact = await timeRound(resolve('device42_self.part_7.set_value'));
  const nearest = await timeRound(resolve('device_42_self.part_7.set_valeu'), 10);
  return [
    { what: `the first name among ${manyMethods}: the index is made`, 'µs a call': Number(indexing.toFixed(0)) },
    { what: `an exact name among ${manyMethods}`, 'µs a call': Number(exact.toFixed(2)) },
    { what: `the nearest names among ${manyMethods}`, 'µs a call': Number(nearest.toFixed(0)) },
  ];
}
