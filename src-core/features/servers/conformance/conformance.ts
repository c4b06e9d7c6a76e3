import { RequestError } from '../../../base/requestError.ts';
import { localize } from '../../../base/messages/localize.ts';
import { describeThrown } from '../../../base/describeThrown.ts';
import { maskSecrets } from '../../../base/maskSecrets.ts';
import type { Clock } from '../../../base/clock.ts';
import {
  type ConformanceFrame,
  type ConformanceResults,
  type ConformanceRevision,
  type ConformanceState,
  type conformance as conformanceContract,
} from '../../../contract/conformance.ts';
import type { Implementation } from '../../../contract/implementation.ts';
import type { KeyValueStore } from '../../../store/types.ts';
import type { SignInProvider } from '../../../mcp/auth/types.ts';
import type { StartTarget } from '../serverSecrets.ts';
import { runConformance, type FinishedScenario } from './runConformance.ts';
import { suiteScenarios, type ServerOffer } from './scenarios.ts';

interface Running {
  state: NonNullable<ConformanceState['running']>;
  stop: AbortController;
  ended: Promise<void>;
}

/** A server that is ready. */
export interface SuiteTarget extends StartTarget {
  /** What has signed in at it. */
  authProvider: SignInProvider | undefined;
  offer: ServerOffer;
}

/** Runs of the conformance suite against servers, one at a time for each server, and their last results. */
export function createConformance(options: {
  store: Pick<KeyValueStore, 'get' | 'set'>;
  clock: Pick<Clock, 'wall'>;
  /** Aborts when the workbench begins to close: no run starts from then on. */
  closing: AbortSignal;
  /** Returns the target of a server. @throws {RequestError} If it is not ready. */
  prepare(id: string): Promise<SuiteTarget>;
  onChange(): void;
  onError(error: unknown, where: string): void;
}) {
  const { store, clock, closing, prepare, onChange, onError } = options;
  const runs = new Map<string, Running>();
  /** The frames, by server, revision and scenario. */
  const frames = new Map<string, ConformanceFrame[]>();
  const { resultsOf, keep, drop } = createResultBook({ store, onChange });

  function add(id: string, revision: ConformanceRevision, { scenario, frames: seen }: FinishedScenario): void {
    const before = resultsOf(id).find((each) => each.revision === revision);
    frames.set(frameKey(id, revision, scenario.name), seen);
    const scenarios = [...(before?.scenarios ?? []).filter(({ name }) => name !== scenario.name), scenario];
    keep(id, toResults(revision, scenarios, clock.wall()));
  }

  async function begin(id: string, revision: ConformanceRevision, scenarios?: readonly string[]): Promise<void> {
    if (runs.has(id)) throw new RequestError(localize('conformance.running'));
    const wanted = chosen(revision, scenarios);
    const { endpoint, authProvider, mask: own, offer } = await prepare(id);
    if (closing.aborted) throw new RequestError(localize('workbench.closing'));
    if (runs.has(id)) throw new RequestError(localize('conformance.running'));
    const stop = new AbortController();
    const state: Running['state'] = { revision, done: 0, total: wanted.length };
    const mask = (text: string): string => maskSecrets(own(text));
    const fail = (error: unknown): void => {
      const last = resultsOf(id).find((each) => each.revision === revision);
      const reason = mask(describeThrown(error));
      const stopped = stop.signal.aborted ? ('cancelled' as const) : localize('conformance.failed', { reason });
      keep(id, { ...(last ?? toResults(revision, [], clock.wall())), stopped });
    };
    const done = (): void => {
      runs.delete(id);
      onChange();
    };
    const run = { endpoint, authProvider, offer, revision, ...(scenarios && { scenarios }), mask, signal: stop.signal };
    const ended = runConformance({ ...run, ...followers(state, { id, add, onChange, onError }) })
      .catch(fail)
      .catch((error: unknown) => onError(error, 'the results of the conformance suite'))
      .finally(done);
    runs.set(id, { state, stop, ended });
    onChange();
  }

  async function cancel(id: string): Promise<void> {
    const running = runs.get(id);
    running?.stop.abort();
    await running?.ended;
  }

  const service: Implementation<typeof conformanceContract> = {
    state({ id }) {
      const running = runs.get(id)?.state;
      return { results: resultsOf(id), ...(running && { running: { ...running } }) };
    },
    scenarios: ({ revision }) => suiteScenarios[revision],
    run: ({ id, revision, scenarios }) => begin(id, revision, scenarios),
    cancel: ({ id }) => cancel(id),
    frames: ({ id, revision, scenario }) => frames.get(frameKey(id, revision, scenario)) ?? [],
  };

  return {
    service,
    /** Ends the run of a server and deletes its results. */
    async forget(id: string): Promise<void> {
      await cancel(id);
      drop(id);
      for (const key of frames.keys()) if (key.startsWith(`${id} `)) frames.delete(key);
    },
    close: () => Promise.all([...runs.keys()].map(cancel)),
  };
}

