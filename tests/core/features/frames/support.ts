import { defaultSettings } from '../../../../src-core/contract/defaultSettings.ts';
import type { Frame, LogName } from '../../../../src-core/contract/frames.ts';
import { createEventBus } from '../../../../src-core/features/context.ts';
import type { FrameLog, NewFrame } from '../../../../src-core/features/frames/frameLog.ts';
import type { HeldLimits } from '../../../../src-core/features/frames/heldFrames.ts';
import { openFrames } from '../../../../src-core/features/frames/service.ts';
import type { WireStore } from '../../../../src-core/store/frameTypes.ts';
import type { Store } from '../../../../src-core/store/types.ts';
import { framesOf, openTestStore } from '../../../helpers/testStore.ts';
import { createManualClock } from '../devices/support/manualClock.ts';

/** The store's logs with a `write` of the test. */
export function withWrite(
  wire: WireStore,
  write: (...given: Parameters<WireStore['write']>) => ReturnType<WireStore['write']>,
): WireStore {
  return Object.assign(Object.create(wire) as WireStore, { write });
}

/** A frame. By default, the lamp sent it. */
export function newFrame(text: string, change: Partial<NewFrame> = {}): NewFrame {
  const note = { type: 'mcp', summary: text.slice(0, 20) };
  return {
    source: 'device',
    connection: 'lamp',
    direction: 'in',
    kind: 'text',
    bytes: text.length,
    text,
    note,
    ...change,
  };
}

/** A log on a store, with a clock that the test moves. */
export async function openLog(options: { store?: Store; wire?: WireStore; held?: HeldLimits } = {}) {
  const { store = openTestStore(), held } = options;
  const clock = createManualClock();
  const errors: unknown[] = [];
  const { service: frames, log } = await openFrames({
    store: options.wire === undefined ? store : { wire: options.wire },
    events: createEventBus(),
    settings: () => defaultSettings,
    clock,
    onError: (error) => errors.push(error),
    trash: { bin: { handle: () => undefined, put: () => 'key' }, captures: store.captures },
    ...(held && { held }),
  });
  const say = (text = 'x', change?: Partial<NewFrame>): number => log.add(newFrame(text, change));
  /** `seq` of what is on disk. */
  const kept = async (): Promise<number[]> => (await framesOf(store.wire.log())).map(({ seq }) => seq);
  return { store, log, clock, errors, frames, say, kept };
}

/** Texts of a log as it is read, unwritten frames included. */
export async function textsOf(log: FrameLog, id?: string): Promise<(string | undefined)[]> {
  return (await framesOf(log.log(id))).map(({ text }) => text);
}

export const ofLamp = { source: 'device', connection: 'lamp' } as const satisfies LogName;
export const seqsOf = (rows: readonly Pick<Frame, 'seq'>[]): number[] => rows.map(({ seq }) => seq);
