import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

import type { Assertion, CallReport, collections, LatestRuns, SavedRun } from '../../contract/collections.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { CollectionRunInput, CollectionView, SavedCallRow } from '../../contract/types.ts';
import type { SavedRunStore } from '../../store/savedRunTypes.ts';
import { checkAssertions } from './checkAssertions.ts';
import { checkStored } from './checkStored.ts';
import type { SavedCall } from './format.ts';
import { pathProblem } from './jsonPath.ts';
import { openCollectionFolder, type CollectionFolder } from './collectionFolder.ts';
import { writeExact, type ExactJson } from '../../base/exactJson.ts';
import { readCollection, type Collection, type ReadFile } from './readCollection.ts';
import { markOf } from './hideSecrets.ts';
import { environmentOf, runCollection } from './runCollection.ts';
import { fillCall } from './runSavedCall.ts';
import { UnreadableFileError } from './unreadableFileError.ts';
import { secretMark, variablesIn, type VariableSources } from './variables.ts';
import { wrongPath } from './wrongPath.ts';
import { createCollection } from './writeCollection.ts';
import type { Calls } from '../calls/service.ts';
import type { FeatureContext } from '../context.ts';
import type { Trash } from '../trash/open.ts';
import type { RemovedPlace } from '../trash/removedBin.ts';
import { isCutText } from '../../store/historyRows.ts';
import type { Store } from '../../store/types.ts';
import { absolutePath } from '../../base/absolutePath.ts';
import { RequestError } from '../../base/requestError.ts';
import {
  environmentFile,
  readCall,
  readVariables,
  saveManifest,
  writeCall,
  writeVariables,
} from './collectionFiles.ts';
import { createOpenFolders, maxOpenFolders, type OpenFolders } from './openFolders.ts';
import { onlyDevice } from '../captures/onlyDevice.ts';

type OfFolder = { folder: string };
type OfFile = OfFolder & { file: string };
/** The environment and the device that variables are filled from. */
type Chosen = { environment?: string | undefined; device?: string | undefined };
type ForGood = { forGood?: boolean | undefined };
type Procedures = Partial<Implementation<typeof collections>>;
type Context = Pick<FeatureContext, 'toolRegistryManager' | 'events' | 'secrets' | 'onError'> & {
  store: Pick<Store, 'settings' | 'savedRuns' | 'history'>;
  trash: { bin: Pick<Trash['bin'], 'put' | 'takeOut' | 'handle'> };
  calls: Pick<Calls, 'execute' | 'beginSeries' | 'findSecretsWith'>;
};

/** What the other features use of the collections. */
export type Collections = Pick<ReturnType<typeof openCollections>, 'runCalls'>;

/**
 * Opens saved calls in their folders, and their runs through the one executor. Invalid requests reject with a
 * `RequestError`; only open folders are read or written.
 */
export function openCollections(context: Context) {
  const open = new OpenCollections(context);
  const { secrets, trash, calls } = context;
  const closing = new AbortController();
  trash.bin.handle('file', { restore: (place) => open.restoreFile(place), discard: () => undefined });
  // For a call by hand; it leaves the engine only with that call.
  calls.findSecretsWith(async (folder, name) => secrets.get(open.secretName(open.checked({ folder }).folder, name)));
  const service = {
    ...folderProcedures(open),
    ...fileProcedures(open),
    ...resultProcedures(open),
    filled: (input) => fill(open, input),
  } satisfies Implementation<Omit<typeof collections, 'run' | 'follow'>>;
  return {
    service,
    /** Runs calls one after the other, and reports each as it ends. */
    runCalls: (input: Omit<CollectionRunInput, 'runId'>, signal?: AbortSignal) =>
      runCalls(open, input, signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])),
    /** Stops all runs. */
    async close() {
      closing.abort();
      await open.folders.close();
    },
  };
}

/** The open folders, and what changes their files. */
class OpenCollections {
  readonly context: Context;
  readonly folders: OpenFolders;

