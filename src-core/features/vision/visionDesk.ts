import { randomUUID } from 'node:crypto';
import type { PictureGuest } from '../devices/entry/pictureGuest.ts';
import type { Clock } from '../../base/clock.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { RequestError } from '../../base/requestError.ts';
import { fitsAnswer, type PictureAnswer } from './explainAnswer.ts';
import { PictureShelf } from './pictureShelf.ts';
import type { VisionRequest } from '../../contract/types.ts';

/** A picture as received; its type is detected from its first bytes. */
export interface DevicePicture {
  mediaType: string;
  data: Buffer;
}

/**
 * Asks a model that accepts pictures. Rejects with an error to show to the device's user; the result may be ignored
 * when the signal aborts.
 */
export type AnswerPicture = (picture: DevicePicture, question: string, signal: AbortSignal) => Promise<string>;

export interface VisionDeskOptions {
  clock: Clock;
  /** Who answers; called for each picture. `model` is treated as `canned` if no model accepts pictures. */
  policy: () => { answer: 'model' | 'hand' | 'canned'; cannedText: string };
  /** The model that accepts pictures, requested with each picture; `undefined` if none is set. */
  answerPicture: () => AnswerPicture | undefined;
  /** A picture was added, removed, or answered. */
  onChange: () => void;
}

/** Whose answer it was, in the log. */
const answerSummaries = {
  model: "model's answer to the picture",
  hand: "user's answer to the picture",
  canned: 'fixed answer to the picture',
};

/** Time for an answer to reach the device before it gives up. */
const marginMs = 1_500;

/** Lists devices' pictures and answers their questions: by a model, the user, or a preset text. */
export class VisionDesk {
  readonly #options: VisionDeskOptions;
  readonly #shelf = new PictureShelf();
  /** Ends the wait for an answer, by the picture's id. */
  readonly #waiting = new Map<string, (answer: Partial<VisionRequest>) => void>();

  constructor(options: VisionDeskOptions) {
    this.#options = options;
  }

  /** Newest first; at most 100. */
  list(): VisionRequest[] {
    return this.#shelf.list();
  }

  /** @throws {RequestError} If it was dropped. */
  picture(id: string): DevicePicture {
    const { request, picture } = this.#shelf.get(id);
    return { mediaType: request.mediaType, data: picture };
  }

  /** Answers a question by hand. @throws {RequestError} If it does not wait, or the text is too long for a board. */
  answer(id: string, text: string): void {
    this.#shelf.get(id);
    const settle = this.#waiting.get(id);
    if (settle === undefined)
      throw new RequestError('That question no longer waits for an answer: the device has one, or has given up.');
    if (!fitsAnswer(text))
      throw new RequestError('A board accepts an answer of less than 7,000 bytes. Shorten it.', { field: 'text' });
    settle({ state: 'answered', answer: text, answeredBy: 'hand' });
  }

  /** Removes a picture from the list; one that waits is answered with the canned text. Returns its request. */
  setAside(id: string): VisionRequest {
    const { request } = this.#shelf.get(id);
    this.#waiting.get(id)?.(this.#expired());
    this.#shelf.setAside(id, true);
    this.#options.onChange();
    return request;
  }

  /** Restores one to the list. @throws {RequestError} If it was dropped. */
  putBack(id: string): void {
    this.#shelf.setAside(id, false);
    this.#options.onChange();
  }

  /** Deletes one that was set aside. */
  remove(id: string): void {
    this.#shelf.remove(id);
  }

  /** Keeps a picture of the screen. Returns its id. */
  keepSnapshot(guest: PictureGuest, picture: DevicePicture): string {
    return this.#keep({ guest, picture, kind: 'snapshot', state: 'answered' }).id;
  }

