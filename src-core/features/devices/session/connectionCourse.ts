import type { Clock } from '../../../base/clock.ts';
import { departureOf, type Departure } from '../health/departure.ts';
import type { WireClose } from '../wire/deviceWire.ts';
import { stationOf, type ConnectionProgress } from '../doctor/connectionProgress.ts';
import type { CutRequest } from '../wire/rpcPeer.ts';
import type { DeviceInfo, DeviceState, DoctorCause, DoctorStepId } from '../../../contract/deviceInfo.ts';

/** One connection's way from the open socket to its end: its state, how far it has come, and what went wrong. */
export class ConnectionCourse {
  readonly #clock: Clock;
  state: DeviceState = 'hello';
  error: DeviceInfo['error'];
  /** For the doctor. */
  readonly progress: ConnectionProgress;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.progress = { openedAt: clock.wall() };
  }

  /** The connection is gone. */
  get ended(): boolean {
    return this.progress.endedAt !== undefined;
  }

  /** Its hello was answered. */
  get admitted(): boolean {
    return this.progress.admittedAt !== undefined;
  }

  /** Its hello came, and waits for the user. */
  hold(): void {
    this.progress.helloAt = this.progress.heldAt = this.#clock.wall();
    this.enter('approval');
  }

  /** Its hello is being answered, which may be another one on the same connection: what came after the last is void. */
  admit(): void {
    const { progress } = this;
    const now = this.#clock.wall();
    progress.helloAt = progress.heldAt ?? now;
    progress.admittedAt = now;
    delete progress.initializedAt;
    delete progress.listedAt;
    delete progress.stopped;
  }

  /** It comes to a state, unless it has ended. */
  enter(state: DeviceState, error?: DeviceInfo['error']): void {
    if (this.ended) return;
    this.state = state;
    this.error = error;
  }

  /** initialize was answered, and its tools are being asked for. */
  list(): void {
    this.progress.initializedAt = this.#clock.wall();
    this.enter('listing');
  }

  /** Its tools have been listed; `problem` says what of them could not be used. */
  listed(problem: { cause: DoctorCause; message: string } | undefined): void {
    const { progress } = this;
    const now = this.#clock.wall();
    progress.initializedAt ??= now;
    progress.listedAt = now;
    delete progress.stopped;
    this.error = undefined;
    if (problem !== undefined) this.#stop('tools', problem.cause, problem.message);
    this.enter('ready', this.error);
  }

  /** It gets no further than this station. */
  fail(step: DoctorStepId, cause: DoctorCause, message: string): void {
    this.state = 'failed';
    this.#stop(step, cause, message);
  }

  /** The socket is closed. */
  end(): void {
    this.progress.endedAt = this.#clock.wall();
  }

  /** What its end means, if it had not failed before. `call` is the tool's call that the end cut off, at `endedAt` of the clock. */
  leave(
    close: WireClose,
    { name, call, endedAt }: { name: () => string; call: CutRequest | undefined; endedAt: number },
  ): void {
    if (this.state === 'failed') return;
    const request = call && { id: call.id, method: call.method, tool: call.tool, sentAt: call.sentAt };
    const departure = (): Departure => departureOf(close, name(), request && { request, endedAt });
    const { cause, description } = departure();
    if (call?.tool !== undefined && call.id !== undefined)
      this.progress.cutOff = { id: call.id, tookMs: endedAt - call.sentAt };
    const station = stationOf(this.progress);
    if (station !== undefined && this.state !== 'ready')
      this.#stop(station, causeBeforeReady(station, cause), description);
    this.state = this.state === 'ready' ? 'closed' : 'failed';
    this.progress.departure = cause;
    // By the name that it has when somebody asks.
    this.error = {
      code: cause,
      get message() {
        return departure().description;
      },
    };
  }

  #stop(step: DoctorStepId, cause: DoctorCause, message: string): void {
    this.progress.stopped = { step, cause, at: this.#clock.wall() };
    this.error = { code: cause, message };
  }
}

function causeBeforeReady(station: DoctorStepId, cause: Departure['cause']): DoctorCause {
  if (cause === 'broken-frames') return cause;
  if (station === 'approval') return 'waits-for-approval';
  return cause === 'closed-here' ? cause : 'left-before-ready';
}
