/** A session of the LLM gateway on its way between nodes. */
import * as z from 'zod';

import type { EarlierResults } from '../../engine/earlierResults.ts';

/** Bytes of the messages that move, as JSON, and of the texts that calls are compared with; the oldest stay behind. */
const limits = { messages: 65_536, texts: 524_288 };
/** Characters of an id: a client in C has a buffer for 63. */
const maxIdLength = 63;

const message = z.object({ role: z.enum(['user', 'assistant']), content: z.string().max(262_144) });
const shortText = z.string().max(64);
export const movedSession = z.object({
  id: z.string().min(1).max(maxIdLength),
  startedAt: z.number().min(0).max(8.64e15),
  /** How often it has moved to another node. */
  moves: z.int().min(0).max(1e9),
  messages: z.array(message).max(10),
  /** Earlier results of tools, by their tools, and messages of the user, whose source is empty. */
  texts: z.array(z.object({ source: z.string().max(4_096), text: z.string().max(65_536) })).max(2_000),
  language: shortText.exactOptional(),
  role: shortText.exactOptional(),
});
/** What moves of a session. Tools and settings belong to a connection. */
export type MovedSession = z.infer<typeof movedSession>;

/** A session of a gateway. */
export interface GatewaySession {
  readonly id: string;
  /** Epoch ms. */
  readonly startedAt: number;
  /** How often it has moved to another node. */
  readonly moves: number;
  /** Oldest first, at most ten. */
  readonly messages: readonly z.infer<typeof message>[];
  /** Tool results and user messages of all its turns: a call whose text occurs in a result asks first. */
  readonly results: EarlierResults;
  /** Code of the language for answers; the model chooses if it is absent. */
  language?: string;
  /** Name of the character that the model plays. */
  role?: string;
}

/** The sessions of a gateway. */
export interface GatewaySessions {
  readonly timeoutMs: () => number;
  get(id: string): GatewaySession | undefined;
  list(): GatewaySession[];
  create(given: Pick<MovedSession, 'id' | 'startedAt' | 'moves'>): GatewaySession;
  remember(session: GatewaySession, messages: MovedSession['messages']): void;
  /** It goes on at another node. */
  release(id: string): boolean;
}

/** The other nodes of a cluster, as a gateway sees them. */
export interface SessionNodes {
  /** The id of a new session. */
  newId: () => string;
  /** Whether another node may have a session of this id. */
  mayHave: (id: string) => boolean;
  /**
   * Takes a session over, if there is one that has not expired and all nodes that may have it answer. The node that had it has it no
   * longer. Never rejects.
   */
  takeOver: (id: string, sessionStore: GatewaySessions) => Promise<void>;
  /** A turn was answered. Nothing happens unless sessions are kept. */
  keep: (session: GatewaySession) => void;
  /** A session was ended: it must not come back. */
  ended: (session: GatewaySession) => void;
  /** The sessions that other nodes can take over. */
  host: (sessionStore: GatewaySessions) => void;
}

/** `maxBytes`: what the broker takes of a message. */
export function toMovedSession(session: GatewaySession, maxBytes: number): MovedSession {
  const { results, id, startedAt, moves, messages, language, role } = session;
  return {
    id,
    startedAt,
    moves,
    messages: newestOf(messages, Math.min(limits.messages, maxBytes / 4)),
    texts: newestOf(results.texts, Math.min(limits.texts, maxBytes / 2)),
    ...(language !== undefined && { language }),
    ...(role !== undefined && { role }),
  };
}

/** Adds a session that has arrived. */
export function addMovedSession({ id, startedAt, moves, ...rest }: MovedSession, sessionStore: GatewaySessions): void {
  const { messages, texts, language, role } = rest;
  const session = sessionStore.create({ id, startedAt, moves: moves + 1 });
  if (language !== undefined) session.language = language;
  if (role !== undefined) session.role = role;
  for (const { source, text } of texts)
    if (source === '') session.results.addUserText(text);
    else session.results.add({ toolName: source, status: 'success', result: text });
  // A copy of the whole session may be kept now.
  sessionStore.remember(session, messages);
}

/** The newest is one of them, whatever its size: without it, the session would go on as another one. */
function newestOf<T>(items: readonly T[], maxBytes: number): T[] {
  let bytes = 0;
  const first = items.findLastIndex((item) => (bytes += Buffer.byteLength(JSON.stringify(item))) > maxBytes);
  return items.slice(Math.min(first + 1, items.length - 1));
}
