import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

import type { JSONRPCMessage } from '@modelcontextprotocol/client';

import { createLineReader, type LineReader } from './createLineReader.ts';
import { endProcessTree, killOrphans, startProcess } from './endProcessTree.ts';
import { environmentOf } from './findProgram.ts';
import {
  deliver,
  faultOfEnds,
  faultOfText,
  longestNote,
  noteProbe,
  readMessages,
  type McpTransport,
  type MessageFault,
} from './readMessages.ts';
import type { ServerEndpoint, WireNote, WireObserver } from './types.ts';

type StdioEndpoint = Extract<ServerEndpoint, { type: 'stdio' }>;

const keptTextBytes = 64 * 1024;
const keptLines = 1000;
/** How many bytes are read in one turn of the event loop. */
const turnBytes = 4096;
/** How many lines that are not messages are read in one ms. */
const linesPerMs = 2;
const defaultJunkMs = 15_000;
/** How long the output of a process that has ended may stay open, in ms: a process in another group may have it, too. */
const drainMs = 500;
/** How long closing waits after the end of the process until its output is read, in ms. */
const closeMs = 2000;
/** A server may print a banner and take long to start; so many lines are none. */
const junkLines = 100;

/** How the process ended, as far as it has. */
export interface ProcessEnd {
  exitCode?: number;
  exitSignal?: string;
}

/**
 * A server as a child process: one message a line on stdin and stdout. Unlike the SDK's transport it keeps exact numbers,
 * survives a message that is too long, reports each frame, and ends the whole process tree. The SDK takes a transport with
 * `pid` and `stderr` for one of stdio: silence on its probe means a legacy server then.
 */
