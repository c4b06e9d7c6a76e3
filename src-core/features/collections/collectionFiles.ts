import { basename } from 'node:path';
import type * as z from 'zod';

import { ChangedFileError, openCollectionFolder, type CollectionFolder } from './collectionFolder.ts';
import { isJsonObject, parseExact, writeExact, type ExactJson } from '../../base/exactJson.ts';
import { environmentSchema, manifestSchema, savedCallSchema } from './format.ts';
import type { Manifest, SavedCall, Variables } from './format.ts';
import { portabilityProblem } from './portableName.ts';
import { readText } from './readCollection.ts';
import { fileText, freeCallFile } from './writeCollection.ts';
import { wrongPath } from './wrongPath.ts';
import type { SavedCallDraft, SaveOutcome, VariablesView } from '../../contract/types.ts';
import { describeFieldIssue } from '../../base/describeFieldIssue.ts';
import { describeJsonFault } from '../../base/describeJsonFault.ts';
import { RequestError } from '../../base/requestError.ts';

type Place = { folder: string; file: string };
type VersionToReplace = { version?: string | null | undefined };

/** Reads one saved call for editing. @throws {RequestError} If the file is missing or not a valid saved call. */
export async function readCall({ folder, file }: Place): Promise<{ version: string; draft: SavedCallDraft }> {
  const found = await (await openCollectionFolder(folder)).read(file);
  if (found === undefined) throw new RequestError(`${file} is gone.`, { field: 'file' });
  const { value, problem } = readText(found.text, savedCallSchema);
  if (value === undefined) throw new RequestError(`${file}: ${problem ?? ''}`, { field: 'file' });
  const { name, description, tool, timeoutMs, confirm, extract, assertions = [] } = value;
  const argsJson = writeExact(value.arguments, 2);
  return {
    version: found.version,
    draft: { name, description, tool, argsJson, timeoutMs, confirm, extract, assertions },
  };
}

/**
 * Writes a saved call; without `file` into a new one.
 * @throws {RequestError} If the arguments are not a JSON object.
 */
export async function writeCall({
  folder,
  file,
  version,
  draft,
}: { folder: string; file?: string | undefined; draft: SavedCallDraft } & VersionToReplace): Promise<SaveOutcome> {
  const at = await openCollectionFolder(folder);
  const { name, description, tool, argsJson, timeoutMs, confirm, extract, assertions } = draft;
  const call: SavedCall = {
    ...(file !== undefined && (await kept$schema({ folder, file }, savedCallSchema))),
    name,
    ...(description !== undefined && description !== '' && { description }),
    tool,
    arguments: objectOf(argsJson, 'argsJson'),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(confirm === true && { confirm }),
    ...(extract !== undefined && Object.keys(extract).length > 0 && { extract }),
    ...(assertions.length > 0 && { assertions }),
  };
  const checked = savedCallSchema.safeParse(call);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    if (issue === undefined) throw new RequestError('The call cannot be saved.', { field: 'draft' });
    throw new RequestError(describeFieldIssue(issue, 'The call'), { field: issue.path.join('.') });
  }
  const wrong = wrongPath(call);
  if (wrong !== undefined) throw new RequestError(wrong.message, { field: wrong.field });
  if (file !== undefined) return save(folder, file, fileText(call), version);
  const taken: string[] = [];
  for (;;) {
    const free = await freeCallFile(at, name, taken);
    const outcome = await save(folder, free, fileText(call), null);
    if (outcome.saved) return outcome;
    taken.push(free); // Another new call of that name was quicker.
  }
}

/** Variables of the collection, or of one environment; empty for an environment that does not exist yet. */
export async function readVariables({
  folder,
  environment,
}: {
  folder: string;
  environment?: string | undefined;
}): Promise<Omit<VariablesView, 'unset'>> {
  if (environment === undefined) {
    const { manifest, version } = await readManifest(folder);
    return { version, variablesJson: writeExact(manifest.variables ?? {}, 2) };
  }
  const file = environmentFile(environment);
  const found = await (await openCollectionFolder(folder)).read(file);
  if (found === undefined) return { environment, version: '', variablesJson: '{}' };
  const { value, problem } = readText(found.text, environmentSchema);
  if (value === undefined) throw new RequestError(`${file}: ${problem ?? ''}`, { field: 'environment' });
  return { environment, version: found.version, variablesJson: writeExact(value.variables, 2) };
}