  constructor(context: Context) {
    const { store, onError } = context;
    this.context = context;
    this.folders = createOpenFolders({ store: store.settings, onChange: () => this.#onChange(), onError });
  }

  #onChange(): void {
    this.context.events.emit('changed', 'collections');
  }

  secretName(folder: string, name: string): string {
    return `collection:${folder}:${name}`;
  }

  /** @throws {RequestError} If the folder is not open. */
  checked<T extends OfFolder>(input: T): T {
    if (this.folders.has(input.folder)) return input;
    throw new RequestError(`${input.folder} is not open. Open the collection first.`, { field: 'folder' });
  }

  async read(folder: string): Promise<Collection> {
    return readCollection(await openCollectionFolder(this.checked({ folder }).folder));
  }

  /** The sources of the variables of the collection, except secrets. */
  sourcesOf(collection: Collection, { environment, device }: Chosen): Pick<VariableSources, 'scopes' | 'device'> {
    const { toolRegistryManager } = this.context;
    return {
      scopes: [environmentOf(collection, environment), collection.manifest.variables ?? {}],
      device: async () => onlyDevice(toolRegistryManager.getAllTools(), device),
    };
  }

  /** Awaits a change to an open folder, and notifies the windows. */
  async changed<T>(work: Promise<T>): Promise<T> {
    const done = await work;
    this.#onChange();
    return done;
  }

  add(folder: string): OfFolder {
    if (!this.folders.has(folder) && this.folders.list().length >= maxOpenFolders)
      throw new RequestError(`${maxOpenFolders} collections are open already. Close one first.`, { field: 'folder' });
    this.folders.add(folder);
    return { folder };
  }

  async keepRun({ folder, file, run }: OfFile & { run: SavedRun }): Promise<void> {
    const { store, events } = this.context;
    await store.savedRuns.append(folder, file, run);
    // The collections themselves have not changed.
    events.emit('changed', 'savedRuns');
  }

  async restoreFile({ of, file, text }: RemovedPlace): Promise<void> {
    if (file === undefined || text === undefined) throw new Error('The trash has a file without its text.');
    const folder = await openCollectionFolder(of);
    if ((await folder.read(file)) !== undefined)
      throw new RequestError(`${file} exists again. Rename or remove that file first.`, { field: 'file' });
    await this.changed(folder.write(file, text, null));
  }

  /**
   * Kept before it is removed, so that a crash between the two loses nothing.
   * @throws {RequestError} With the field `forGood`, if it cannot be kept: a link, a file of over 4 MB.
   */
  async removeFile(path: string, file: string, { forGood = false }: ForGood): Promise<void> {
    const { bin } = this.context.trash;
    const folder = await openCollectionFolder(path);
    const found = await folder.read(file).catch((cause: unknown) => {
      if (!(cause instanceof UnreadableFileError)) throw cause;
      if (forGood) return undefined;
      throw new RequestError(`${cause.message} It could not be restored.`, { field: 'forGood', cause });
    });
    const text = found?.text;
    const kept = text === undefined ? undefined : bin.put({ kind: 'file', name: file, of: path, file, text });
    try {
      await folder.remove(file, found?.version); // Not what somebody else has put there since.
    } catch (error) {
      if (kept !== undefined) bin.takeOut(kept);
      throw error;
    }
  }
}

/** Which collections are open, and whether they are trusted. */
function folderProcedures(open: OpenCollections) {
  const { folders } = open;
  const { savedRuns } = open.context.store;
  return {
    async list() {
      await folders.watch();
      const views = await Promise.all(
        folders.list().map((folder) => collectionView(folder, { savedRuns, trusted: folders.isTrusted(folder) })),
      );
      return views.sort((a, b) => a.name.localeCompare(b.name));
    },
    async open({ folder: typed }) {
      const folder = await openCollectionFolder(absolutePath(typed, 'folder'));
      await readCollection(folder);
      return open.add(folder.path);
    },
    async create({ folder: typed, name }) {
      const path = absolutePath(typed, 'folder');
      const parent = dirname(path);
      await openCollectionFolder(parent).catch((cause: unknown) => {
        const message = `The parent folder "${parent}" does not exist. Create it first, or choose another place.`;
        throw new RequestError(message, { field: 'folder', cause });
      });
      await mkdir(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw new RequestError(error.message, { field: 'folder', cause: error });
      });
      const folder = await openCollectionFolder(path);
      await createCollection(folder, name);
      const added = open.add(folder.path);
      // Calls that were there already may come from anyone.
      if ((await folder.callFiles()).length === 0) folders.trust(folder.path, true);
      return added;
    },
    close: ({ folder }) => folders.remove(folder),
    trust: ({ trusted, ...input }) => folders.trust(open.checked(input).folder, trusted),
  } satisfies Procedures;
}