  /**
   * Resolves with the answer to a picture's question, in time for the device. `gone` aborts when the device has
   * disconnected; never rejects.
   */
  explain(options: {
    guest: PictureGuest;
    picture: DevicePicture;
    question: string;
    gone: AbortSignal;
  }): Promise<PictureAnswer> {
    const { guest, picture, question, gone } = options;
    const request = this.#keep({ guest, picture, kind: 'explain', state: 'waiting', question });
    const { policy, answerPicture } = this.#options;
    const { answer: by, cannedText } = policy();
    const model = by === 'model' ? answerPicture() : undefined;
    return new Promise((resolve) => {
      const ended = new AbortController();
      const settle = (change: Partial<VisionRequest>): void => {
        if (ended.signal.aborted) return;
        ended.abort();
        stopTimer();
        gone.removeEventListener('abort', hangUp);
        this.#waiting.delete(request.id);
        delete request.waitsUntil;
        resolve(this.#settled(request, change, guest));
      };
      const hangUp = () => settle({ state: 'failed', error: 'The device disconnected before the answer arrived.' });
      let stopTimer = (): void => {};
      gone.addEventListener('abort', hangUp);
      if (gone.aborted) return hangUp();
      if (model === undefined && by !== 'hand')
        return settle({ state: 'answered', answer: cannedText, answeredBy: 'canned' });

      const { clock } = this.#options;
      const patienceMs = Math.max(0, guest.patienceMs() - marginMs);
      this.#waiting.set(request.id, settle);
      stopTimer = clock.after(patienceMs, () => settle(model === undefined ? this.#expired() : tooSlow(patienceMs)));
      if (model === undefined) {
        request.waitsUntil = clock.wall() + patienceMs;
        this.#options.onChange();
      } else {
        void model(picture, question, ended.signal).then(
          (text) => settle({ state: 'answered', answer: text, answeredBy: 'model' }),
          (error: unknown) => settle({ state: 'failed', error: describeThrown(error) }),
        );
      }
    });
  }

  /** Answers all waiting questions with the canned text. */
  close(): void {
    for (const settle of [...this.#waiting.values()]) settle(this.#expired());
  }

  #expired(): Partial<VisionRequest> {
    return { state: 'expired', answer: this.#options.policy().cannedText, answeredBy: 'canned' };
  }

  #settled(request: VisionRequest, change: Partial<VisionRequest>, guest: PictureGuest): PictureAnswer {
    Object.assign(request, change);
    this.#options.onChange();
    const { answer, answeredBy = 'canned', error = '' } = request;
    const text = answer ?? error;
    const summary = answer === undefined ? 'no answer to the picture' : answerSummaries[answeredBy];
    guest.note({ direction: 'out', summary, text });
    return { success: answer !== undefined, text };
  }

  #keep(options: {
    guest: PictureGuest;
    picture: DevicePicture;
    kind: VisionRequest['kind'];
    state: VisionRequest['state'];
    question?: string;
  }): VisionRequest {
    const { guest, picture, kind, state, question = '' } = options;
    const callId = guest.callId();
    const request: VisionRequest = {
      id: randomUUID(),
      deviceId: guest.deviceId(),
      deviceName: guest.name(),
      ...(callId !== undefined && { callId }),
      kind,
      at: this.#options.clock.wall(),
      mediaType: picture.mediaType,
      bytes: picture.data.length,
      state,
      ...(question === '' ? {} : { question }),
    };
    // A copy: a slice of a body would keep all of it in memory.
    this.#shelf.add({ request, picture: Buffer.from(picture.data) });
    // A picture that was dropped from the list can no longer be answered.
    for (const [id, settle] of this.#waiting) if (!this.#shelf.has(id)) settle(this.#expired());
    const what = kind === 'explain' ? 'posted a picture with a question' : 'posted a picture of its screen';
    guest.note({ direction: 'in', summary: `${what}, ${picture.data.length} bytes`, text: question });
    this.#options.onChange();
    return request;
  }
}

function tooSlow(ms: number): Partial<VisionRequest> {
  return { state: 'failed', error: `The model did not answer within ${ms / 1_000} s, and the device no longer waits.` };
}
