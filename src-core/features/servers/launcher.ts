import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import { hasAuthorization } from '../../mcp/describeFailure.ts';
import type { McpConnection, Root } from '../../mcp/types.ts';
import { logIdOf } from '../../store/frameTypes.ts';
import type { Calls } from '../calls/service.ts';
import type { FeatureContext } from '../context.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import { createMcpFrames } from '../frames/mcp/mcpFrames.ts';
import { approvalOf, consentFacts, consentSheet, missingIn, type Approval } from './consent.ts';
import { LiveServer, type LiveServerDeps } from './liveServer.ts';
import type { Listed } from './listed.ts';
import type { Pins } from './pins.ts';
import type { KeptServer, ServerBook } from './serverBook.ts';
import type { createServerRequests } from './serverRequests.ts';
import { createSecretMask, type StartTarget } from './serverSecrets.ts';
import type { SignIns } from './signIn.ts';
import { readChange, type ChangedEntry } from './sourceFile.ts';

interface LauncherDeps extends Pick<
  FeatureContext,
  'clock' | 'closing' | 'settings' | 'toolRegistryManager' | 'onError'
> {
  book: ServerBook;
  frames: FrameLog;
  requests: ReturnType<typeof createServerRequests>;
  pins: Pins;
  signIns: SignIns;
  calls: Pick<Calls, 'resumeTasks'>;
  onChange: () => void;
  onResult: LiveServerDeps['onResult'] & {};
}

/** Starts servers, each with a configuration that the user has approved. */
export class Launcher {
  readonly #live = new Map<string, LiveServer>();
  /** What is approved until the workbench closes. */
  readonly #approvedOnce = new Map<string, Approval>();
  readonly #deps: LauncherDeps;
  readonly #book: ServerBook;

  constructor(deps: LauncherDeps) {
    this.#deps = deps;
    this.#book = deps.book;
  }