/** The calls, variables and secrets of a collection. The values of secrets do not leave the engine. */
function fileProcedures(open: OpenCollections) {
  const { secrets } = open.context;
  return {
    call: async (input) => readCall(open.checked(input)),
    saveCall: async (input) => open.changed(writeCall(open.checked(input))),
    async removeCall(input) {
      await open.changed(open.removeFile(open.checked(input).folder, input.file, input));
    },
    async reorder({ order, ...input }) {
      await open.changed(saveManifest(open.checked(input).folder, (manifest) => ({ ...manifest, order })));
    },
    async variables(input) {
      const view = await readVariables(open.checked(input));
      return { ...view, unset: unsetIn(await open.read(input.folder)) };
    },
    saveVariables: async (input) => open.changed(writeVariables(open.checked(input))),
    async removeEnvironment({ environment, ...input }) {
      await open.changed(open.removeFile(open.checked(input).folder, environmentFile(environment), input));
    },
    async secrets({ folder }) {
      const names = await namedSecrets(await openCollectionFolder(open.checked({ folder }).folder));
      return Promise.all(
        names.map(async (name) => ({ name, isSet: await secrets.has(open.secretName(folder, name)) })),
      );
    },
    async setSecret({ name, value, ...input }) {
      const key = open.secretName(open.checked(input).folder, name);
      await open.changed(value === undefined ? secrets.delete(key) : secrets.set(key, value));
    },
  } satisfies Procedures;
}

/** Results of calls: their assertions, and earlier runs. */
function resultProcedures(open: OpenCollections) {
  const { savedRuns, history } = open.context.store;
  return {
    checkPath: ({ path }) => ({ problem: pathProblem(path) }),
    async check({ callId, assertions, folder, file, ...chosen }) {
      const result = (await history.get(callId))?.result;
      if (result === undefined)
        throw new RequestError(`The call "${callId}" is not in the history.`, { field: 'callId' });
      const durations = folder === undefined || file === undefined ? [] : await savedRuns.passedDurations(folder, file);
      const input = { result, assertions, durations, isCut: isCutText(result.result) };
      if (folder === undefined || !assertions.some(namesVariable)) return checkAssertions(input);
      return checkStored(input, {
        ...open.sourcesOf(await open.read(folder), chosen),
        secret: async (name) => (await open.context.secrets.get(open.secretName(folder, name))) ?? markOf(name),
      });
    },
    runs: ({ folder, file, limit }) => savedRuns.list(folder, file, limit),
    passedDurations: ({ folder, file }) => savedRuns.passedDurations(folder, file),
    async latestRuns() {
      const all = open.folders
        .list()
        .map(async (folder) => [folder, Object.fromEntries(await savedRuns.latest(folder))]);
      return Object.fromEntries(await Promise.all(all)) as LatestRuns;
    },
    record: (run) => open.keepRun(run),
  } satisfies Procedures;
}

/** A call with its variables filled in, except secrets. */
async function fill(open: OpenCollections, { file, folder, ...chosen }: OfFile & Chosen) {
  const { secrets } = open.context;
  const collection = await open.read(folder);
  const call = collection.calls.find((each) => each.file === file);
  if (call?.value === undefined)
    throw new RequestError(`${file}: ${call?.problem ?? 'It is gone.'}`, { field: 'file' });
  const missing = new Set<string>();
  const { toolName, args } = await fillCall(call.value, {
    ...open.sourcesOf(collection, chosen),
    secret: async (name) => {
      if (!(await secrets.has(open.secretName(folder, name)))) missing.add(`$secret:${name}`);
      return markOf(name);
    },
    missing: (name) => {
      missing.add(name);
      return `{{${name}}}`;
    },
  });
  return { toolName, argsJson: writeExact(args, 2), missing: [...missing] };
}

