import type {
  DeviceInfo,
  RealtimeProfileInfo,
  RealtimeSessionInfo,
  ToolView,
} from '../../../../src-core/contract/types.ts';
import { isOfferedTo } from '../../../../src-core/registry/isOfferedTo.ts';
import { t } from '../../../i18n/index.ts';
import { sessionDraftOf, type SessionDraft } from './sessionDraft.ts';

/** A method reference of the contract. */
export interface MethodRef {
  toolId: string;
  methodName: string;
}

/** The editable setup of a conversation. */
export interface SetupDraft {
  /** If undefined, the default profile. */
  profileId: string | undefined;
  voice: string;
  instructions: string;
  /** Qualified names. If undefined, all that are offered to realtime models, or all of the device's if a device speaks. */
  tools: readonly string[] | undefined;
  plan: RealtimeSessionInfo['plan'];
  /** Further settings of the session. */
  session: SessionDraft;
}

/** The setup of the first conversation. */
export const emptySetup: SetupDraft = Object.freeze({
  profileId: undefined,
  voice: '',
  instructions: '',
  tools: undefined,
  plan: 'station',
  session: sessionDraftOf(),
});

/**
 * Default instructions of a new conversation. The scripted model speaks the language of its instructions, so they are
 * in the window's language. Other models have their own defaults.
 */
export function defaultInstructions(profile: RealtimeProfileInfo | undefined): string {
  return profile !== undefined && profile.url === undefined ? t('realtime.setup.scriptedInstructions') : '';
}

/** A conversation's own settings as a draft. */
export function setupOf(info: RealtimeSessionInfo): SetupDraft {
  const { profileId, voice, instructions, plan } = info;
  return {
    profileId,
    voice,
    instructions,
    plan,
    tools: info.toolChoice === 'all' ? undefined : [...info.tools, ...info.droppedTools],
    session: sessionDraftOf(info.session),
  };
}

/** The tools offered to realtime models, with only the methods that these may call. */
export function offeredTools(tools: readonly ToolView[]): ToolView[] {
  return tools
    .filter(({ enabled }) => enabled)
    .map((tool) => ({ ...tool, methods: tool.methods.filter((method) => isOfferedTo(method, 'realtime')) }))
    .filter(({ methods }) => methods.length > 0);
}

/** Qualified names of all methods offered to realtime models; only those of the tool `own` if a device speaks. */
export function offeredNames(tools: readonly ToolView[], own?: string): string[] {
  return offeredTools(tools)
    .filter(({ id }) => own === undefined || id === own)
    .flatMap(({ methods }) => methods.map(({ qualifiedName }) => qualifiedName));
}

/** Tool id of the speaking device; empty if it is not connected, undefined if this window speaks. */
export function ownTool(
  from: { kind: 'window' } | { kind: 'device'; deviceId: string },
  devices: ReadonlyMap<string, Pick<DeviceInfo, 'registryId'>>,
): string | undefined {
  return from.kind === 'device' ? (devices.get(from.deviceId)?.registryId ?? '') : undefined;
}

/** Resolves qualified names to methods and omits unregistered ones. */
export function methodRefs(names: readonly string[], tools: readonly ToolView[]): MethodRef[] {
  const known = new Map<string, MethodRef>();
  for (const { id, methods } of tools)
    for (const { qualifiedName, name } of methods) known.set(qualifiedName, { toolId: id, methodName: name });
  return names.flatMap((name) => known.get(name) ?? []);
}

/** Whether this draft would change an open conversation. */
export function isChanged(draft: SetupDraft, now: SetupDraft): boolean {
  const names = ({ tools }: SetupDraft): string => (tools === undefined ? '*' : [...tools].sort().join('\n'));
  return (
    draft.voice !== now.voice ||
    draft.instructions !== now.instructions ||
    names(draft) !== names(now) ||
    isSessionChanged(draft, now)
  );
}

/** Whether its further settings would change. */
export function isSessionChanged({ session }: SetupDraft, now: SetupDraft): boolean {
  return JSON.stringify(session) !== JSON.stringify(now.session);
}

/** The voices of the profile's preset. */
export function voicesOf(
  profile: RealtimeProfileInfo | undefined,
  presets: readonly { dialect: string; voices: readonly string[] }[],
): readonly string[] {
  return presets.find(({ dialect }) => dialect === profile?.dialect)?.voices ?? [];
}
