import { ChatModelError } from '../chatModel.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';

/** Calls that one reply may make. */
const maxCalls = 256;
/** Characters of their names and arguments together. Reading so many takes up to 40 ms of processor time in one turn. */
const maxCallLength = 524_288;

/** Counts the calls of one reply. */
export interface CallBudget {
  /** @throws ChatModelError `too-large` if the reply makes more calls, or longer ones, than it may. */
  take(pieces: { calls?: number; length: number }): void;
}

/** Makes the budget of one reply. A model's server is untrusted: what it sends must not grow without bound. */
export function createCallBudget(): CallBudget {
  let count = 0;
  let total = 0;
  return {
    take({ calls = 0, length }) {
      count += calls;
      total += length;
      if (count > maxCalls)
        throw new ChatModelError(
          'too-large',
          `The reply makes more than ${maxCalls} tool calls. None of them was run.`,
        );
      if (total > maxCallLength)
        throw new ChatModelError(
          'too-large',
          `The tool calls of the reply have more than ${maxCallLength.toLocaleString('en')} characters. None of them was run.`,
        );
    },
  };
}

/**
 * Gives each parallel call of a stream its own index if a server counts all of them as 0, as Ollama does: a new id with a
 * name begins another call (docs/protocols/gateway.md#the-model). Everything else passes as it came, broken lines too. The stream fails
 * with a `ChatModelError` if it holds too many calls, or too long ones.
 */
export function separateCalls(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const separate = createSeparator();
  let rest = '';
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const text = decoder.decode(chunk, { stream: true });
        rest += text;
        if (!text.includes('\n')) return;
        const end = rest.lastIndexOf('\n') + 1;
        controller.enqueue(encoder.encode(rest.slice(0, end).split('\n').map(separate).join('\n')));
        rest = rest.slice(end);
      },
      flush(controller) {
        rest += decoder.decode();
        if (rest !== '') controller.enqueue(encoder.encode(separate(rest)));
      },
    }),
  );
}

function createSeparator(): (line: string) => string {
  /** By the server's index: the id of the call under way, and the index it goes on with. */
  const open = new Map<number, { id: string; index: number }>();
  let next = 0;
  const budget = createCallBudget();

  function place(call: JsonObject): void {
    const { index, id, function: named } = call;
    const piece = isJsonObject(named) ? named : {};
    const length = textLength(piece['name']) + textLength(piece['arguments']) + textLength(id);
    if (typeof index !== 'number') return budget.take({ calls: 1, length });
    const known = open.get(index);
    const begins = typeof id === 'string' && id !== '' && isJsonObject(named) && typeof named['name'] === 'string';
    const isNew = known === undefined || (begins && known.id !== id);
    budget.take({ calls: isNew ? 1 : 0, length });
    if (isNew)
      open.set(index, {
        id: typeof id === 'string' ? id : '',
        index: known === undefined && index >= next ? index : next,
      });
    const { index: own = index } = open.get(index) ?? {};
    next = Math.max(next, own + 1);
    call['index'] = own;
  }

  return (line) => {
    if (!line.startsWith('data:') || !line.includes('"tool_calls"')) return line;
    let event: JsonValue;
    try {
      event = JSON.parse(line.slice('data:'.length)) as JsonValue;
    } catch {
      // Not ours to judge: whoever reads the stream says what is wrong with it.
      return line;
    }
    for (const choice of listOf(event, 'choices')) {
      const delta = isJsonObject(choice) ? choice['delta'] : undefined;
      for (const call of listOf(delta, 'tool_calls')) if (isJsonObject(call)) place(call);
    }
    return `data: ${JSON.stringify(event)}`;
  };
}

function textLength(value: JsonValue | undefined): number {
  return typeof value === 'string' ? value.length : 0;
}

function listOf(value: JsonValue | undefined, key: string): JsonValue[] {
  const list = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? list : [];
}
