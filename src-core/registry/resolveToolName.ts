import { departedToolError } from './departedTool.ts';
import { ToolError } from '../base/errors.ts';
import { visibleText } from '../base/hiddenCharacters.ts';
import { nearestNames } from '../base/nearestNames.ts';
import { getToolIndex, type ToolIndex, type ToolIndexEntry, type ToolTarget } from './toolIndex.ts';
import { maximumToolIdLength, type ToolRegistryManager } from './toolRegistryManager.ts';

/** A name in the form of a request (docs/protocols/vcp.md#method-names). */
export interface ToolNameOptions {
  toolRegistryManager: ToolRegistryManager;
  toolName: string;
  command?: string | undefined;
}

/** The method that a name means. */
export interface ResolvedToolName extends ToolTarget {
  /** True if `toolName` alone named the method, so that the field `command` is an argument like any other. */
  commandIsArgument: boolean;
}

const none: readonly ToolTarget[] = [];

/** The most candidates that an error lists. */
const candidateLimit = 5;

/**
 * Finds the method that a request names, against what is registered now, in the order of
 * docs/protocols/vcp.md#method-names: the exact qualified name, the exact tool id with `command`, the split at the last
 * `_` (which can only add VCP commands: exact look-up has found every method name). Never guesses.
 *
 * Throws a `ToolError`: `invalid-name`, `unknown-tool`, `unknown-method` (with the nearest registered qualified names
 * as candidates, nearest first), `ambiguous-name`, or `disconnected` if the tool's device, client or server has left.
 */
export function resolveToolName({ toolRegistryManager, toolName, command }: ToolNameOptions): ResolvedToolName {
  const index = getToolIndex(toolRegistryManager);
  const commandGiven = command !== undefined && command !== '';

  const byId = commandGiven ? methodOf(index.tools.get(toolName), command) : none;
  const qualified = index.byQualifiedName.get(toolName) ?? none;
  // If both forms resolve, the one that uses both fields wins, unless the other can use `command` as an argument.
  const exact = byId.length > 0 ? [...byId, ...qualified.filter(takesCommand)] : qualified;
  const matches = exact.length > 0 ? exact : bySplit(index, toolName);
  const match = matches[0];
  if (match === undefined) {
    const gone = departedToolError(toolRegistryManager.departed(), toolName, Date.now());
    throw gone ?? notFound(index, toolName, commandGiven ? command : undefined);
  }
  if (matches.length > 1) throw ambiguous(index, toolName, command, matches);
  const { registry, method, qualifiedName } = match;
  const namedByOneField = byId.length === 0;
  const commandIsArgument = commandGiven && namedByOneField && (takesCommand(match) || !isNamedBy(match, command));
  return { registry, method, qualifiedName, commandIsArgument };
}

function bySplit(index: ToolIndex, toolName: string): readonly ToolTarget[] {
  const split = toolName.lastIndexOf('_');
  const tool = split < 0 ? undefined : index.tools.get(toolName.slice(0, split));
  return tool?.byCommand.get(toolName.slice(split + 1)) ?? none;
}

function methodOf(tool: ToolIndexEntry | undefined, command: string): readonly ToolTarget[] {
  if (tool === undefined) return none;
  const byName = tool.byName.get(command);
  const byCommand = tool.byCommand.get(command) ?? none;
  return byName === undefined ? byCommand : [byName, ...byCommand];
}

function takesCommand({ method }: ToolTarget): boolean {
  const properties: unknown = method.inputSchema?.properties;
  return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, 'command');
}

function isNamedBy({ method }: ToolTarget, command: string): boolean {
  return method.name === command || method.protocolConfig?.vcpCommand === command;
}

function ambiguous(
  index: ToolIndex,
  toolName: string,
  command: string | undefined,
  targets: readonly ToolTarget[],
): ToolError {
  const listed = targets.slice(0, candidateLimit);
  const words = listed.map(({ registry, method }) => `tool "${registry.id}" with method "${method.name}"`);
  const tool = index.tools.get(toolName);
  const isNameEnough = ({ registry, method }: ToolTarget): boolean =>
    registry.id === toolName && methodOf(tool, method.name).length === 1;
  const meant = quote(toolName, command);
  const names = listed.map(({ method }) => `"${method.name}"`).join(', ');
  // A command that two methods of the tool share; their names are different.
  const message =
    command !== undefined && targets.every(isNameEnough)
      ? `${meant} means more than one method: ${words.join(', ')}. Write one of ${names} in command.`
      : `${meant} means more than one method: ${words.join(', ')}. Name the tool in tool_name and the method in command.`;
  return new ToolError('ambiguous-name', message, {
    candidates: namesThatRun(index, listed),
    details: { targets: listed.map(({ registry, method }) => ({ toolId: registry.id, methodName: method.name })) },
  });
}

