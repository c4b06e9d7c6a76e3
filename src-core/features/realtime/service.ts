import { randomUUID } from 'node:crypto';

import type { Implementation } from '../../contract/implementation.ts';
import type { realtime } from '../../contract/realtime.ts';
import type { RealtimeSessionInfo } from '../../contract/types/realtime.ts';
import { pcmFromBytes } from '../../audio/pcm.ts';
import { pcmFromWav } from '../../audio/pcmFromWav.ts';
import type { RealtimeProfile, RealtimeSessionOptions } from '../../base/realtimeTypes.ts';
import type { ListenMessage } from '../devices/voice/voiceTap.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { RequestError } from '../../base/requestError.ts';
import type { Clock } from '../../base/clock.ts';
import type { Calls } from '../calls/service.ts';
import type { FeatureContext } from '../context.ts';
import type { Devices } from '../devices/open.ts';
import type { Tools } from '../discovery/service.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import type { Trash } from '../trash/open.ts';
import { createCallQuestions } from '../calls/callQuestions.ts';
import { RealtimeConversation, type ConversationServices } from './conversation.ts';
import { DeviceBridge } from './device/deviceBridge.ts';
import { createConversationLog, type ConversationLog, type ConversationSource } from './log/conversationLog.ts';
import { alertMessage } from './device/shownText.ts';
import { VoiceHold } from './device/voiceHold.ts';
import { createRealtimeProfiles, type RealtimeProfiles } from './realtimeProfiles.ts';
import type { ToolRef } from './sessionTools.ts';

/** The options for a new conversation. */
interface OpenRealtimeInput {
  profileId?: string | undefined;
  deviceId?: string | undefined;
  instructions?: string | undefined;
  voice?: string | undefined;
  session?: RealtimeSessionOptions | undefined;
  tools?: readonly ToolRef[] | undefined;
  plan?: RealtimeSessionInfo['plan'] | undefined;
}

/** Times that tests set. */
export interface RealtimeTimes {
  /** Real time by default. */
  clock?: Clock;
  /** The clock of the playback on devices; `clock` by default. */
  playClock?: Clock;
  /** The pace of scripted voices in ms a piece; real time by default. */
  paceMs?: number;
}

/** The sample rate of devices (docs/protocols/xiaozhi.md#hello). */
const deviceRate = 16_000;
/** Conversations that are open at the same time. */
const maxOpen = 16;

/**
 * Opens the realtime models and the conversations with them, whether or not a window shows them. Invalid requests throw or reject
 * with a `RequestError` that names the field.
 */
export function openRealtime(
  context: FeatureContext &
    RealtimeTimes & { tools: Tools; trash: Trash; frames: FrameLog; calls: Calls; devices: Devices },
) {
  const { store, toolRegistryManager, events, settings, clock, onError, tools, trash, calls, devices } = context;
  const { hub, say } = devices;
  const onChange = (): void => void events.emit('changed', 'realtime');
  const questions = createCallQuestions({ clock, toolRegistryManager, onChange });
  const log = createConversationLog({ ...context, ...trash, wire: store.wire, onChange });
  const profiles = createRealtimeProfiles({
    ...context,
    ...trash,
    store: store.settings,
    onChange,
    onError: (error) => onError(error, 'realtime models'),
  });
  const conversations = new OpenConversations({
    ...context,
    discovery: tools.discovery,
    hub,
    config: () => settings().toolCallConfig,
    policy: () => ({ ...calls.policy(), ...calls.follow('realtime') }),
    playClock: context.playClock ?? clock,
    questions,
    log,
    profiles,
    onChange,
  });
  // The tools for models have changed: the models of all conversations are updated soon.
  events.on('settingsChanged', ({ isOf }) => {
    if (isOf('toolCallConfig', 'dangerousTools')) conversations.toolsChanged();
  });
  const stopFollowing = [
    toolRegistryManager.onChange(() => conversations.toolsChanged()),
    hub.onListen((deviceId, listen) => conversations.answerDevice(deviceId, listen)),
  ];

  const service = {
    ...conversationHandlers(conversations),
    ...profileHandlers(profiles, conversations),
    sessions: async () =>
      [...conversations.infos(), ...(await log.list())].sort((one, other) => other.startedAt - one.startedAt),
    async close({ id }) {
      if ((await log.info(id))?.state !== 'closed') await (await conversations.get(id)).close('It was closed here.');
    },
    async remove({ id }) {
      if (conversations.find({ id }) !== undefined)
        throw new RequestError('This conversation goes on. Close it first.', { field: 'id' });
      await log.remove(id);
    },
    questions: () => questions.list(),
    decide: (decision) => questions.decide(decision),
    attend: ({ callId }) => questions.attend(callId),
    updates: async (input) => conversations.find(input)?.updates(input.revision) ?? log.updates(input),
    async playOnDevice({ deviceId, wav }, signal?) {
      const pcm = pcmFromWav(Buffer.from(wav, 'base64'), deviceRate);
      await say(deviceId, pcm, signal);
      return { durationMs: Math.round((pcm.length / deviceRate) * 1_000) };
    },
  } satisfies Implementation<typeof realtime>;
  return {
    service,
    /** Ends every conversation and the scripted servers. */
    async close() {
      for (const stop of stopFollowing) stop();
      await conversations.close();
      await profiles.close();
    },
  };
}

