import { isJsonObject, type JsonObject, type JsonValue } from '../../tools/json.ts';

/**
 * Gives each parallel call of a stream an index of its own where a server counts all of them as 0, as Ollama does: a new
 * id with a name begins another call (spec/gateway.md, 16). Everything else passes as it came, broken lines too.
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

  function place(call: JsonObject): void {
    const { index, id, function: named } = call;
    if (typeof index !== 'number') return;
    const known = open.get(index);
    const begins = typeof id === 'string' && id !== '' && isJsonObject(named) && typeof named['name'] === 'string';
    if (known === undefined || (begins && known.id !== id))
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

function listOf(value: JsonValue | undefined, key: string): JsonValue[] {
  const list = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? list : [];
}