function notFound(index: ToolIndex, toolName: string, command: string | undefined): ToolError {
  if (toolName.trim() === '')
    return new ToolError('invalid-name', 'No tool is named. Write toolId_methodName, or the tool id and a command.');
  const tool = index.tools.get(toolName);
  const owner = tool ?? ownerOf(index, toolName);
  if (owner !== undefined && owner.byName.size === 0 && owner.metadata.error !== undefined) {
    const { id } = owner.registry;
    return new ToolError('unusable-method', `The tool "${id}" failed to load. ${owner.metadata.error}`, {
      details: { toolId: id },
    });
  }
  if (tool !== undefined) {
    const near = methodsNear(tool, command ?? '');
    if (command !== undefined) return unknownMethod(index, toolName, command, near);
    const next = advice(index, near, 'Add the method as command, or use');
    return new ToolError('invalid-name', `"${toolName}" names a tool but none of its methods. ${next}`, {
      candidates: namesThatRun(index, near),
      details: { toolId: toolName },
    });
  }
  const bare = index.byMethodName.get(toolName)?.slice(0, candidateLimit) ?? none;
  if (bare.length > 0) {
    const what = `"${toolName}" is a method, but its tool is not named. ${advice(index, bare)}`;
    return new ToolError('unknown-tool', what, { candidates: namesThatRun(index, bare) });
  }
  if (owner !== undefined && command === undefined) {
    const wanted = toolName.slice(owner.registry.id.length + 1);
    return unknownMethod(index, owner.registry.id, wanted, methodsNear(owner, wanted));
  }
  return unknownTool(index, toolName, command);
}

function unknownMethod(index: ToolIndex, toolId: string, methodName: string, near: readonly ToolTarget[]): ToolError {
  const message = `The tool "${toolId}" has no method "${shorten(methodName)}". ${advice(index, near)}`;
  return new ToolError('unknown-method', message.trimEnd(), { candidates: namesThatRun(index, near) });
}

function unknownTool(index: ToolIndex, toolName: string, command: string | undefined): ToolError {
  const all = [...index.tools.values()].flatMap((entry) => [...entry.byName.values()]);
  let near = nearestOf(all, command === undefined ? toolName : `${toolName}_${command}`);
  if (near.length === 0)
    near = nearestNames({ query: toolName, items: all, keysOf: toolNamesOf, limit: candidateLimit });
  const next = index.tools.size === 0 ? 'No tools are registered at all.' : advice(index, near);
  return new ToolError('unknown-tool', `No tool is registered for ${quote(toolName, command)}. ${next}`.trimEnd(), {
    candidates: namesThatRun(index, near),
  });
}

/** The tool with the longest id that the name begins with, before an underscore. */
function ownerOf(index: ToolIndex, toolName: string): ToolIndexEntry | undefined {
  for (let at = toolName.lastIndexOf('_', maximumToolIdLength); at > 0; at = toolName.lastIndexOf('_', at - 1)) {
    const entry = index.tools.get(toolName.slice(0, at));
    if (entry !== undefined) return entry;
  }
  return undefined;
}

/** The methods of a tool with the nearest names; if nothing is near and there are few, all of them. */
function methodsNear({ byName }: ToolIndexEntry, query: string): ToolTarget[] {
  const all = [...byName.values()];
  const near = nearestOf(all, query);
  return near.length > 0 || all.length > candidateLimit ? near : all;
}

/** The methods with the nearest names. */
function nearestOf(all: ToolTarget[], query: string): ToolTarget[] {
  return nearestNames({ query, items: all, keysOf: namesOf, limit: candidateLimit });
}

const toolNamesOf = ({ registry }: ToolTarget): string[] => [registry.id, registry.name];

/** The names by which a method may be meant. */
function namesOf({ qualifiedName, method, registry }: ToolTarget): string[] {
  const names = [qualifiedName, method.name];
  if (registry.name !== registry.id) names.push(`${registry.name}_${method.name}`);
  const alias = method.protocolConfig?.vcpCommand;
  if (alias !== undefined) names.push(alias, `${registry.id}_${alias}`);
  return names;
}

/** The qualified names that run as they are: a name that several methods share does not. */
function namesThatRun(index: ToolIndex, targets: readonly ToolTarget[]): string[] {
  return targets.filter((target) => isOnlyOne(index, target)).map(({ qualifiedName }) => qualifiedName);
}

function isOnlyOne({ byQualifiedName }: ToolIndex, { qualifiedName }: ToolTarget): boolean {
  return byQualifiedName.get(qualifiedName)?.length === 1;
}

function advice(index: ToolIndex, targets: readonly ToolTarget[], lead = 'Did you mean'): string {
  if (targets.length === 0) return '';
  const names = targets.map((target) => {
    const { qualifiedName, registry, method } = target;
    return isOnlyOne(index, target) ? `"${qualifiedName}"` : quote(registry.id, method.name);
  });
  return `${lead} ${names.join(', ')}${lead.startsWith('Did') ? '?' : '.'}`;
}

function quote(toolName: string, command: string | undefined): string {
  return command === undefined || command === ''
    ? `"${shorten(toolName)}"`
    : `"${shorten(toolName)}" with command "${shorten(command)}"`;
}

/** An invisible character would make two names look alike. */
function shorten(text: string): string {
  return visibleText(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}
