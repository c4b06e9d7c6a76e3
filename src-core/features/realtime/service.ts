import { randomUUID } from 'node:crypto';

import type { CallQuestion } from '../../contract/types/questions.ts';
import type { RealtimeSessionInfo, RealtimeUpdate, RealtimeVoicePiece } from '../../contract/types/realtime.ts';
import { pcmFromBytes } from '../../audio/pcm.ts';
import { pcmFromWav } from '../../audio/pcmFromWav.ts';
import type { DeviceHub } from '../devices/deviceHub.ts';
import type { RealtimeProfile } from '../../realtime/realtimeProfile.ts';
import type { RealtimeSessionOptions } from '../../realtime/sessionOptions.ts';
import type { ListenMessage } from '../devices/voice/voiceTap.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { RequestError } from '../../base/requestError.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { createCallQuestions, type CallWord } from '../calls/callQuestions.ts';
import { RealtimeConversation } from './conversation.ts';
import type { ConversationServices } from './conversation.ts';
import { DeviceBridge } from './device/deviceBridge.ts';
import { createConversationLog, type ConversationLog, type ConversationSource } from './log/conversationLog.ts';
import { alertMessage } from './device/shownText.ts';
import { VoiceHold } from './device/voiceHold.ts';
import type { RemovedBin } from '../trash/removedBin.ts';
import { createRealtimeProfiles } from './realtimeProfiles.ts';
import type { RealtimeProfiles, RealtimeProfilesOptions } from './realtimeProfiles.ts';
import type { ToolRef } from './sessionTools.ts';

/** The options for a new conversation. */
export interface OpenRealtimeInput {
  profileId?: string | undefined;
  deviceId?: string | undefined;
  instructions?: string | undefined;
  voice?: string | undefined;
  session?: RealtimeSessionOptions | undefined;
  tools?: readonly ToolRef[] | undefined;
  plan?: RealtimeSessionInfo['plan'] | undefined;
}

/**
 * Realtime models and the conversations with them, whether or not a window shows them. Invalid requests throw or reject
 * with a `RequestError` that names the field.
 */
export interface RealtimeService extends Pick<
  RealtimeProfiles,
  'list' | 'save' | 'remove' | 'setDefault' | 'setKey' | 'setForDevices' | 'test' | 'checkScript'
> {
  sessions(): RealtimeSessionInfo[];
  open(input: OpenRealtimeInput, signal?: AbortSignal): Promise<{ sessionId: string }>;
  update(input: {
    id: string;
    instructions?: string | undefined;
    voice?: string | undefined;
    session?: RealtimeSessionOptions | undefined;
    tools?: readonly ToolRef[] | null | undefined;
  }): Promise<RealtimeSessionInfo>;
  closeSession(id: string): Promise<void>;
  removeSession(id: string): void;
  sendAudio(input: { id: string; pcm: string; sampleRate: number }): Promise<void>;
  endAudio(id: string): Promise<void>;
  sendText(input: { id: string; text: string }): Promise<void>;
  sendImage(input: { id: string; image: string; mimeType: string }): Promise<void>;
  interrupt(input: { id: string; playedMs?: number | undefined }): Promise<void>;
  answerCall(input: { id: string; callId: string; output: string; isError?: boolean | undefined }): Promise<void>;
  /** Calls that ask the user, the oldest first. */
  questions(): CallQuestion[];
  decide(input: CallWord): void;
  /** The user is working on a call that asks, so that it waits longer. */
  attend(callId: string): void;
  /** The tools for models have changed: the models of all conversations are updated soon. */
  toolsChanged(): void;
  /** The changes since `revision` of a conversation, open or not, or of an imported one. */
  updates(input: ConversationSource & { revision: number }): RealtimeUpdate;
  event(input: ConversationSource & { seq: number }): { seq: number; text: string };
  voice(id: string, signal?: AbortSignal): AsyncGenerator<RealtimeVoicePiece, void, void>;
  /** Lets a virtual device say a WAV file, in base64. Resolves when it is said. */
  playOnDevice(input: { deviceId: string; wav: string }, signal?: AbortSignal): Promise<{ durationMs: number }>;
  close(): Promise<void>;
}

