import { statSync } from 'node:fs';

import { describeThrown } from '../../base/describeThrown.ts';
import { serversOf } from '../../base/isBrokerAddress.ts';
import { RequestError } from '../../base/requestError.ts';
import { localize } from '../../base/messages/localize.ts';
import type { CallQuestion } from '../../contract/callRecords.ts';
import type { CallPage, CallSearch, ClusterInfo, ClusterSettings } from '../../contract/cluster.ts';
import type { DeviceInfo } from '../../contract/deviceInfo.ts';
import type { CallDecision } from '../calls/callQuestions.ts';
import { hasLeft } from './callErrors.ts';
import { searchAlone } from './searchNodes.ts';
import { JoinedCluster, type NodeDeps } from './joinedCluster.ts';
import type { SessionNodes, GatewaySessions } from './movedSession.ts';
import { pictureNodes, type PictureNodes, type PictureReceiver } from './relayedPictures.ts';
import { OwnDecisions } from './ownDecisions.ts';
import type { AskingSource } from './sharedQuestions.ts';
import { sessionNodes } from './sharedSessions.ts';
import type { TokenSecrets } from './tokenSecrets.ts';

/** The cluster that a workbench joins from its start. */
export type ClusterOptions = ClusterSettings;

type ClusterDeps = Omit<NodeDeps, 'sources' | 'own' | 'sessionStore' | 'receiver'> & {
  tokens: TokenSecrets;
  /** False in a workbench that a terminal starts for one command: it joins only a cluster that is named. */
  joins: boolean;
};

/** What the other features use of a cluster. */
export interface Cluster {
  service: {
    info: () => ClusterInfo;
    questions: () => CallQuestion[];
    decide: (input: CallDecision) => Promise<void>;
    attend: (input: { callId: string }) => Promise<void>;
  };
  /** The nodes that pictures can be passed on to. */
  pictures: PictureNodes;
  /** The sessions of the LLM gateways of all nodes. */
  sessions: SessionNodes;
  /** Looks through the history of all nodes. */
  search: (query: CallSearch, signal?: AbortSignal) => Promise<CallPage>;
  /** The devices of the other nodes. */
  devices: () => DeviceInfo[];
  /** Whether the other nodes do not know yet that this device of the network is approved, with this Client-Id if one is given. */
  isUnshared: (id: string, clientId?: string) => boolean;
  /** The Client-Id with which this device of the network is approved; undefined if it is not. */
  approvedAs: (deviceId: string) => string | undefined;
  /**
   * The user's decision on a device of the network that is at another node. Without `clientId`, it is not approved. Resolves with why the
   * other nodes do not know it; undefined if they do.
   */
  decideOn: (deviceId: string, clientId?: string) => Promise<string | undefined>;
  /** Resolves with the reason if the last decision on this device could not be shared with the other nodes. */
  untilShared: (deviceId: string) => Promise<string | undefined>;
  /**
   * Prepares the end of this node: running calls finish, and its devices move to the others. At most 30 s. `onBegin` is called if there
   * are others.
   */
  drain: (onBegin?: () => void) => Promise<void>;
  /** Sets what asks the user about calls at this node: about a device of another node, it asks there as well. */
  shareQuestionsOf: (sources: readonly AskingSource[]) => void;
  close: () => unknown;
}

const noCall = (): Promise<never> =>
  Promise.reject(new RequestError(localize('calls.notWaiting'), { field: 'callId' }));

/**
 * Joins the cluster that was named at the start, or else the one of the settings: its devices are listed and called in every window.
 * Without the broker, this node's own devices go on. Without a cluster, nothing is opened.
 */