  of(id: string): LiveServer {
    const known = this.#live.get(id);
    if (known !== undefined) return known;
    const created = createLive(id, this.#deps, () => this.retry(id));
    this.#live.set(id, created);
    return created;
  }

  find(id: string): LiveServer | undefined {
    return this.#live.get(id);
  }

  connectionOf(id: string): McpConnection {
    const { name } = this.#book.get(id);
    const connection = this.find(id)?.connection;
    if (connection === undefined) throw new RequestError(localize('servers.notReady', { name }));
    return connection;
  }

  /** The names of the tools of all other servers, those that were not started since the workbench opened included. */
  toolsBeside(id: string): ReadonlySet<string> {
    const others = this.#book.list().filter((each) => each.id !== id);
    return new Set(
      others.flatMap((each) => [
        ...this.#deps.pins.namesOf(each.id),
        ...(this.find(each.id)?.listed.tools.map(({ name }) => name) ?? []),
      ]),
    );
  }

  /** The endpoint to start, if exactly this is approved; undefined if the user must be asked. */
  async approvedTarget(server: KeptServer): Promise<StartTarget | undefined> {
    const expanded = await this.#book.expand(server);
    const { fingerprint } = await consentFacts(expanded);
    if (
      !this.#isApproved(server, fingerprint) ||
      missingIn(expanded).length > 0 ||
      (await this.fileChangeOf(server.id)) !== undefined
    )
      return undefined;
    return { endpoint: expanded.endpoint, mask: createSecretMask(expanded.endpoint, expanded.values) };
  }

  /** The current entry in the file that it was imported from, if it differs. */
  async fileChangeOf(id: string): Promise<ChangedEntry | undefined> {
    const { file } = (await this.#book.sourceOf(id)) ?? {};
    return file && readChange(file);
  }

  async start(id: string): Promise<void> {
    const server = this.#book.get(id);
    const stopped = this.of(id).stop(true);
    await this.#launch(server, stopped, (running, target) => {
      describeLog(server, this.#deps);
      running.start(server, target);
    });
  }

  async retry(id: string): Promise<void> {
    const server = this.#book.get(id);
    await this.#launch(server, undefined, (running, target) => running.retry(server, target));
  }

  /** Restarts it if it runs or waits for the user. Returns whether it does. */
  async restart(id: string): Promise<boolean> {
    const runs = this.of(id).state !== 'stopped';
    if (runs) await this.start(id);
    return runs;
  }

  async consent(id: string) {
    const server = this.#book.get(id);
    const { file } = (await this.#book.sourceOf(id)) ?? {};
    const { added = file && { how: 'file' as const, file: file.path } } = server;
    const fileChange = (await this.fileChangeOf(id))?.change;
    const sheet = await consentSheet(await this.#book.expand(server), server.approvedBefore ?? server.approved);
    return { ...sheet, ...(added && { added }), ...(fileChange && { fileChange }) };
  }

  async approve({ id, fingerprint, always }: { id: string; fingerprint: string; always: boolean }): Promise<void> {
    const server = this.#book.get(id);
    const { name } = server;
    const expanded = await this.#book.expand(server);
    const now = await approvalOf(expanded);
    if (now.fingerprint !== fingerprint || (await this.fileChangeOf(id)) !== undefined)
      throw new RequestError(localize('servers.changedMeanwhile', { name }));
    const missing = missingIn(expanded);
    if (missing.length > 0) {
      const variables = missing.map(({ written }) => written).join(', ');
      throw new RequestError(localize('servers.noValue', { name, variables }));
    }
    // A server that runs, or starts, with this approval is not restarted.
    const keepsRunning = ['starting', 'ready'].includes(this.of(id).state) && this.#isApproved(server, fingerprint);
    this.#book.approve(id, now, always);
    if (!always) this.#approvedOnce.set(id, now);
    if (!keepsRunning) await this.start(id);
  }

  async decline(id: string): Promise<void> {
    this.#book.withdraw(id);
    this.#approvedOnce.delete(id);
    await this.of(id).stop();
  }

  /** Stops a server that is being removed. */
  async drop(id: string): Promise<void> {
    const running = this.find(id);
    this.#live.delete(id);
    this.#approvedOnce.delete(id);
    await running?.stop();
  }

  /** Restarts a server that is up after a change of its access. `allowed`: what the user has allowed. */
  async restartWith(id: string, allowed: Listed['allowed']): Promise<void> {
    const { isUp, listed } = this.of(id);
    if (!isUp) return;
    listed.allowed = allowed;
    await this.start(id);
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#live.values()].map((server) => server.stop()));
  }

  async #launch(
    server: KeptServer,
    stopped: Promise<void> | undefined,
    begin: (running: LiveServer, target: StartTarget) => void,
  ): Promise<void> {
    const running = this.of(server.id);
    const { turn } = running;
    await stopped;
    const target = await this.approvedTarget(server).catch(async (cause: unknown) => {
      if (running.turn === turn) await running.stop();
      throw cause;
    });
    // It was stopped, started again or removed meanwhile.
    if (this.find(server.id) !== running || running.turn !== turn) return;
    if (target === undefined) running.ask();
    else begin(running, target);
  }

  #isApproved({ id, approved }: KeptServer, fingerprint: string): boolean {
    return [this.#approvedOnce.get(id), approved].some((each) => each?.fingerprint === fingerprint);
  }
}

function createLive(id: string, deps: LauncherDeps, retry: () => Promise<void>): LiveServer {
  const { book, clock, settings, frames, requests, pins, signIns, calls, onError } = deps;
  return new LiveServer({
    ...deps,
    frames: (mask) => createMcpFrames({ frames, clock, source: 'mcp', connection: id, mask }),
    handlers() {
      const server = book.get(id);
      return {
        elicit: (...asked) => requests.elicit(server, ...asked),
        ...(server.sampling && { sample: (...asked) => requests.sample(book.get(id), ...asked) }),
        explainRefusal: (method) => refusals[method],
        ...(server.roots.length > 0 && { listRoots: () => Promise.resolve(book.get(id).roots as Root[]) }),
      };
    },
    maxMessageBytes: () => settings().mcpMessageMib * 1_048_576,
    kept: () => book.get(id),
    keepSilent: (silent) => book.set(id, { silent }),
    check: (tools) => pins.check(id, tools),
    async signIn(endpoint, of) {
      if (endpoint.type !== 'http' && endpoint.type !== 'sse') return undefined;
      if (hasAuthorization(endpoint)) return undefined;
      return signIns.begin(book.get(id), endpoint, of);
    },
    onReady: () => calls.resumeTasks(id),
    onRetry: () => void retry().catch((error: unknown) => onError(error, 'an MCP server')),
  });
}

/** How the user allows what a server asks for. */
const refusals: Record<string, string> = {
  'roots/list':
    'roots/list is not allowed for this server. To allow it, open Access of the server in Toolwire and add a folder under Roots.',
  'sampling/createMessage':
    'sampling/createMessage is not allowed for this server. To allow it, open Access of the server in Toolwire and turn on May ask for replies from a model.',
};

/** Keeps the facts of a log, which outlives its server. */
function describeLog({ id, name }: KeptServer, { clock, frames }: LauncherDeps): void {
  const now = clock.wall();
  const log = logIdOf({ source: 'mcp', connection: id });
  frames.about({ id: log, deviceId: id, name, virtual: false, connectedAt: now, lastSeenAt: now });
}