/** Writes what `readVariables` reads. @throws {RequestError} If they are not a JSON object, or a name is invalid. */
export async function writeVariables({
  folder,
  environment,
  version,
  variablesJson,
}: {
  folder: string;
  environment?: string | undefined;
  variablesJson: string;
} & VersionToReplace): Promise<SaveOutcome> {
  const given = environmentSchema.safeParse({ variables: objectOf(variablesJson, 'variablesJson') });
  if (!given.success) {
    const [issue] = given.error.issues;
    const why = issue && describeFieldIssue({ ...issue, path: issue.path.slice(1) }, '"variables"');
    throw new RequestError(why ?? 'The variables cannot be saved.', { field: 'variablesJson' });
  }
  const { variables } = given.data;
  if (environment !== undefined) {
    const replaces = version === '' ? null : version;
    const file = environmentFile(environment);
    const kept = await kept$schema({ folder, file }, environmentSchema);
    return save(folder, file, fileText({ ...kept, variables }), replaces);
  }
  return saveManifest(folder, (manifest) => ({ ...manifest, variables }), version);
}

/** Changes toolwire.json. Other fields are kept, including concurrent changes to them. */
export async function saveManifest(
  folder: string,
  change: (manifest: Manifest) => Manifest,
  version?: string | null,
): Promise<SaveOutcome> {
  for (;;) {
    const read = await readManifest(folder);
    const outcome = await save(folder, 'toolwire.json', fileText(change(read.manifest)), version ?? read.version);
    // Unless the user chose what to replace, it replaces the version that was read: read again if the file has changed.
    if (outcome.saved || typeof version === 'string') return outcome;
  }
}

/** The file of an environment; a name that is a path is refused when the file is opened. */
export function environmentFile(name: string): string {
  return `environments/${name}.json`;
}

async function readManifest(folder: string): Promise<{ manifest: Manifest; version: string }> {
  const found = await (await openCollectionFolder(folder)).read('toolwire.json');
  const { value, problem = 'it is gone.' } = found === undefined ? {} : readText(found.text, manifestSchema);
  if (found === undefined || value === undefined)
    throw new RequestError(`${folder}/toolwire.json: ${problem}`, { field: 'folder' });
  return { manifest: value, version: found.version };
}

async function save(
  folder: string,
  file: string,
  text: string,
  version: string | null | undefined,
): Promise<SaveOutcome> {
  const at = await openCollectionFolder(folder);
  if (typeof version !== 'string') await expectPortable(at, file);
  try {
    const written = await at.write(file, text, version);
    return { saved: true, file, version: written.version };
  } catch (error) {
    if (!(error instanceof ChangedFileError)) throw error;
    return { saved: false, text: error.current?.text ?? null, version: error.current?.version ?? null };
  }
}

/** A new file must have a name that every system accepts: the collection is for a team. An existing file keeps its name. */
async function expectPortable(folder: CollectionFolder, file: string): Promise<void> {
  const name = basename(file);
  const problem = portabilityProblem(name);
  if (problem === undefined || (await folder.read(file)) !== undefined) return;
  const field = file.startsWith('environments/') ? 'environment' : 'file';
  throw new RequestError(`"${name}" cannot be a file name. ${problem} Choose another name.`, { field });
}

/** Keeps a link to the schema that the user put into the file. */
async function kept$schema(
  { folder, file }: Place,
  schema: typeof savedCallSchema | typeof environmentSchema,
): Promise<{ $schema?: string }> {
  const found = await (await openCollectionFolder(folder)).read(file);
  const $schema = found && readText<z.ZodType<{ $schema?: string | undefined }>>(found.text, schema).value?.$schema;
  return $schema === undefined ? {} : { $schema };
}

function objectOf(json: string, field: string): Variables {
  let value: ExactJson;
  try {
    value = json.trim() === '' ? {} : parseExact(json);
  } catch (error) {
    throw new RequestError(`It is not valid JSON: ${describeJsonFault(json, error)}.`, { field });
  }
  if (isJsonObject(value)) return value;
  throw new RequestError('It must be a JSON object, such as {"volume": 50}.', { field });
}
