import { GatewayRequestError } from './errors.ts';
import type { ChatAnswer, GatewayMessage } from './messages.ts';

/** Something that waits for its answer. */
interface Waiting<T> {
  resolve: (value: T) => void;
  reject: (error: Error) => void;
}

/** What a request other than a question waits for. */
export type RequestKind = 'start_session' | 'end_session' | 'register_tools';

/** The listener for a waiting question. */
interface ChatListeners {
  /** The gateway has begun with it. */
  onBegun: () => void;
  /** What comes up to its answer. */
  onMessage: (message: GatewayMessage) => void;
}

interface WaitingChat extends Waiting<ChatAnswer>, ChatListeners {
  begun: boolean;
  serverTools: ChatAnswer['serverTools'];
}

/** The listener for messages without a request. */
export interface AnswersOptions {
  /** The connection is in this session now. */
  onSession: (sessionId: string) => void;
  /** A question was answered by an error: the results of its tools are no longer awaited. */
  onTurnFailed: () => void;
}

/**
 * Tells which answer is whose. The protocol has no ids for it; the order has to do, with at most one request and one
 * question under way at a time.
 */
export class Answers {
  readonly #options: AnswersOptions;
  #request: (Waiting<GatewayMessage> & { kind: RequestKind }) | undefined;
  #chat: WaitingChat | undefined;
  readonly #pings: Waiting<void>[] = [];
  /** Results that were sent and may come back as INVALID_MESSAGE: they were too late. */
  #resultsInDoubt = 0;
  /** The end of a turn is followed by a status of its own, which answers no request. */
  #idleDue = false;

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  request(kind: RequestKind): Promise<GatewayMessage> {
    return new Promise((resolve, reject) => (this.#request = { kind, resolve, reject }));
  }

  chat(listeners: ChatListeners): Promise<ChatAnswer> {
    return new Promise(
      (resolve, reject) => (this.#chat = { resolve, reject, ...listeners, begun: false, serverTools: [] }),
    );
  }

  ping(): Promise<void> {
    return new Promise((resolve, reject) => this.#pings.push({ resolve, reject }));
  }

  /** A tool's result went out. */
  resultSent(): void {
    this.#resultsInDoubt += 1;
  }

  /** The request is no longer awaited. */
  dropRequest(): void {
    this.#request = undefined;
  }

  take(message: GatewayMessage): void {
    const chat = this.#chat;
    this.#settle(message);
    chat?.onMessage(message);
  }

  #settle(message: GatewayMessage): void {
    switch (message.type) {
      case 'status':
        return this.#takeStatus(message);
      case 'llm_response':
        this.#resultsInDoubt = 0;
        return this.#endChat((chat) => chat.resolve({ text: message.content, serverTools: chat.serverTools }));
      case 'tool_call': {
        const { tool_name: name, arguments: args, result, success, duration_ms: durationMs } = message;
        this.#chat?.serverTools.push({ name, arguments: args, result, success, durationMs });
        return;
      }
      case 'tools_registered':
        return this.#endRequest('register_tools', (request) => request.resolve(message));
      case 'pong':
        return this.#pings.shift()?.resolve();
      case 'error':
        return this.#takeError(message);
      case 'tool_callback':
        return;
    }
  }

  /** The connection is gone. */
  failAll(error: Error): void {
    for (const { reject } of this.#pings.splice(0)) reject(error);
    this.#request?.reject(error);
    this.#request = undefined;
    this.#chat?.reject(error);
    this.#chat = undefined;
    this.#idleDue = false;
    this.#resultsInDoubt = 0;
  }

  #takeStatus(message: Extract<GatewayMessage, { type: 'status' }>): void {
    const { status, data } = message;
    if (status === 'processing') return this.#begin();
    if (status === 'waiting_for_tools') return;
    if (status === 'idle' && !this.#idleDue)
      return this.#endRequest('end_session', (request) => request.resolve(message));
    // The session that a turn was in, or that was started.
    if (typeof data['session_id'] === 'string') this.#options.onSession(data['session_id']);
    if (status === 'idle') this.#idleDue = false;
    else this.#endRequest('start_session', (request) => request.resolve(message));
  }

  #begin(): void {
    // Whatever was sent before the question has been answered by now.
    this.#resultsInDoubt = 0;
    this.#idleDue = false;
    if (this.#chat === undefined || this.#chat.begun) return;
    this.#chat.begun = true;
    this.#chat.onBegun();
  }

  #takeError(message: Extract<GatewayMessage, { type: 'error' }>): void {
    const error = new GatewayRequestError(message);
    const kind = this.#request?.kind;
    const rejectRequest = (): void => {
      this.#request?.reject(error);
      this.#request = undefined;
    };
    switch (message.code) {
      case 'INVALID_MESSAGE':
      case 'UNKNOWN_MESSAGE_TYPE':
        if (this.#resultsInDoubt > 0) this.#resultsInDoubt -= 1;
        else if (kind !== undefined) rejectRequest();
        // One that has begun was no invalid message.
        else if (this.#chat?.begun === false) this.#endChat((chat) => chat.reject(error));
        return;
      case 'TOOL_REGISTRATION_FAILED':
        return kind === 'register_tools' ? rejectRequest() : undefined;
      case 'SESSION_ERROR':
        if (kind === 'start_session' || kind === 'end_session') return rejectRequest();
        break;
      case 'INVALID_TOOL_PARAMETERS':
        if (kind === 'register_tools' && this.#chat?.begun !== true) return rejectRequest();
        break;
      default:
        break;
    }
    this.#endChat((chat) => chat.reject(error));
    this.#options.onTurnFailed();
  }

  #endRequest(kind: RequestKind, settle: (request: Waiting<GatewayMessage>) => void): void {
    if (this.#request?.kind !== kind) return;
    settle(this.#request);
    this.#request = undefined;
  }

  #endChat(settle: (chat: WaitingChat) => void): void {
    const chat = this.#chat;
    if (chat === undefined) return;
    this.#chat = undefined;
    this.#idleDue = chat.begun;
    settle(chat);
  }
}
