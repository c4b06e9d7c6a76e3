import type { devices } from '../../../contract/devices.ts';
import type { Implementation } from '../../../contract/implementation.ts';
import type { WireFrame, WireRow } from '../../../contract/types.ts';
import type { DeviceHub } from '../deviceHub.ts';
import type { CaptureStore, FrameLog, WireStore } from '../../../store/frameTypes.ts';
import { RequestError } from '../../../base/requestError.ts';
import { memoryLog } from './memoryLog.ts';
import type { RemovedBin } from '../../trash/removedBin.ts';
import { putLogBack } from '../../trash/removedLogs.ts';
import type { WireRecorder } from './wireRecorder.ts';

/** Which log: a device's (the hub's id), an imported capture's, or all devices' if neither is set. */
interface LogSource {
  id?: string | undefined;
  captureId?: string | undefined;
}

/** The logs of devices' connections, and the captures imported from them. */
export type LogsService = ReturnType<typeof createLogsService>;

/** Frames of a call that are returned at most, and the characters of their texts. */
const maxCallFrames = 2_000;
const maxCallChars = 2_000_000;

/**
 * Logs of devices and captures, out of the store. What came a moment ago is there: it is written before it is read. Of a
 * device that was never approved nothing is stored; its log is what memory holds.
 */
export function createLogsService(options: {
  wire: WireStore;
  captures: CaptureStore;
  recorder: Pick<WireRecorder, 'flush' | 'upcomingSeq' | 'keeps'>;
  hub: Pick<DeviceHub, 'device' | 'frames'>;
  bin: Pick<RemovedBin, 'handle' | 'put'>;
  onChange: () => void;
}) {
  const { wire, captures, recorder, hub, bin, onChange } = options;

  bin.handle('log', {
    async restore({ id: key, of }) {
      recorder.flush();
      await putLogBack(wire, key, of);
      onChange();
    },
    discard: ({ id: key }) => wire.drop(key),
  });

  async function logOf({ id, captureId }: LogSource): Promise<FrameLog> {
    if (captureId === undefined) {
      recorder.flush();
      const log = wire.log(id);
      const isStranger = id !== undefined && !recorder.keeps(id) && hub.device(id) !== undefined;
      return isStranger && (await log.bounds()) === undefined ? memoryLog(hub, id) : log;
    }
    if (id !== undefined) throw new RequestError('Name a device or a capture, not both.', { field: 'captureId' });
    if ((await captures.get(captureId)) === undefined)
      throw new RequestError(`There is no capture "${captureId}".`, { field: 'captureId' });
    return captures.log(captureId);
  }

  return {
    async log({ afterSeq = -1, limit, ...source }) {
      const log = await logOf(source);
      const upcoming = recorder.upcomingSeq;
      const { first, last } = (await log.bounds()) ?? { first: upcoming, last: upcoming - 1 };
      // What is read is what was written: the hub's frames, or a capture's, checked when they came in.
      return { rows: (await log.rows({ afterSeq, limit })) as WireRow[], firstSeq: first, lastSeq: last };
    },
    async frame({ seq, ...source }) {
      const frame = await (await logOf(source)).frame(seq);
      if (frame !== undefined) return frame as WireFrame;
      throw new RequestError(`Frame ${seq} is not in the log. The limit for logs, or a person, has let it go.`, {
        field: 'seq',
      });
    },
    searchLog: async ({ text, ...source }, signal?) => ({ seqs: await (await logOf(source)).search(text, signal) }),
    async callFrames({ callId }) {
      recorder.flush();
      const frames = await wire.callFrames(callId, { limit: maxCallFrames, characters: maxCallChars });
      return frames.reverse() as WireFrame[];
    },
    async clearLog({ id }) {
      recorder.flush();
      const device = await wire.device(id);
      if ((await wire.log(id).bounds()) === undefined) return;
      const key = bin.put({ kind: 'log', name: device?.name ?? id, of: id });
      await wire.setAside(id, { key, keepFacts: true });
      onChange();
    },
  } satisfies Implementation<Pick<typeof devices, 'callFrames' | 'log' | 'frame' | 'searchLog' | 'clearLog'>>;
}
