import type { RealtimeProfileInfo, RealtimeSessionInfo, ToolView } from '../../../../src-core/api/types.ts';

/** A method as the contract names it. */
export interface MethodRef {
  toolId: string;
  methodName: string;
}

/** How a conversation is to be. */
export interface SetupDraft {
  /** Undefined: the default one. */
  profileId: string | undefined;
  voice: string;
  instructions: string;
  /** Qualified names; undefined: all that are offered to models. */
  tools: readonly string[] | undefined;
  plan: RealtimeSessionInfo['plan'];
}

/** What a first conversation starts with. */
export const emptySetup: SetupDraft = Object.freeze({
  profileId: undefined,
  voice: '',
  instructions: '',
  tools: undefined,
  plan: 'station',
});

/** A conversation's own settings as a draft. Where its tools are all that is offered, they are not chosen one by one. */
export function setupOf(info: RealtimeSessionInfo, offered: readonly string[]): SetupDraft {
  const { profileId, voice, instructions, plan } = info;
  const has = new Set([...info.tools, ...info.droppedTools]);
  const isAll = has.size === offered.length && offered.every((name) => has.has(name));
  return { profileId, voice, instructions, plan, tools: isAll ? undefined : [...has] };
}

/** Qualified names of all methods that models are offered. */
export function offeredNames(tools: readonly ToolView[]): string[] {
  return tools
    .filter(({ enabled }) => enabled)
    .flatMap(({ methods }) => methods.map(({ qualifiedName }) => qualifiedName));
}

/** Methods by their qualified names; those that are not registered are left out. */
export function methodRefs(names: readonly string[], tools: readonly ToolView[]): MethodRef[] {
  const known = new Map<string, MethodRef>();
  for (const { id, methods } of tools)
    for (const { qualifiedName, name } of methods) known.set(qualifiedName, { toolId: id, methodName: name });
  return names.flatMap((name) => known.get(name) ?? []);
}

/** Whether an open conversation would change by this draft. */
export function isChanged(draft: SetupDraft, now: SetupDraft): boolean {
  const names = ({ tools }: SetupDraft): string => (tools === undefined ? '*' : [...tools].sort().join('\n'));
  return draft.voice !== now.voice || draft.instructions !== now.instructions || names(draft) !== names(now);
}

/** Voices to choose from: those of the preset, and what stands there. */
export function voicesOf(
  profile: RealtimeProfileInfo | undefined,
  presets: readonly { dialect: string; voices: readonly string[] }[],
): readonly string[] {
  return presets.find(({ dialect }) => dialect === profile?.dialect)?.voices ?? [];
}