const frameKey = (id: string, revision: string, scenario: string): string => `${id} ${revision} ${scenario}`;

/** The scenarios of a run. @throws {RequestError} If the revision does not have one of those that are named. */
function chosen(revision: ConformanceRevision, scenarios: readonly string[] | undefined): readonly string[] {
  const { required, more } = suiteScenarios[revision];
  const all = [...required, ...more];
  const unknown = scenarios?.find((name) => !all.includes(name));
  if (unknown === undefined) return scenarios ?? all;
  const message = localize('conformance.unknownScenario', { scenario: unknown, revision });
  throw new RequestError(message, { field: 'scenarios' });
}

/** What keeps the state and the results of a run up to date. */
function followers(
  state: Running['state'],
  on: {
    id: string;
    add(id: string, revision: ConformanceRevision, finished: FinishedScenario): void;
    onChange(): void;
    onError(error: unknown, where: string): void;
  },
): Pick<Parameters<typeof runConformance>[0], 'onStart' | 'onFinish' | 'onError'> {
  return {
    onStart(scenario) {
      state.scenario = scenario;
      on.onChange();
    },
    onFinish(finished) {
      state.done += 1;
      on.add(on.id, state.revision, finished);
    },
    onError: (error) => on.onError(error, 'the conformance suite'),
  };
}

/** The last results of each server, by revision. */
function createResultBook({ store, onChange }: { store: Pick<KeyValueStore, 'get' | 'set'>; onChange(): void }) {
  const keyOf = (id: string): string => `conformance:${id}`;
  const resultsOf = (id: string): ConformanceResults[] => {
    const kept = store.get(keyOf(id)) as unknown as ConformanceResults[] | undefined;
    return Array.isArray(kept) ? kept : [];
  };
  return {
    resultsOf,
    keep(id: string, results: ConformanceResults): void {
      const others = resultsOf(id).filter(({ revision }) => revision !== results.revision);
      const sorted = [...others, results].sort((a, b) => a.revision.localeCompare(b.revision));
      store.set(keyOf(id), JSON.parse(JSON.stringify(sorted)) as never);
      onChange();
    },
    drop: (id: string): void => store.set(keyOf(id), []),
  };
}

/** The results in the order of the suite, with the count of the required ones that apply. */
function toResults(
  revision: ConformanceRevision,
  scenarios: ConformanceResults['scenarios'],
  at: number,
): ConformanceResults {
  const { required, more } = suiteScenarios[revision];
  const order = [...required, ...more];
  const sorted = scenarios.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const counted = sorted.filter((each) => each.required && each.gap === undefined);
  const passed = counted.filter(({ verdict }) => verdict === 'passed').length;
  const gaps = sorted.filter((each) => each.required).length - counted.length;
  return { revision, at, scenarios: sorted, passed, total: required.length - gaps };
}
