import { fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

/** A message to a process. `limitMs` is processor time. */
export interface AskedWork {
  name: string;
  /** Identifies the input. A process keeps the input that it opened last, which `input` then need not repeat. */
  key?: number | undefined;
  input?: unknown;
  question: unknown;
  limitMs: number;
}

/** A message to a process that runs a program to its end and then ends itself, without a reply. */
export interface AskedProgram {
  program: 'conformance';
  args: string[];
}

/** The reply of a process; `usedMs` is processor time. If `isTooMuch` is set, the work was stopped; there may still be an answer that states this. */
export type WorkReply = { usedMs: number; isTooMuch: boolean } & ({ answer: unknown } | { error: string });

/** A message of a process: first that it has taken the work, then its reply. */
export type WorkMessage = { isTaken: true } | WorkReply;

/** The file that a child process runs. */
export const workEntry = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../worker.ts' : './worker.js', import.meta.url),
);

/** How a child process ended. */
export interface ChildEnd {
  isOutOfMemory: boolean;
  /** In words, with the last that it wrote to its error output. */
  how: string;
}

/** A child process that does work. Messages are copied as by `structuredClone`. */
export interface WorkChild {
  send(message: AskedWork | AskedProgram): void;
  /** Whether this process stays alive for it. */
  setNeeded(isNeeded: boolean): void;
  /** Ends the process immediately, even while it works. */
  kill(): void;
}

export interface ChildOptions {
  /** MB of values that it may hold. V8 ends a process that holds more, and with a thread it would end this whole process. */
  heapMb: number;
  onMessage: (message: WorkMessage) => void;
  /** Called once. No message follows. */
  onEnd: (end: ChildEnd) => void;
}

/** Starts a child process. May throw if the system cannot start one. */
export type StartChild = (options: ChildOptions) => WorkChild;

/** Characters of a child's error output that are kept: V8's reason for its end is among the last ones. */
const keptErrorOutput = 4_000;

/** Collects what a child writes to its error output, and reports how it ended. */
export function createEndReader(): { add(text: string): void; read(status: string): ChildEnd } {
  let output = '';
  return {
    add: (text) => void (output = (output + text).slice(-keptErrorOutput)),
    read(status) {
      const reason = output.split('\n').find((line) => /fatal|error/i.test(line));
      return {
        isOutOfMemory: /out of memory|allocation failed|heap limit/i.test(output),
        how: reason === undefined ? status : `${status}, ${reason.trim()}`,
      };
    },
  };
}

/**
 * The environment of a child process: nothing of ours, but what Windows needs to start a program. Not empty, since Electron
 * takes an empty environment for none, and then passes ours on.
 */
export function childEnv(): Record<string, string> {
  const { SystemRoot } = process.env;
  return { TOOLWIRE_WORK: '1', ...(SystemRoot !== undefined && { SystemRoot }) };
}

/** Starts a child process of Node, or of Electron as Node, without the environment of this process. */
export function startNodeChild({ heapMb, onMessage, onEnd }: ChildOptions): WorkChild {
  const child = fork(workEntry, [], {
    env: { ...childEnv(), ...(process.versions['electron'] !== undefined && { ELECTRON_RUN_AS_NODE: '1' }) },
    execArgv: [`--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    windowsHide: true,
  });
  const end = createEndReader();
  let status: string | undefined;
  /** Called for `close`, once the error output has been read. Node does not always emit that if nothing was started. */
  const finish = (): void => {
    child.off('close', finish);
    onEnd(end.read(status ?? 'unknown status'));
  };
  child.stderr?.setEncoding('utf8').on('data', end.add);
  child.on('message', onMessage);
  child.on('error', (error) => {
    status ??= error.message;
    if (child.pid === undefined) finish();
  });
  child.on('exit', (code, signal) => (status ??= signal ?? `exit code ${code}`));
  child.on('close', finish);
  return {
    send: (message) => child.connected && child.send(message, () => undefined),
    setNeeded(isNeeded) {
      const act = isNeeded ? 'ref' : 'unref';
      child[act]();
      child.channel?.[act]();
      (child.stderr as Socket | null)?.[act]();
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