/** The dependencies of the realtime models of a workbench. */
export interface RealtimeServiceOptions
  extends
    Omit<ConversationServices, 'questions' | 'clock' | 'nextSeq' | 'onEnd'>,
    Pick<Parameters<typeof createConversationLog>[0], 'wire' | 'captures' | 'recorder'>,
    Pick<RealtimeProfilesOptions, 'store' | 'secrets' | 'keys' | 'paceMs'> {
  bin: Pick<RemovedBin, 'handle' | 'put' | 'takeOut'>;
  hub: Pick<DeviceHub, 'device' | 'takeVoice' | 'onListen'>;
  /** Lets a virtual device say this, 16,000 samples a second. */
  say: (deviceId: string, pcm: Int16Array, signal?: AbortSignal) => Promise<void>;
  /** Real time by default. */
  clock?: Clock | undefined;
  /** The clock of the playback on devices. */
  playClock?: Clock | undefined;
}

/** The sample rate of devices (spec/xiaozhi.md §1.2). */
const deviceRate = 16_000;
/** Conversations that are open at the same time. */
const maxOpen = 16;

/** Creates the service. `close` ends every conversation and the scripted servers. */
export function createRealtimeService(options: RealtimeServiceOptions): RealtimeService {
  const { toolRegistryManager, hub, clock = systemClock, onChange } = options;
  const questions = createCallQuestions({ clock, toolRegistryManager, onChange });
  const log = createConversationLog({ ...options, clock });
  const profiles = createRealtimeProfiles({
    ...options,
    clock,
    onError: (error) => options.onError(error, 'realtime models'),
  });
  /** The open ones, by id. */
  const sessions = new Map<string, RealtimeConversation>();
  let closed = false;
  const stopFollowing = [
    toolRegistryManager.onChange(toolsChanged),
    hub.onListen((deviceId, listen) => {
      const profileId = profiles.forDevice(deviceId);
      if (profileId === undefined || closed) return;
      // The error is reported to the device.
      open({ deviceId, profileId }, undefined, listen).catch((error: unknown) => {
        if (!(error instanceof RequestError)) options.onError(error, 'a device that begins to listen');
      });
    }),
  ];

  function toolsChanged(): void {
    for (const session of sessions.values()) session.toolsChanged();
  }

  function get(id: string): RealtimeConversation {
    const session = sessions.get(id);
    if (session !== undefined) return session;
    const { reason } = log.info(id) ?? {};
    if (reason !== undefined) throw new RequestError(`This conversation has ended: ${reason}`, { field: 'id' });
    throw new RequestError('This conversation is not there any more. Begin another.', { field: 'id' });
  }

  /** The named open conversation; undefined if it has ended, or is an imported one. */
  function openSession({ id, captureId }: ConversationSource): RealtimeConversation | undefined {
    if ((id === undefined) === (captureId === undefined))
      throw new RequestError('Name a conversation as id or an imported one as captureId, and only one of them.', {
        field: id === undefined ? 'id' : 'captureId',
      });
    return id === undefined ? undefined : sessions.get(id);
  }

  function requireRunning(): void {
    if (closed) throw new RequestError('Toolwire is closing.');
  }

  function requirePlace(): void {
    if (sessions.size < maxOpen) return;
    throw new RequestError(`${maxOpen} conversations are open already. Close one first.`);
  }

  function profileOf(id: string | undefined): RealtimeProfile {
    try {
      return profiles.get(id);
    } catch (cause) {
      throw new RequestError('This realtime model is not there any more. Choose another one.', {
        field: 'profileId',
        cause,
      });
    }
  }

  /** `listen` is the device's message that opened the conversation. */
  async function open(
    input: OpenRealtimeInput,
    signal?: AbortSignal,
    listen?: ListenMessage,
  ): Promise<{ sessionId: string }> {
    requireRunning();
    const { deviceId } = input;
    if (deviceId === undefined) return begin(input, (session) => session.open({ signal }));
    // At once: all further audio of the device is for this conversation.
    const hold = holdVoice(deviceId);
    if (listen !== undefined) hold.onListen(listen);
    const bridge = (conversation: RealtimeConversation): Promise<void> =>
      new DeviceBridge({
        ...{ conversation, hold, clock: options.playClock ?? clock },
        onError: (error) => options.onError(error, 'a device that speaks with a realtime model'),
      }).open({ signal });
    try {
      return await begin(input, bridge);
    } catch (error) {
      if (signal?.aborted !== true && !closed) hold.voice.send(alertMessage(describeThrown(error)));
      hold.voice.release();
      throw error;
    }
  }

  /** @throws {RequestError} If the device's audio is not available. */
  function holdVoice(deviceId: string): VoiceHold {
    try {
      return new VoiceHold((tap) => hub.takeVoice(deviceId, tap));
    } catch (cause) {
      if (!(cause instanceof RequestError)) throw cause;
      throw new RequestError(cause.message, { field: 'deviceId', cause });
    }
  }

  function fromOf(deviceId: string | undefined): RealtimeSessionInfo['from'] {
    if (deviceId === undefined) return { kind: 'window' };
    return { kind: 'device', deviceId, name: hub.device(deviceId)?.name ?? deviceId };
  }

  async function begin(
    input: OpenRealtimeInput,
    start: (session: RealtimeConversation) => Promise<void>,
  ): Promise<{ sessionId: string }> {
    const profile = profileOf(input.profileId);
    requirePlace();
    const { deviceId } = input;
    const { instructions = '', voice = profile.voice ?? '', session: own, plan = 'station', tools } = input;
    const provider = await profiles.providerOf(profile);
    requireRunning();
    requirePlace();
    const id = randomUUID();
    const keeping: { keeper?: ReturnType<ConversationLog['begin']> } = {};
    const services: ConversationServices = {
      ...{ ...options, clock, questions, nextSeq: log.nextSeq },
      onChange() {
        keeping.keeper?.changed();
        onChange();
      },
      onEnd() {
        keeping.keeper?.end();
        sessions.delete(id);
        onChange();
      },
    };
    const session = new RealtimeConversation(
      {
        ...{ id, profile, provider, plan, instructions, voice },
        session: { ...profile.session, ...own },
        from: fromOf(deviceId),
        choice: {
          chosen: tools,
          ...(deviceId !== undefined && { toolId: () => hub.device(deviceId)?.registryId }),
        },
      },
      services,
    );
    keeping.keeper = log.begin(session);
    sessions.set(id, session);
    await start(session);
    return { sessionId: id };
  }

  /** A scripted server ends its conversations when it stops; others would continue with outdated settings. */
  async function endOf(profileId: string): Promise<void> {
    const gone = [...sessions.values()].filter((session) => session.profileId === profileId);
    await Promise.all(gone.map((session) => session.close('Its realtime model was changed or removed.')));
  }

  return {
    ...profiles,
    async save(change) {
      const saved = await profiles.save(change);
      await endOf(saved.id);
      return saved;
    },
    async remove(id) {
      await profiles.remove(id);
      await endOf(id);
    },
    sessions() {
      const open = [...sessions.values()].map((session) => session.info());
      return [...open.reverse(), ...log.list()].sort((one, other) => other.startedAt - one.startedAt);
    },
    open: (input, signal) => open(input, signal),
    async update({ id, ...change }) {
      const session = get(id);
      await session.update(change);
      return session.info();
    },
    async closeSession(id) {
      if (log.info(id)?.state !== 'closed') await get(id).close('It was closed here.');
    },
    removeSession(id) {
      if (sessions.has(id)) throw new RequestError('This conversation goes on. Close it first.', { field: 'id' });
      log.remove(id);
    },
    async sendAudio({ id, pcm, sampleRate }) {
      const session = get(id);
      const bytes = Buffer.from(pcm, 'base64');
      if (bytes.length % 2 !== 0)
        throw new RequestError('Sound is whole samples of 16 bits: an even number of bytes.', { field: 'pcm' });
      await session.sendAudio(pcmFromBytes(bytes), sampleRate);
    },
    endAudio: async (id) => get(id).endAudio(),
    sendText: async ({ id, text }) => get(id).sendText(text),
    sendImage: async ({ id, image, mimeType }) => get(id).sendImage(Buffer.from(image, 'base64'), mimeType),
    interrupt: async ({ id, ...heard }) => get(id).interrupt(heard),
    answerCall: async ({ id, isError = false, ...answer }) => get(id).answerCall({ ...answer, isError }),
    questions: () => questions.list(),
    decide: (word) => questions.decide(word),
    attend: (callId) => questions.attend(callId),
    toolsChanged,
    updates: (input) => openSession(input)?.updates(input.revision) ?? log.updates(input),
    event: (input) => openSession(input)?.event(input.seq) ?? log.event(input),
    voice: (id, signal) => get(id).voice(signal),
    async playOnDevice({ deviceId, wav }, signal) {
      const pcm = pcmFromWav(Buffer.from(wav, 'base64'), deviceRate);
      await options.say(deviceId, pcm, signal);
      return { durationMs: Math.round((pcm.length / deviceRate) * 1_000) };
    },
    async close() {
      closed = true;
      for (const stop of stopFollowing) stop();
      await Promise.all([...sessions.values()].map((session) => session.close('Toolwire is closing.')));
      await profiles.close();
    },
  };
}
