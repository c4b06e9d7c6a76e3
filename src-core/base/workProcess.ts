import { describeThrown } from './describeThrown.ts';
import type { AskedWork, ChildEnd, StartChild, WorkChild, WorkMessage, WorkReply } from './workChild.ts';
import { TooMuchWorkError, type WorkBudget } from './workBudget.ts';

/** A process is ended after this multiple of the limit of its work, but not before `minWallMs`, even on a busy machine. */
const wallFactor = 5;
const minWallMs = 10_000;
/** ms after which a process that has not taken its first work is abandoned. */
const startLimitMs = 60_000;

/** A kind of work for processes. `worker.ts` lists all kinds. */
export interface Work<Input, Question, Answer> {
  readonly name: string;
  /**
   * Opens an input, and returns a function that answers questions about it. Questions and answers are copied as by
   * `structuredClone`, which loses exact numbers: values that may have some cross as JSON text.
   */
  readonly open: (input: Input) => (question: Question, budget: WorkBudget) => Answer;
}

/** A process that does one item of work after another. */
export interface WorkProcess {
  /** Whether it can take work: it is not working and has not ended. */
  readonly isIdle: boolean;
  /** Key of the input that is open in it. */
  readonly key: number | undefined;
  /** Sends an item of work to an idle process. Rejects with the reason if the process ends before it replies. */
  ask(asked: AskedWork): Promise<WorkReply>;
  end(reason: Error): void;
}

/** The limits of a process. */
export interface ProcessOptions {
  /** Limit of its heap, in MB. */
  heapMb: number;
  /** ms without work after which it ends. It does not keep this process running until then. */
  idleMs: number;
  startChild: StartChild;
  /** Called when it no longer runs, perhaps twice. */
  onExit: () => void;
}

/** Starts a process. It ends if work exceeds its limits, even if the work was stopped in time. */
export function startProcess({ heapMb, idleMs, startChild, onExit }: ProcessOptions): WorkProcess {
  let child: WorkChild | undefined;
  let asking: { reply: PromiseWithResolvers<WorkReply>; asked: AskedWork } | undefined;
  let key: number | undefined;
  let ended: Error | undefined;
  let timer: NodeJS.Timeout | undefined;

  function end(reason: Error): void {
    clearTimeout(timer);
    ended ??= reason;
    asking?.reply.reject(ended);
    child?.kill();
  }

  /** Does not rely on the process to end: the system may not have started it. */
  function giveUp(): void {
    end(new Error(`The process did not start within ${startLimitMs / 1_000} s.`));
    onExit();
  }

  /** Neither the start of the process nor the wait for it counts. */
  function limitWallTime({ limitMs }: AskedWork): void {
    const wallMs = Math.max(minWallMs, limitMs * wallFactor);
    timer = setTimeout(() => end(new TooMuchWorkError(`it takes more than ${wallMs / 1_000} s`)), wallMs);
  }

  function onMessage(message: WorkMessage): void {
    if (asking === undefined || ended !== undefined) return;
    clearTimeout(timer);
    const { asked, reply } = asking;
    if ('isTaken' in message) return limitWallTime(asked);
    asking = undefined;
    reply.resolve(message);
    if (message.isTooMuch) return end(hasEnded());
    key = 'answer' in message ? asked.key : undefined;
    timer = setTimeout(() => end(hasEnded()), idleMs).unref();
    child?.setNeeded(false);
  }

  function onEnd(how: ChildEnd): void {
    end(reasonOf(how, heapMb));
    onExit();
  }

  try {
    child = startChild({ heapMb, onMessage, onEnd });
  } catch (error) {
    ended = new Error(`The process could not be started: ${describeThrown(error)}`, { cause: error });
    queueMicrotask(onExit);
  }

  return {
    get isIdle() {
      return ended === undefined && asking === undefined;
    },
    get key() {
      return key;
    },
    ask(asked) {
      clearTimeout(timer);
      const reply = Promise.withResolvers<WorkReply>();
      asking = { asked, reply };
      if (ended !== undefined) reply.reject(ended);
      else timer = setTimeout(giveUp, startLimitMs);
      child?.setNeeded(true);
      try {
        child?.send(asked);
      } catch (error) {
        end(new Error(describeThrown(error), { cause: error }));
      }
      return reply.promise;
    },
    end,
  };
}

function hasEnded(): Error {
  return new Error('The process has ended.');
}

function reasonOf({ isOutOfMemory, how }: ChildEnd, heapMb: number): Error {
  return isOutOfMemory
    ? new TooMuchWorkError(`it takes more than ${heapMb} MB of memory`)
    : new Error(`The process that did the work ended: ${how}`);
}