/** The variables that calls name, and that neither the collection nor an environment nor a call sets. */
function unsetIn({ manifest, environments, calls }: Collection): string[] {
  const saved = calls.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const set = new Set([
    ...[manifest.variables, ...environments.map(({ value }) => value?.variables)].flatMap((all) =>
      Object.keys(all ?? {}),
    ),
    ...saved.flatMap(({ extract = {} }) => Object.keys(extract)),
  ]);
  const named = new Set(saved.flatMap((call) => variablesIn(call as ExactJson)));
  return [...named].filter((name) => !set.has(name)).sort();
}

function namesVariable(assertion: Assertion): boolean {
  return assertion.check === 'path' && writeExact(assertion.value ?? null).includes('{{');
}

async function* runCalls(
  open: OpenCollections,
  { confirmed = false, device, ...input }: Omit<CollectionRunInput, 'runId'>,
  signal: AbortSignal,
): AsyncGenerator<CallReport, void, void> {
  const { calls, secrets, store, toolRegistryManager } = open.context;
  const { folder } = input;
  const collection = await open.read(folder);
  const endSeries = calls.beginSeries();
  try {
    yield* runCollection({
      ...input,
      collection,
      confirmed,
      signal,
      givenSecrets: {},
      trusted: open.folders.isTrusted(folder),
      execute: (call, toEnd) => calls.execute({ ...call, origin: 'executor' }, toEnd),
      secret: (name) => secrets.get(open.secretName(folder, name)),
      device: async () => onlyDevice(toolRegistryManager.getAllTools(), device),
      durations: (file) => store.savedRuns.passedDurations(folder, file),
      record: async ({ file, verdict, durationMs, tool }) =>
        open.keepRun({ folder, file, run: { at: Date.now(), verdict, durationMs, tool } }),
    });
  } finally {
    endSeries();
  }
}

/** The secrets that a collection's files name, in order. Files that cannot be read name none. */
async function namedSecrets(folder: CollectionFolder): Promise<string[]> {
  const names = new Set<string>();
  const files = ['toolwire.json', ...(await folder.callFiles()), ...(await folder.environmentFiles())];
  for (const file of files) {
    const found = await folder.read(file).catch((error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
      return undefined; // The list of the collection says what is wrong with it.
    });
    for (const [, name = ''] of found?.text.matchAll(secretMark) ?? []) names.add(name);
  }
  return [...names].sort();
}

/** A collection as the tree shows it; one whose folder is gone says so. */
async function collectionView(
  folder: string,
  { savedRuns, trusted }: { savedRuns: SavedRunStore; trusted: boolean },
): Promise<CollectionView> {
  try {
    const { manifest, calls, environments, problems } = await readCollection(await openCollectionFolder(folder));
    const latest = await savedRuns.latest(folder);
    return {
      folder,
      name: manifest.name,
      problems,
      trusted,
      confirming: calls.filter(({ value }) => value?.confirm === true).length,
      calls: calls.map((call) => toRow(call, latest.get(call.file))),
      environments: environments.map(({ file, problem }) => ({
        name: file.slice('environments/'.length, -'.json'.length),
        ...(problem !== undefined && { problem }),
      })),
    };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const nothing = { trusted, confirming: 0, problems: [], calls: [], environments: [] };
    return { folder, name: basename(folder), problem: error.message, ...nothing };
  }
}

function toRow({ file, value, ...read }: ReadFile<SavedCall>, last: SavedRun | undefined): SavedCallRow {
  const problem = read.problem ?? (value && wrongPath(value)?.message);
  return {
    file,
    name: value?.name ?? file,
    ...(value !== undefined && { tool: value.tool }),
    ...(problem !== undefined && { problem }),
    assertions: value?.assertions?.length ?? 0,
    ...(last !== undefined && { last }),
  };
}