/** The requests that concern the models. */
function profileHandlers(profiles: ReturnType<typeof createRealtimeProfiles>, conversations: OpenConversations) {
  return {
    profiles: () => profiles.list(),
    setDefault: ({ id }) => profiles.setDefault(id),
    setKey: (input) => profiles.setKey(input),
    setForDevices: (input) => profiles.setForDevices(input),
    test: ({ id }, signal?) => profiles.test(id, signal),
    checkScript: ({ text }) => profiles.checkScript(text),
    async saveProfile(change) {
      const saved = await profiles.save(change);
      await conversations.closeOf(saved.id);
      return saved;
    },
    async removeProfile({ id }) {
      await profiles.remove(id);
      await conversations.closeOf(id);
    },
  } satisfies Partial<Implementation<typeof realtime>>;
}

/** The requests that concern one open conversation. */
function conversationHandlers(conversations: OpenConversations) {
  return {
    open: (input, signal?) => conversations.open(input, signal),
    async update({ id, ...change }) {
      const session = await conversations.get(id);
      await session.update(change);
      return session.info();
    },
    async sendAudio({ id, pcm, sampleRate }) {
      const session = await conversations.get(id);
      const bytes = Buffer.from(pcm, 'base64');
      if (bytes.length % 2 !== 0)
        throw new RequestError('Sound is whole samples of 16 bits: an even number of bytes.', { field: 'pcm' });
      await session.sendAudio(pcmFromBytes(bytes), sampleRate);
    },
    endAudio: async ({ id }) => (await conversations.get(id)).endAudio(),
    sendText: async ({ id, text }) => (await conversations.get(id)).sendText(text),
    sendImage: async ({ id, image, mimeType }) =>
      (await conversations.get(id)).sendImage(Buffer.from(image, 'base64'), mimeType),
    interrupt: async ({ id, ...heard }) => (await conversations.get(id)).interrupt(heard),
    answerCall: async ({ id, isError = false, ...answer }) =>
      (await conversations.get(id)).answerCall({ ...answer, isError }),
    voice: async ({ id }, signal?) => (await conversations.get(id)).voice(signal),
  } satisfies Partial<Implementation<typeof realtime>>;
}

interface OpenConversationsOptions extends Omit<ConversationServices, 'onEnd'> {
  hub: Devices['hub'];
  /** The clock of the playback on devices. */
  playClock: Clock;
  log: ConversationLog;
  profiles: RealtimeProfiles;
}

/** The conversations that have not ended. */
class OpenConversations {
  readonly #options: OpenConversationsOptions;
  readonly #sessions = new Map<string, RealtimeConversation>();
  #isClosed = false;

  constructor(options: OpenConversationsOptions) {
    this.#options = options;
  }