export class StdioTransport implements McpTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: McpTransport['onmessage'] & {};
  onfault?: (fault: MessageFault) => void;
  onstart?: () => void;
  readonly stderr = null;
  /** The last lines of stderr. */
  readonly stderrTail: string[] = [];
  /** The last line of stdout that is not JSON-RPC. */
  junk: string | undefined;
  readonly end: ProcessEnd = {};
  readonly #endpoint: StdioEndpoint;
  readonly #observer: WireObserver;
  readonly #maxMessageBytes: number;
  readonly #junkMs: number;
  hasReceived = false;
  probeId: McpTransport['probeId'];
  ignoredProbe: McpTransport['ignoredProbe'];
  #junkLines = 0;
  /** The process ended although `close` was not called. */
  exitedByItself = false;
  /** It closed its input before it was ended: it is on its way to its end. */
  #stoppedReading = false;
  #child: ChildProcess | undefined;
  #ending: Promise<void> | undefined;
  /** The process has ended, and its output is read. */
  readonly #closed = Promise.withResolvers<undefined>();
  /** The time limit that the first lines which are not JSON-RPC have started. */
  #junkTimer: NodeJS.Timeout | undefined;
  /** Lines that are not messages, in the present turn. */
  #otherLines = 0;
  #tailLength = 0;

  /** `junkMs`: how long a process that writes other lines on stdout may take until its first message. */
  constructor(endpoint: StdioEndpoint, observer: WireObserver, maxMessageBytes: number, junkMs = defaultJunkMs) {
    this.#endpoint = endpoint;
    this.#observer = observer;
    this.#maxMessageBytes = maxMessageBytes;
    this.#junkMs = junkMs;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** @throws {Error} Of Node if the process cannot be started (`ENOENT`, `EACCES`). */
  async start(): Promise<void> {
    if (this.#ending) throw new Error('The connection was closed.');
    const { command, args, env, cwd } = this.#endpoint;
    const child = startProcess(command, args, {
      env: environmentOf(env),
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(cwd !== undefined && { cwd }),
    });
    this.#child = child;
    const { stdin, stdout, stderr } = child;
    stdin?.on('error', (error) => this.onerror?.(error));
    const reading = Promise.all([this.#read(stdout, this.#createOutput()), this.#read(stderr, this.#createErrors())]);
    child.once('exit', (code, signal) => {
      if (code !== null) this.end.exitCode = code;
      if (signal !== null) this.end.exitSignal = signal;
      const drained = setTimeout(() => [stdout, stderr].forEach((stream) => stream?.destroy()), drainMs);
      child.once('close', () => clearTimeout(drained));
      if (this.#ending && !this.#stoppedReading) return;
      this.exitedByItself = true;
      if (child.pid !== undefined) killOrphans(child.pid);
    });
    child.once('close', () => {
      void reading.then(() => {
        clearTimeout(this.#junkTimer);
        this.#observer.onNote('close', `The process ended (${describeEnd(this.end)})`, this.#endNote());
        this.onclose?.();
        this.#closed.resolve(undefined);
      });
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    this.#observer.onNote('open', `Process ${child.pid}`, { code: 'process-started', pid: child.pid ?? 0 });
    this.onstart?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable || this.#ending) return Promise.reject(new Error('The process does not read any more.'));
    noteProbe(this, message);
    const text = JSON.stringify(message);
    this.#observer.onFrame({ direction: 'out', text, bytes: Buffer.byteLength(text) });
    return new Promise((resolve, reject) => {
      stdin.write(`${text}\n`, (error) => {
        this.#stoppedReading ||= Boolean(error) && this.#ending === undefined;
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Resolves once the process has ended and what it has written is read. */
  close(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    if (!this.#child) return;
    await endProcessTree(this.#child);
    if (this.pid !== null) await Promise.race([this.#closed.promise, wait(closeMs, undefined, { ref: false })]);
  }

  /** A process that writes without pause leaves time for everything else, and lines that are not messages are read slowly. */
  async #read(stream: Readable | null, reader: LineReader): Promise<void> {
    try {
      for await (const chunk of (stream ?? []) as AsyncIterable<Buffer>)
        for (let at = 0; at < chunk.length; at += turnBytes) {
          this.#otherLines = 0;
          reader.push(chunk.subarray(at, at + turnBytes));
          const ms = this.#hasExited ? 0 : Math.floor(this.#otherLines / linesPerMs);
          await (ms === 0 ? nextTurn() : wait(ms));
        }
    } catch (error) {
      if (!this.#hasExited) {
        this.onerror?.(error as Error);
        void this.close();
      }
    }
    reader.end();
  }

  #endNote(): WireNote | undefined {
    return this.#hasExited ? { code: 'process-ended', ...this.end } : undefined;
  }

  get #hasExited(): boolean {
    return this.end.exitCode !== undefined || this.end.exitSignal !== undefined;
  }

  #createOutput(): LineReader {
    return createLineReader({
      maxBytes: this.#maxMessageBytes,
      onLine: (text, bytes) => {
        const messages = readMessages(text);
        if (messages) {
          clearTimeout(this.#junkTimer);
          this.#observer.onFrame({ direction: 'in', text, bytes });
          deliver(this, messages);
          return;
        }
        this.#otherLines += 1;
        const line = text.slice(0, longestNote);
        this.junk = line;
        this.#junkLines += 1;
        if (!this.hasReceived && this.#junkLines >= junkLines)
          this.#junkTimer ??= setTimeout(() => void this.close(), this.#junkMs);
        const isFirst = !this.hasReceived && this.#junkLines === 1;
        this.#observer.onNote('note', `Not JSON-RPC on stdout: ${line}`, { code: 'junk-on-stdout', line, isFirst });
        const fault = faultOfText(text, bytes);
        if (fault) this.onfault?.(fault);
      },
      onTooLong: (start, end, bytes) => {
        this.#observer.onNote('note', `A message of ${bytes} bytes was dropped`);
        const fault = faultOfEnds({ start, end }, { code: 'too-large', reason: '', bytes });
        if (fault) this.onfault?.(fault);
      },
    });
  }

  #createErrors(): LineReader {
    const add = (line: string): void => {
      this.#otherLines += 1;
      this.#keepTail(line);
      this.#observer.onStderr(line);
    };
    return createLineReader({ maxBytes: longestNote, onLine: add, onTooLong: (start) => add(`${start}…`) });
  }

  /** Drops the earliest lines beyond 64 KiB. */
  #keepTail(line: string): void {
    this.stderrTail.push(line);
    this.#tailLength += line.length;
    while (this.#tailLength > keptTextBytes || this.stderrTail.length > keptLines)
      this.#tailLength -= this.stderrTail.shift()?.length ?? 0;
  }
}

function describeEnd({ exitCode, exitSignal }: ProcessEnd): string {
  if (exitSignal !== undefined) return exitSignal;
  return exitCode === undefined ? 'it was not started' : `exit code ${exitCode}`;
}