export function openCluster(deps: ClusterDeps, named: ClusterOptions | undefined): Cluster {
  const { events, tokens, onError } = deps;
  const own = new OwnDecisions(deps);
  deps.devices.earlier.isElsewhere = (id) => joined?.isElsewhere(id) === true;
  let joined: JoinedCluster | undefined;
  /** Why the cluster could not be joined. */
  let problem: string | undefined;
  let isClosed = false;
  let sources: readonly AskingSource[] = [];
  let sessionStore: GatewaySessions | undefined;
  let receiver: PictureReceiver | undefined;
  let changing: Promise<void> = Promise.resolve();

  /** @throws {RequestError} If a file of the options cannot be used. */
  async function join(options: ClusterOptions): Promise<void> {
    const left = joined;
    joined = problem = undefined;
    await left?.close();
    announce(events);
    if (isClosed) return;
    try {
      tokens.use(options.url === '' ? undefined : options, () => announce(events));
      if (options.url === '') return;
      reportReadable(options, onError);
      joined = new JoinedCluster(
        { ...deps, own, sources: () => sources, sessionStore: () => sessionStore, receiver: () => receiver },
        options,
        named !== undefined,
      );
    } catch (error) {
      problem = describeThrown(error);
      throw error;
    }
  }

  /** One change after the other. */
  function change(options: ClusterOptions): Promise<void> {
    const done = changing.then(() => join(options));
    changing = done.catch(() => undefined);
    return done;
  }

  const first = named ?? deps.settings().cluster;
  if (named !== undefined || deps.joins)
    change(first).catch((error: unknown) => onError(error, `the cluster "${first.name}"`));
  events.on('settingsChanged', ({ next, isOf, waitUntil }) => {
    if (named === undefined && isOf('cluster')) waitUntil(change(next.cluster));
    if (isOf('dangerousTools', 'toolCallConfig')) joined?.askFirstChanged();
  });
  events.on('changed', (topic) => {
    if (topic !== 'devices' && topic !== 'cluster') joined?.questions.changed();
  });
  return {
    service: {
      questions: () => joined?.questions.list() ?? [],
      decide: (input) => joined?.questions.decide(input) ?? noCall(),
      attend: ({ callId }) => joined?.questions.attend(callId) ?? noCall(),
      info: () => joined?.info() ?? infoAlone(deps, { named, problem }),
    },
    pictures: pictureNodes(() => joined?.pictures, { receiveWith: (given) => void (receiver = given) }),
    sessions: sessionNodes({ joined: () => joined?.sessions, host: (given) => void (sessionStore = given) }),
    search: (query, signal) => joined?.search(query, signal) ?? searchAlone(deps.store.history, query, signal),
    devices: () => joined?.devices() ?? [],
    shareQuestionsOf: (given) => void (sources = given),
    isUnshared: (...device) => joined?.isUnshared(...device) === true,
    approvedAs: (deviceId) => deps.devices.approvals.get(deviceId),
    decideOn: (...decision) => decideOn({ own, joined }, ...decision),
    untilShared: (deviceId) => joined?.untilShared(deviceId) ?? Promise.resolve(undefined),
    drain: (onBegin) => joined?.drain(onBegin) ?? Promise.resolve(),
    async close() {
      isClosed = true;
      await changing;
      await joined?.close();
      tokens.close();
      own.close();
    },
  };
}

function announce(events: ClusterDeps['events']): void {
  events.emit('changed', 'devices');
  events.emit('changed', 'cluster');
}

async function decideOn(
  { own, joined }: { own: OwnDecisions; joined: JoinedCluster | undefined },
  ...[deviceId, clientId]: Parameters<Cluster['decideOn']>
): Promise<string | undefined> {
  own.decide(deviceId, clientId);
  return joined === undefined ? hasLeft : joined.untilShared(deviceId);
}

/** Reports the files of secrets that every user of the machine can read. */
function reportReadable({ name, nkeyFile, tokenFile = '' }: ClusterOptions, onError: ClusterDeps['onError']): void {
  const files = { '--cluster-nkey': nkeyFile, '--cluster-token-file': tokenFile };
  for (const [flag, file] of Object.entries(files))
    if (file !== '' && canAllRead(file))
      onError(
        `Every user of this machine can read "${file}" (${flag}). Protect it: chmod o-r`,
        `the cluster "${name}"`,
      );
}

/** False if it cannot be known. */
function canAllRead(file: string): boolean {
  try {
    return process.platform !== 'win32' && (statSync(file).mode & 0o004) !== 0;
  } catch {
    return false;
  }
}

/** `problem`: why the cluster could not be joined. */
function infoAlone(
  { settings, tokens }: ClusterDeps,
  { named, problem }: { named: ClusterOptions | undefined; problem: string | undefined },
): ClusterInfo {
  if (problem === undefined) return { nodes: [] };
  const used = named ?? settings().cluster;
  const alone = { isConnected: false, isFixed: named !== undefined, hasTokenSecret: tokens.isOfCluster };
  const shown = { ...used, url: serversOf(used.url).join(', ') };
  return { joined: { name: used.name, problem, settings: shown, ...alone }, nodes: [] };
}