  /** The latest first. */
  infos(): RealtimeSessionInfo[] {
    return [...this.#sessions.values()].map((session) => session.info()).reverse();
  }

  /** @throws {RequestError} If it has ended, or never existed. */
  async get(id: string): Promise<RealtimeConversation> {
    const session = this.#sessions.get(id);
    if (session !== undefined) return session;
    const { reason } = (await this.#options.log.info(id)) ?? {};
    if (reason !== undefined) throw new RequestError(`This conversation has ended: ${reason}`, { field: 'id' });
    throw new RequestError('This conversation no longer exists. Start another one.', { field: 'id' });
  }

  /** The named open conversation; undefined if it has ended, or is an imported one. */
  find({ id, captureId }: ConversationSource): RealtimeConversation | undefined {
    if ((id === undefined) === (captureId === undefined))
      throw new RequestError('Name a conversation as id or an imported one as captureId, and only one of them.', {
        field: id === undefined ? 'id' : 'captureId',
      });
    return id === undefined ? undefined : this.#sessions.get(id);
  }

  toolsChanged(): void {
    for (const session of this.#sessions.values()) session.toolsChanged();
  }

  /** Starts a conversation with a device that begins to listen, if the user chose a model for it. */
  answerDevice(deviceId: string, listen: ListenMessage): void {
    const profileId = this.#options.profiles.forDevice(deviceId);
    if (profileId === undefined || this.#isClosed) return;
    // The error is reported to the device.
    this.open({ deviceId, profileId }, undefined, listen).catch((error: unknown) => {
      if (!(error instanceof RequestError)) this.#options.onError(error, 'a device that begins to listen');
    });
  }

  /** `listen` is the device's message that opened the conversation. */
  async open(input: OpenRealtimeInput, signal?: AbortSignal, listen?: ListenMessage): Promise<{ sessionId: string }> {
    this.#requireRunning();
    const { deviceId } = input;
    if (deviceId === undefined) return this.#begin(input, (session) => session.open({ signal }));
    const { playClock, onError } = this.#options;
    // At once: all further audio of the device is for this conversation.
    const hold = this.#holdVoice(deviceId);
    if (listen !== undefined) hold.onListen(listen);
    const bridge = (conversation: RealtimeConversation): Promise<void> =>
      new DeviceBridge({
        conversation,
        hold,
        clock: playClock,
        onError: (error) => onError(error, 'a device that speaks with a realtime model'),
      }).open({ signal });
    try {
      return await this.#begin(input, bridge);
    } catch (error) {
      if (signal?.aborted !== true && !this.#isClosed) hold.voice.send(alertMessage(describeThrown(error)));
      hold.voice.release();
      throw error;
    }
  }

  /**
   * Ends the conversations with a profile that was changed or removed: its scripted server has stopped, and others would
   * continue with outdated settings.
   */
  async closeOf(profileId: string): Promise<void> {
    const affected = [...this.#sessions.values()].filter((session) => session.profileId === profileId);
    await Promise.all(affected.map((session) => session.close('Its realtime model was changed or removed.')));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#sessions.values()].map((session) => session.close('Toolwire is closing.')));
  }

  async #begin(
    input: OpenRealtimeInput,
    start: (session: RealtimeConversation) => Promise<void>,
  ): Promise<{ sessionId: string }> {
    const { profiles, log, hub } = this.#options;
    const profile = this.#profileOf(input.profileId);
    this.#requirePlace();
    const { deviceId } = input;
    const { instructions = '', voice = profile.voice ?? '', session: own, plan = 'station', tools } = input;
    const provider = await profiles.providerOf(profile);
    await log.dropOldest();
    this.#requireRunning();
    this.#requirePlace();
    const id = randomUUID();
    const keeping: { keeper?: ReturnType<ConversationLog['begin']> } = {};
    const session = new RealtimeConversation(
      {
        id,
        profile,
        provider,
        plan,
        instructions,
        voice,
        session: { ...profile.session, ...own },
        from: this.#originOf(deviceId),
        choice: {
          chosen: tools,
          ...(deviceId !== undefined && { toolId: () => hub.device(deviceId)?.registryId }),
        },
      },
      this.#servicesOf(id, keeping),
    );
    keeping.keeper = log.begin(session);
    this.#sessions.set(id, session);
    await start(session);
    return { sessionId: id };
  }

  #servicesOf(id: string, keeping: { keeper?: ReturnType<ConversationLog['begin']> }): ConversationServices {
    const { onChange } = this.#options;
    return {
      ...this.#options,
      onChange() {
        keeping.keeper?.changed();
        onChange();
      },
      onEnd: () => {
        keeping.keeper?.end();
        this.#sessions.delete(id);
        onChange();
      },
    };
  }

  #requireRunning(): void {
    if (this.#isClosed) throw new RequestError('Toolwire is closing.');
  }

  #requirePlace(): void {
    if (this.#sessions.size < maxOpen) return;
    throw new RequestError(`${maxOpen} conversations are open already. Close one first.`);
  }

  #profileOf(id: string | undefined): RealtimeProfile {
    try {
      return this.#options.profiles.get(id);
    } catch (cause) {
      throw new RequestError('This realtime model no longer exists. Choose another one.', {
        field: 'profileId',
        cause,
      });
    }
  }

  /** @throws {RequestError} If the device's audio is not available. */
  #holdVoice(deviceId: string): VoiceHold {
    try {
      return new VoiceHold((tap) => this.#options.hub.takeVoice(deviceId, tap));
    } catch (cause) {
      if (!(cause instanceof RequestError)) throw cause;
      throw new RequestError(cause.message, { field: 'deviceId', cause });
    }
  }

  #originOf(deviceId: string | undefined): RealtimeSessionInfo['from'] {
    if (deviceId === undefined) return { kind: 'window' };
    return { kind: 'device', deviceId, name: this.#options.hub.device(deviceId)?.name ?? deviceId };
  }
}
