import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

/** A message of the gateway, as it came. */
export type Message = { type: string; timestamp: string } & Record<string, unknown>;

/** A client of the gateway that says what a test says, and nothing else. */
export interface TestClient {
  socket: WebSocket;
  /** From `connected`. */
  sessionId: string;
  /** Sends an object as JSON, text as it is. */
  send: (message: object | string) => void;
  /** The next message that has not been taken, in the order they came. */
  next: () => Promise<Message>;
  /** Takes messages up to and with the first of this type, or the status of this name; gives them all. */
  upTo: (typeOrStatus: string) => Promise<Message[]>;
  /** Takes `connected`. */
  connected: () => Promise<void>;
  /** What came and has not been taken. */
  untaken: () => Message[];
  /** Resolves with the close code. */
  closed: Promise<number>;
}

/** Types in short: `status:processing`, `error:TIMEOUT`, `llm_response`. */
export function inShort(messages: Message[]): string[] {
  return messages.map(({ type, status, code }) => {
    const more = status ?? code;
    return typeof more === 'string' ? `${type}:${more}` : type;
  });
}

/** Connects; the socket is cut when the test ends. */
export async function connectClient(url: string, { origin }: { origin?: string } = {}): Promise<TestClient> {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...(origin !== undefined && { origin }) });
  onTestFinished(() => socket.terminate());
  const inbox: Message[] = [];
  const waiting: { resolve: (message: Message) => void; reject: (error: Error) => void }[] = [];
  let gone: Error | undefined;
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as Message;
    const next = waiting.shift();
    if (next === undefined) inbox.push(message);
    else next.resolve(message);
  });
  const closed = new Promise<number>((resolve) =>
    socket.once('close', (code) => {
      gone = new Error(`The gateway closed the connection with ${code}.`);
      for (const { reject } of waiting.splice(0)) reject(gone);
      resolve(code);
    }),
  );
  const next = (): Promise<Message> => {
    const message = inbox.shift();
    if (message !== undefined) return Promise.resolve(message);
    if (gone !== undefined) return Promise.reject(gone);
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  };
  await once(socket, 'open');
  const client: TestClient = {
    socket,
    sessionId: '',
    next,
    closed,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async upTo(wanted) {
      const taken: Message[] = [];
      for (;;) {
        const message = await next();
        taken.push(message);
        if (message.type === wanted || message['status'] === wanted) return taken;
      }
    },
    async connected() {
      // Says so by its place: it is the first message.
      const { data } = (await next()) as unknown as { data: { session_id: string } };
      client.sessionId = data.session_id;
    },
    untaken: () => [...inbox],
  };
  return client;
}
