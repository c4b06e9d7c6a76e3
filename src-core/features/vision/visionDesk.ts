import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { RequestError } from '../../base/requestError.ts';
import { fitsAnswer } from './explainAnswer.ts';
import type { PictureAnswer } from './explainAnswer.ts';
import { PictureShelf } from './pictureShelf.ts';
import type { VisionRequest } from './types.ts';

/** A picture as it came; its type is by its first bytes. */
export interface DevicePicture {
  mediaType: string;
  data: Buffer;
}

/** Asks a model that sees. Rejects with an error for the device's user to read; may end unheard when the signal aborts. */
export type AnswerPicture = (picture: DevicePicture, question: string, signal: AbortSignal) => Promise<string>;

export interface VisionDeskOptions {
  clock: Clock;
  /** Who answers; asked for each picture. `model` is as `canned` where no model sees. */
  policy: () => { answer: 'model' | 'hand' | 'canned'; cannedText: string };
  /** The model that sees, asked for with each picture; `undefined` where none is set. */
  answerPicture: () => AnswerPicture | undefined;
  /** A picture came, went, or has its answer. */
  onChange: () => void;
}

/** Whose picture it is. */
export interface VisionGuest {
  /** The hub's id. */
  deviceId: () => string;
  name: () => string;
  /** ms that the device waits for an answer (spec/xiaozhi.md §1.6: py-xiaozhi 10 s, boards 30 s). */
  patienceMs: () => number;
  /** Writes a line to the device's log. */
  note: (line: { direction: 'in' | 'out'; summary: string; text?: string }) => void;
}

/** Time that an answer needs to reach the device before it gives up. */
const marginMs = 1_500;

/** Where devices' pictures are shown and their questions answered: by a model, a person, or a text set beforehand. */
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

  /** @throws RequestError where it is gone. */
  picture(id: string): DevicePicture {
    const { request, picture } = this.#shelf.get(id);
    return { mediaType: request.mediaType, data: picture };
  }

  /**
   * Answers a question by hand.
   * @throws RequestError where it does not wait, or the text is too long for a board.
   */
  answer(id: string, text: string): void {
    this.#shelf.get(id);
    const settle = this.#waiting.get(id);
    if (settle === undefined)
      throw new RequestError('That question waits for no answer any more; the device has had one, or gave up.');
    if (!fitsAnswer(text))
      throw new RequestError('A board takes an answer of less than 7,000 bytes. Shorten it.', { field: 'text' });
    settle({ state: 'answered', answer: text, answeredBy: 'hand' });
  }

  /** Takes a picture off the list; one that waits is answered with the canned text. Gives what it was. */
  setAside(id: string): VisionRequest {
    const { request } = this.#shelf.get(id);
    this.#waiting.get(id)?.(this.#expired());
    this.#shelf.setAside(id, true);
    this.#options.onChange();
    return request;
  }

  /** Puts one on the list again. @throws RequestError where it is gone. */
  putBack(id: string): void {
    this.#shelf.setAside(id, false);
    this.#options.onChange();
  }

  /** Lets one that was set aside go for good. */
  remove(id: string): void {
    this.#shelf.remove(id);
  }

  /** Keeps a picture of the screen. Gives its id. */
  keepSnapshot(guest: VisionGuest, picture: DevicePicture): string {
    return this.#keep({ guest, picture, kind: 'snapshot', state: 'answered' }).id;
  }

  /**
   * Finds an answer to a picture's question, in time for the device: resolves then with what to tell it. `gone` aborts
   * when the device has hung up; never rejects.
   */
  explain(options: {
    guest: VisionGuest;
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
      const hangUp = () => settle({ state: 'failed', error: 'The device hung up before the answer came.' });
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

  /** Answers whatever waits with the canned text. */
  close(): void {
    for (const settle of [...this.#waiting.values()]) settle(this.#expired());
  }

  #expired(): Partial<VisionRequest> {
    return { state: 'expired', answer: this.#options.policy().cannedText, answeredBy: 'canned' };
  }

  #settled(request: VisionRequest, change: Partial<VisionRequest>, guest: VisionGuest): PictureAnswer {
    Object.assign(request, change);
    this.#options.onChange();
    const { answer, answeredBy, error = '' } = request;
    const text = answer ?? error;
    const summary = answer === undefined ? 'no answer to the picture' : `answer to the picture, by ${answeredBy}`;
    guest.note({ direction: 'out', summary, text });
    return { success: answer !== undefined, text };
  }

  #keep(options: {
    guest: VisionGuest;
    picture: DevicePicture;
    kind: VisionRequest['kind'];
    state: VisionRequest['state'];
    question?: string;
  }): VisionRequest {
    const { guest, picture, kind, state, question = '' } = options;
    const request: VisionRequest = {
      id: randomUUID(),
      deviceId: guest.deviceId(),
      deviceName: guest.name(),
      kind,
      at: this.#options.clock.wall(),
      mediaType: picture.mediaType,
      bytes: picture.data.length,
      state,
      ...(question === '' ? {} : { question }),
    };
    // A copy: a part of a body would keep all of it alive.
    this.#shelf.add({ request, picture: Buffer.from(picture.data) });
    // What has left the list nobody can answer any more.
    for (const [id, settle] of this.#waiting) if (!this.#shelf.has(id)) settle(this.#expired());
    const what = kind === 'explain' ? 'posted a picture with a question' : 'posted a picture of its screen';
    guest.note({ direction: 'in', summary: `${what}, ${picture.data.length} bytes`, text: question });
    this.#options.onChange();
    return request;
  }
}

function tooSlow(ms: number): Partial<VisionRequest> {
  return { state: 'failed', error: `The model gave no answer within ${ms / 1_000} s; the device waits no longer.` };
}
