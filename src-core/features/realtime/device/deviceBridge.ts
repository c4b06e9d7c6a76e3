import { OpusDecoder, OpusPacketError } from '../../../audio/opusDecoder.ts';
import { isOpusSampleRate } from '../../../audio/opusFormat.ts';
import type { DeviceVoice } from '../../devices/voice/deviceVoice.ts';
import type { ListenMessage, VoiceTap } from '../../devices/voice/voiceTap.ts';
import { ChunkType, type AnyChunk, type EventChunk } from '../../../realtime/chunks.ts';
import { SentenceAggregatorStation } from '../../../realtime/stations/sentenceAggregatorStation.ts';
import type { Clock } from '../../../base/clock.ts';
import { describeThrown } from '../../../base/describeThrown.ts';
import type { ConversationListener, RealtimeConversation } from '../conversation.ts';
import { DeviceMouth } from './deviceMouth.ts';
import { alertMessage, shownText } from './shownText.ts';
import type { VoiceHold } from './voiceHold.ts';

/** ms that the model has to continue after its last call was answered; then the device listens again. */
const answerMs = 5_000;

/** A device's connection, and the model that it talks to. */
export interface DeviceBridgeOptions {
  conversation: RealtimeConversation;
  /** Holds the device's audio already. */
  hold: VoiceHold;
  /** The clock of the playback. */
  clock: Clock;
  onError: (error: unknown) => void;
}

/**
 * Connects a device to a conversation as a xiaozhi server does (docs/protocols/xiaozhi.md#messages): its audio goes to the model; the
 * model's voice, sentences and transcripts go to the device.
 */
export class DeviceBridge implements VoiceTap, ConversationListener {
  readonly #options: DeviceBridgeOptions;
  readonly #voice: DeviceVoice;
  readonly #sentences = new SentenceAggregatorStation();
  #ear: DeviceEar | undefined;
  #mouth: DeviceMouth | undefined;
  #listening = true;
  /** The device listens while it speaks, and cancels its own voice. */
  #cancelsEcho = false;
  /** The device was told that a voice follows. */
  #speaking = false;
  #response: string | undefined;
  /** The response whose further output is discarded. */
  #flushed: string | undefined;
  /** The frame at which the incomplete sentence begins. */
  #sentenceAt: number | undefined;
  #stopWaiting: (() => void) | undefined;
  #ended = false;

