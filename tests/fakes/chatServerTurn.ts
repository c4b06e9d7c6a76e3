/** A call of a turn. A string goes out as it is, broken or empty; anything else as its JSON. */
export interface ChatServerCall {
  name: string;
  arguments?: unknown;
  /** Made up where absent; null sends none. */
  id?: string | null;
}

/** What the stand-in answers to one request. */
export interface ChatServerTurn {
  text?: string;
  /** Sent as `reasoning_content`. */
  reasoning?: string;
  toolCalls?: readonly ChatServerCall[];
  /** Every call whole and with `index: 0`, as Ollama streams them; else each has its index and comes in pieces. */
  sameIndex?: boolean;
  usage?: { prompt_tokens: number; completion_tokens: number };
  /** `tool_calls` or `stop` where absent; null sends none. */
  finishReason?: string | null;
  /** Writes the body in pieces of so many bytes: 1 cuts every character that is not ASCII. */
  pieceBytes?: number;
  /** Is waited for before anything is answered. */
  gate?: Promise<unknown>;
  /** An answer other than a completion, with this status. `body` goes out as it is, or as JSON. */
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  fault?:
    | 'no-answer'
    | 'stall-after-headers'
    | 'stall-mid-stream'
    | 'error-mid-stream'
    | 'error-then-stall'
    | 'cut-before-answer'
    | 'cut-mid-stream'
    | 'html'
    | 'empty-choices';
  /** What the two error faults send as `error`. */
  error?: unknown;
}

const common = { id: 'chatcmpl-stand-in', created: 1_700_000_000, model: 'stand-in' };
const argumentsText = ({ arguments: value = {} }: ChatServerCall): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function finishReason(turn: ChatServerTurn): string | null {
  return turn.finishReason !== undefined ? turn.finishReason : turn.toolCalls?.length ? 'tool_calls' : 'stop';
}

/** The answer to a request without `stream`. */
export function completionOf(turn: ChatServerTurn, newId: () => string): object {
  const message = {
    role: 'assistant',
    content: turn.text ?? null,
    ...(turn.reasoning !== undefined && { reasoning_content: turn.reasoning }),
    ...(turn.toolCalls && {
      tool_calls: turn.toolCalls.map((call) => ({
        ...(call.id !== null && { id: call.id ?? newId() }),
        type: 'function',
        function: { name: call.name, arguments: argumentsText(call) },
      })),
    }),
  };
  return {
    ...common,
    object: 'chat.completion',
    choices: turn.fault === 'empty-choices' ? [] : [{ index: 0, message, finish_reason: finishReason(turn) }],
    ...(turn.usage && {
      usage: { ...turn.usage, total_tokens: turn.usage.prompt_tokens + turn.usage.completion_tokens },
    }),
  };
}

/** The answer to a request with `stream`: one server-sent event each, without the closing `[DONE]`. */
export function eventsOf(turn: ChatServerTurn, newId: () => string): string[] {
  if (turn.fault === 'empty-choices') return [chunk({ choices: [] })];
  const { text = '', reasoning = '', toolCalls = [], usage } = turn;
  return [
    delta({ role: 'assistant', content: '' }),
    ...pieces(reasoning).map((piece) => delta({ reasoning_content: piece })),
    ...pieces(text).map((piece) => delta({ content: piece })),
    ...toolCalls.flatMap((call, index) => (turn.sameIndex ? wholeCall(call) : callInPieces(call, index))),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: finishReason(turn) }] }),
    ...(usage ? [chunk({ choices: [], usage })] : []),
  ];

  function wholeCall(call: ChatServerCall): string[] {
    return [delta({ tool_calls: [{ index: 0, ...named(call, argumentsText(call)) }] })];
  }
  function callInPieces(call: ChatServerCall, index: number): string[] {
    const rest = pieces(argumentsText(call)).map((piece) =>
      delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
    );
    return [delta({ tool_calls: [{ index, ...named(call, '') }] }), ...rest];
  }
  function named(call: ChatServerCall, text: string): object {
    const id = call.id === null ? {} : { id: call.id ?? newId() };
    return { ...id, type: 'function', function: { name: call.name, arguments: text } };
  }
}

function chunk(more: object): string {
  return `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', ...more })}\n\n`;
}

function delta(value: object): string {
  return chunk({ choices: [{ index: 0, delta: value, finish_reason: null }] });
}

function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,8}/gu) ?? [];
}
