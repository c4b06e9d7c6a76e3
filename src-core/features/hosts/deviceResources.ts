import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server';

import type { Clock } from '../../base/clock.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import type { FrameRow } from '../../contract/frames.ts';
import type { DeviceInfo, VisionRequest } from '../../contract/types.ts';
import type { ToolSource } from '../../base/toolTypes.ts';
import type { StoredLog } from '../../store/frameTypes.ts';
import type { Devices } from '../devices/open.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import type { HostOffer } from './hostServer.ts';
import { gatherChanges, type OfferedResources } from './offered.ts';

/** Rows of a log that a host reads: the last ones. */
const maxRows = 200;
const pageRows = 1_000;
const maxSummary = 300;

const kinds = {
  info: { title: 'State', mimeType: 'application/json' },
  log: { title: 'Log', mimeType: 'text/plain' },
  picture: { title: 'Last picture', mimeType: 'image/jpeg' },
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];
const templates = kindNames.map((kind) => ({
  uriTemplate: `toolwire://device/{id}/${kind}`,
  name: `device ${kind}`,
  title: `${kinds[kind].title} of a device`,
  ...(kind !== 'picture' && { mimeType: kinds[kind].mimeType }),
}));

/** The pictures that devices sent, as the vision feature keeps them. */
export interface DevicePictures {
  /** Returns the pictures of a device, the newest first. */
  list(): VisionRequest[];
  picture(of: { id: string }): { mediaType: string; base64: string };
}

/** What hosts read of devices: `toolwire://device/<id>/info`, `log` and `picture`. */
export function createDeviceResources(options: {
  hub: Pick<Devices['hub'], 'device'>;
  frames: Pick<FrameLog, 'log'>;
  pictures: DevicePictures;
  clock: Pick<Clock, 'after'>;
  /** The devices that the host is offered, by the ids of the hub. */
  sources: () => readonly ToolSource[];
  /** Calls the listener when devices or pictures may have changed. Returns the function that unsubscribes. */
  onSources: (listener: () => void) => () => void;
}): {
  resources: OfferedResources;
  complete: NonNullable<HostOffer['complete']>;
  onOtherChange: HostOffer['onChange'];
} {
  const { hub, frames, pictures, clock, sources, onSources } = options;
  const lastPicture = (id: string) => pictures.list().find(({ deviceId }) => deviceId === id);

  function resourcesOf({ id, label }: ToolSource): Resource[] {
    const picture = lastPicture(id);
    return kindNames.flatMap((kind) => {
      if (kind === 'picture' && picture === undefined) return [];
      const { title, mimeType } = kinds[kind];
      const type = kind === 'picture' ? (picture?.mediaType ?? mimeType) : mimeType;
      return [{ uri: uriOf(id, kind), name: `${label}: ${kind}`, title: `${label}: ${title}`, mimeType: type }];
    });
  }

  async function read(uri: string): Promise<ReadResourceResult | undefined> {
    const [, encoded = '', kind] = /^toolwire:\/\/device\/([^/]{1,2000})\/(info|log|picture)$/.exec(uri) ?? [];
    const source = sources().find(({ id }) => encodeURIComponent(id) === encoded);
    if (source === undefined) return undefined;
    if (kind === 'log') return { contents: [{ uri, mimeType: 'text/plain', text: await logOf(frames, source.id) }] };
    if (kind === 'info') {
      const text = JSON.stringify(infoOf(source, hub.device(source.id)), undefined, 2);
      return { contents: [{ uri, mimeType: 'application/json', text }] };
    }
    const picture = lastPicture(source.id);
    if (picture === undefined) return undefined;
    const { mediaType, base64 } = pictures.picture(picture);
    return { contents: [{ uri, mimeType: mediaType, blob: base64 }] };
  }

  /** The id of the last picture by the URI of each resource; empty for those without pictures. */
  function stateOf(): Map<string, string> {
    return new Map(
      sources().flatMap((source) =>
        resourcesOf(source).map(({ uri }) => [uri, uri.endsWith('/picture') ? (lastPicture(source.id)?.id ?? '') : '']),
      ),
    );
  }

  return {
    resources: { list: () => sources().flatMap(resourcesOf), templates: () => templates, read },
    complete({ ref, argument }) {
      if (!isJsonObject(ref) || !isJsonObject(argument) || argument['name'] !== 'id') return [];
      if (!String(ref['uri']).startsWith('toolwire://device/{id}/')) return [];
      return sources().flatMap(({ id }) => (id.startsWith(String(argument['value'])) ? [id] : []));
    },
    onOtherChange(listener) {
      let known = stateOf();
      return gatherChanges({
        clock,
        subscribe: onSources,
        announce() {
          const now = stateOf();
          if ([...now.keys()].join('\n') !== [...known.keys()].join('\n')) listener('resources');
          for (const [uri, picture] of now) if (picture !== (known.get(uri) ?? picture)) listener({ updated: uri });
          known = now;
        },
      });
    },
  };
}

async function logOf(frames: Pick<FrameLog, 'log'>, id: string): Promise<string> {
  const log = frames.log(id);
  const bounds = await log.bounds();
  if (bounds === undefined) return '';
  // Frames of all devices share their numbers, so a part of the log may have few of this one.
  for (let span = maxRows; ; span *= 8) {
    const start = Math.max(bounds.last - span, bounds.first - 1);
    const rows = await lastRows(log, start);
    if (rows.length === maxRows || start < bounds.first) return rows.map(lineOf).join('');
  }
}

async function lastRows(log: Pick<StoredLog, 'rows'>, start: number): Promise<FrameRow[]> {
  let last: FrameRow[] = [];
  for (let afterSeq = start; ;) {
    const page = await log.rows({ afterSeq, limit: pageRows });
    last = [...last, ...page].slice(-maxRows);
    if (page.length < pageRows) return last;
    afterSeq = page.at(-1)?.seq ?? afterSeq;
  }
}

function uriOf(id: string, kind: Kind): string {
  return `toolwire://device/${encodeURIComponent(id)}/${kind}`;
}

/** The facts of a device without its address, its tokens and its connections. */
function infoOf({ id, label }: ToolSource, device: DeviceInfo | undefined): JsonObject {
  if (device === undefined) return { id, name: label, state: 'gone' };
  const { deviceId, state, board, firmware, toolCount, connectedAt, lastSeenAt, leftAt, latency, error } = device;
  const time = (at: number): string => new Date(at).toISOString();
  return {
    id,
    name: device.name,
    deviceId,
    state,
    ...(board !== undefined && { board }),
    ...(firmware !== undefined && { firmware }),
    toolCount,
    connectedAt: time(connectedAt),
    lastSeenAt: time(lastSeenAt),
    ...(leftAt !== undefined && { leftAt: time(leftAt) }),
    ...(latency && { latencyMs: { last: latency.lastMs, median: latency.p50Ms } }),
    ...(error && { error: { ...error } }),
  };
}

function lineOf({ at, direction, kind, type, summary, bytes, durationMs, failed }: FrameRow): string {
  const took = durationMs === undefined ? '' : `, ${Math.round(durationMs)} ms`;
  const what = maskSecrets(`${type} ${summary}`.slice(0, maxSummary)).replace(/\s+/g, ' ');
  return `${new Date(at).toISOString()} ${direction} ${kind} ${what} (${bytes} bytes${took})${failed === true ? ' FAILED' : ''}\n`;
}
