import { randomUUID } from 'node:crypto';

import type { RealtimeSessionInfo, RealtimeUpdate, RealtimeVoicePiece } from '../api/types/realtime.ts';
import { pcmFromBytes } from '../audio/pcm.ts';
import type { RealtimeProfile } from '../realtime/realtimeProfile.ts';
import { RequestError } from '../tools/requestError.ts';
import { systemClock, type Clock } from '../tools/clock.ts';
import { createGatewayQuestions } from './gateway/gatewayQuestions.ts';
import { RealtimeConversation } from './realtime/conversation.ts';
import type { ConversationServices } from './realtime/conversation.ts';
import { createRealtimeProfiles } from './realtime/realtimeProfiles.ts';
import type { RealtimeProfiles, RealtimeProfilesOptions } from './realtime/realtimeProfiles.ts';
import type { ToolRef } from './realtime/sessionTools.ts';

/** What a conversation may be begun with. */
export interface OpenRealtimeInput {
  profileId?: string | undefined;
  deviceId?: string | undefined;
  instructions?: string | undefined;
  voice?: string | undefined;
  tools?: readonly ToolRef[] | undefined;
  plan?: RealtimeSessionInfo['plan'] | undefined;
}

/**
 * Realtime models and the conversations with them, whether or not a window looks on. What cannot be done throws or rejects
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
    tools?: readonly ToolRef[] | undefined;
  }): Promise<RealtimeSessionInfo>;
  closeSession(id: string): Promise<void>;
  removeSession(id: string): void;
  sendAudio(input: { id: string; pcm: string; sampleRate: number }): Promise<void>;
  endAudio(id: string): Promise<void>;
  sendText(input: { id: string; text: string }): Promise<void>;
  interrupt(input: { id: string; playedMs?: number | undefined }): Promise<void>;
  answerCall(input: { id: string; callId: string; output: string; isError?: boolean | undefined }): Promise<void>;
  decide(input: { id: string; callId: string; allowed: boolean; reason?: string | undefined }): void;
  updates(input: { id: string; revision: number }): RealtimeUpdate;
  event(input: { id: string; seq: number }): { seq: number; text: string };
  voice(id: string, signal?: AbortSignal): AsyncGenerator<RealtimeVoicePiece, void, void>;
  /** Lets a virtual device of ours say a WAV file, in base64. Resolves when it is said. */
  playOnDevice(input: { deviceId: string; wav: string }): Promise<{ durationMs: number }>;
  close(): Promise<void>;
}

/** What the realtime models of a workbench stand on. */
export interface RealtimeServiceOptions
  extends
    Omit<ConversationServices, 'questions' | 'clock'>,
    Pick<RealtimeProfilesOptions, 'store' | 'secrets' | 'paceMs'> {
  /** Real time unless told. */
  clock?: Clock | undefined;
  /** The time in which devices hear the voice. */
  playClock?: Clock | undefined;
}

/** Conversations, closed ones among them. */
const maxSessions = 16;

/** Makes the service. `close` ends every conversation and the scripted servers. */
export function createRealtimeService(options: RealtimeServiceOptions): RealtimeService {
  const { toolRegistryManager, clock = systemClock, onChange } = options;
  const services: ConversationServices = { ...options, clock, questions: createGatewayQuestions({ clock, onChange }) };
  const profiles = createRealtimeProfiles({
    ...options,
    clock,
    onError: (error) => options.onError(error, 'realtime models'),
  });
  /** The oldest first. */
  const sessions = new Map<string, RealtimeConversation>();
  let closed = false;
  const stopListening = toolRegistryManager.onChange(() => {
    for (const session of sessions.values()) session.toolsChanged();
  });

  function get(id: string): RealtimeConversation {
    const session = sessions.get(id);
    if (session !== undefined) return session;
    throw new RequestError('This conversation is not there any more. Begin another.', { field: 'id' });
  }

  /** @throws RequestError where all places are taken by open ones. */
  function makeRoom(): void {
    if (sessions.size < maxSessions) return;
    const oldest = [...sessions.values()].find(({ isClosed }) => isClosed);
    if (oldest === undefined) throw new RequestError(`${maxSessions} conversations are open already. Close one first.`);
    sessions.delete(oldest.id);
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

  async function open(input: OpenRealtimeInput, signal?: AbortSignal): Promise<{ sessionId: string }> {
    if (closed) throw new RequestError('Toolwire is closing.');
    const profile = profileOf(input.profileId);
    const { instructions = '', voice = profile.voice ?? '', plan = 'station', tools } = input;
    makeRoom();
    const provider = await profiles.providerOf(profile);
    const session = new RealtimeConversation(
      {
        ...{ id: randomUUID(), profile, provider, plan, instructions, voice },
        from: { kind: 'window' },
        choice: { chosen: tools },
      },
      services,
    );
    makeRoom();
    sessions.set(session.id, session);
    await session.open({ signal });
    return { sessionId: session.id };
  }

  /** A scripted server that goes takes its conversations with it; others would go on with what is not set any more. */
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
    sessions: () => [...sessions.values()].reverse().map((session) => session.info()),
    open,
    async update({ id, ...change }) {
      const session = get(id);
      await session.update(change);
      return session.info();
    },
    closeSession: (id) => get(id).close('It was closed here.'),
    removeSession(id) {
      if (!get(id).isClosed) throw new RequestError('This conversation goes on. Close it first.', { field: 'id' });
      sessions.delete(id);
      onChange();
    },
    async sendAudio({ id, pcm, sampleRate }) {
      const session = get(id);
      const bytes = Buffer.from(pcm, 'base64');
      if (bytes.length % 2 !== 0)
        throw new RequestError('Sound is whole samples of 16 bits: an even number of bytes.', { field: 'pcm' });
      await session.sendAudio(pcmFromBytes(bytes), sampleRate);
    },
    endAudio: (id) => get(id).endAudio(),
    sendText: ({ id, text }) => get(id).sendText(text),
    interrupt: ({ id, ...heard }) => get(id).interrupt(heard),
    answerCall: ({ id, isError = false, ...answer }) => get(id).answerCall({ ...answer, isError }),
    decide: ({ id, ...word }) => get(id).decide(word),
    updates: ({ id, revision }) => get(id).updates(revision),
    event: ({ id, seq }) => get(id).event(seq),
    voice: (id, signal) => get(id).voice(signal),
    playOnDevice: ({ deviceId }) =>
      Promise.reject(new RequestError(`${deviceId} cannot play a file yet.`, { field: 'deviceId' })),
    async close() {
      closed = true;
      stopListening();
      await Promise.all([...sessions.values()].map((session) => session.close('Toolwire is closing.')));
      await profiles.close();
    },
  };
}