  constructor(options: DeviceBridgeOptions) {
    this.#options = options;
    this.#voice = options.hold.voice;
    options.conversation.listener = this;
    this.#sentences.onChunk((chunk) => {
      if (chunk.type !== ChunkType.TEXT || chunk.source !== 'bot') return;
      // The end of an interrupted response also flushes its incomplete sentence.
      if (this.#isFlushed(chunk)) return;
      this.#say(chunk.data.trim());
    });
  }

  /** Loads the codecs, opens the conversation, and forwards the device's audio. */
  async open({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    const { conversation, clock, hold } = this.#options;
    try {
      this.#ear = await DeviceEar.create({
        sampleRate: conversation.inputSampleRate,
        sendAudio: (pcm, sampleRate) => conversation.sendAudio(pcm, sampleRate),
        onProblem: (problem) => conversation.remark(problem, { failed: true }),
      });
      this.#mouth = await DeviceMouth.create({ voice: this.#voice, sampleRate: conversation.outputSampleRate, clock });
      await conversation.open({ signal: signal === undefined ? hold.ended : AbortSignal.any([signal, hold.ended]) });
      hold.handTo(this);
    } catch (error) {
      await conversation.close(describeThrown(error));
      throw error;
    } finally {
      // It ended while the codecs were loading.
      if (this.#ended) this.#free();
    }
  }

  onListen({ state, mode, text }: ListenMessage): void {
    const { conversation } = this.#options;
    this.#listening = state !== 'stop';
    if (state === 'start') this.#cancelsEcho = mode === 'realtime';
    switch (state) {
      case 'stop':
        return this.#run(conversation.endAudio());
      case 'start':
        this.#run(conversation.takeTurns(mode === 'manual' ? 'client' : 'server'));
        // A user who begins to speak interrupts the rest of the voice. With the button down, this includes a response
        // that has not begun yet. A device that listens while it speaks begins only once.
        if (mode === 'manual' || (this.#speaking && mode === 'auto')) this.onAbort();
        return;
      case 'detect':
        if (text === undefined) return;
        if (this.#speaking) this.onAbort();
        this.#voice.send({ type: 'stt', text });
        this.#run(conversation.sendText(text));
    }
  }

  onAbort(): void {
    this.#run(this.#options.conversation.interrupt());
  }

  /**
   * A device that cannot listen while it speaks stops its microphone then. Audio that still arrives was sent before, or
   * is the device's own voice; it is not an interruption.
   */
  onAudio(opus: Uint8Array): void {
    if (this.#listening && (this.#cancelsEcho || !this.#speaking)) this.#ear?.hear(opus);
  }

  onEnd(): void {
    this.#run(this.#options.conversation.close('The device has disconnected.'));
  }

  onChunk(chunk: AnyChunk): void {
    if (chunk.type === ChunkType.AUDIO_RAW) {
      if (this.#isFlushed(chunk)) return;
      this.#begin();
      this.#mouth?.speak(chunk);
      return;
    }
    if (chunk.type === ChunkType.TEXT && chunk.source === 'user')
      return this.#voice.send({ type: 'stt', text: shownText(chunk.data) });
    if (chunk.type === ChunkType.TOOL_OUTPUT) return this.#expectAnswer();
    if (chunk.type === ChunkType.TOOL_CALL || chunk.type === ChunkType.IMAGE) return;
    if (chunk.type === ChunkType.TEXT_DELTA) {
      if (this.#isFlushed(chunk)) return;
      this.#sentenceAt ??= this.#mouth?.next;
    }
    this.#run(this.#sentences.process(chunk));
    if (chunk.type === ChunkType.TEXT_DELTA || chunk.type === ChunkType.TEXT) return;
    this.#happened(chunk);
  }

  /** The user speaks, or has pressed the button: the device stops the voice. Undefined if it was silent already. */
  onFlush(): number | undefined {
    if (!this.#speaking) return undefined;
    this.#flushed = this.#response;
    const heardMs = this.#mouth?.flush();
    this.#fallSilent();
    return heardMs;
  }

  onClose(): void {
    this.#ended = true;
    this.#mouth?.flush();
    this.#fallSilent();
    this.#voice.release();
    this.#free();
  }

  #isFlushed({ responseId }: { responseId: string | undefined }): boolean {
    return responseId !== undefined && responseId === this.#flushed;
  }

  #happened({ type, responseId, detail }: EventChunk): void {
    switch (type) {
      case ChunkType.EVENT_RESPONSE_START:
        this.#stopWaiting?.();
        this.#stopWaiting = undefined;
        this.#response = responseId;
        return;
      case ChunkType.EVENT_RESPONSE_END:
        if (this.#response === responseId) this.#response = undefined;
        this.#sentenceAt = undefined;
        if (this.#speaking) this.#mouth?.finish();
        return this.#settle();
      case ChunkType.EVENT_REALTIME_DISCONNECTED:
        this.#response = undefined;
        this.onFlush();
        return this.#voice.send(alertMessage(detail ?? 'The connection to the model was lost.'));
      default:
        return;
    }
  }

  #begin(): void {
    if (this.#speaking) return;
    this.#speaking = true;
    this.#voice.send({ type: 'llm', emotion: 'neutral', text: '😶' });
    this.#voice.send({ type: 'tts', state: 'start' });
    this.#mouth?.begin();
  }

  #say(text: string): void {
    if (text === '' || this.#mouth === undefined) return;
    this.#begin();
    this.#mouth.say(shownText(text), this.#sentenceAt ?? this.#mouth.next);
    // The rest of the words belongs to the next one.
    this.#sentenceAt = this.#mouth.next;
  }

  /** The calls are answered: the device does not listen until the model has responded to them, or the time is up. */
  #expectAnswer(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = this.#options.clock.after(answerMs, () => {
      this.#stopWaiting = undefined;
      this.#settle();
    });
  }

  /** Ends the voice once its last frame was played and no more output is expected. */
  #settle(): void {
    if (!this.#speaking || this.#isBusy()) return;
    const heard = this.#mouth?.idle() ?? Promise.resolve();
    this.#run(
      heard.then(() => {
        if (!this.#isBusy()) this.#fallSilent();
      }),
    );
  }

  #isBusy(): boolean {
    return this.#response !== undefined || this.#stopWaiting !== undefined || this.#options.conversation.openCalls > 0;
  }

  #fallSilent(): void {
    this.#sentenceAt = undefined;
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    if (!this.#speaking) return;
    this.#speaking = false;
    this.#voice.send({ type: 'tts', state: 'stop' });
  }

  #run(done: Promise<void>): void {
    done.catch((error: unknown) => {
      if (!this.#options.conversation.isClosed) this.#options.onError(error);
    });
  }

  #free(): void {
    this.#ear?.close();
    this.#mouth?.close();
  }
}

/** Packets that wait for room on the model's connection: five seconds of 60 ms each. */
const maxOnWay = 84;

/** What becomes of a device's sound. */
interface DeviceEarOptions {
  /** Samples a second that the model takes. */
  sampleRate: number;
  /** Resolves when there is room for more. */
  sendAudio: (pcm: Int16Array, sampleRate: number) => Promise<void>;
  /** Once for each kind: in words. */
  onProblem: (problem: string) => void;
}

/** A device's Opus packets on their way to the model. A decoder gives any rate that Opus knows: nothing is resampled here. */
class DeviceEar {
  readonly #options: DeviceEarOptions;
  readonly #decoder: OpusDecoder;
  readonly #told = new Set<string>();
  #onWay = 0;
  #closed = false;

  private constructor(options: DeviceEarOptions, decoder: OpusDecoder) {
    this.#options = options;
    this.#decoder = decoder;
  }

  static async create(options: DeviceEarOptions): Promise<DeviceEar> {
    const { sampleRate } = options;
    // Opus has no 44.1 kHz and the like; the conversation resamples then.
    const decoder = await OpusDecoder.create({ sampleRate: isOpusSampleRate(sampleRate) ? sampleRate : 16_000 });
    return new DeviceEar(options, decoder);
  }

  hear(packet: Uint8Array): void {
    if (this.#closed) return;
    if (this.#onWay >= maxOnWay) return this.#tell('The model takes no more sound at the moment; some was left out.');
    this.#onWay += 1;
    this.#options
      .sendAudio(this.#decode(packet), this.#decoder.sampleRate)
      // The conversation has ended, and says so itself.
      .catch(() => undefined)
      .finally(() => (this.#onWay -= 1));
  }

  /** Frees the decoder; again is no error. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#decoder.close();
  }

  #decode(packet: Uint8Array): Int16Array {
    try {
      return this.#decoder.decode(packet);
    } catch (error) {
      if (!(error instanceof OpusPacketError)) throw error;
      this.#tell(`The device sent sound that cannot be read. ${error.message}`);
      return this.#decoder.conceal();
    }
  }

  #tell(problem: string): void {
    if (this.#told.has(problem) || this.#told.size >= 8) return;
    this.#told.add(problem);
    this.#options.onProblem(problem);
  }
}
