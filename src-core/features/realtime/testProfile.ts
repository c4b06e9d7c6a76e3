import type { ConnectionStep, ConnectionTest } from '../../contract/types.ts';
import type { BaseRealtimeProvider } from '../../realtime/baseRealtimeProvider.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ToolDefinition } from '../../registry/toolDefinition.ts';

const probe: ToolDefinition = {
  name: 'connection_test',
  description: 'Does nothing. Never call it.',
  parameters: { type: 'object', properties: {} },
};

/**
 * Finds out at which step a realtime server fails: connects, waits for its greeting, and sets a session with one tool.
 * The step `reply` is the answer to that. Rejects only if `signal` aborts; the connection is closed in any case.
 */
export async function testProfile(options: {
  connect: () => Promise<BaseRealtimeProvider>;
  signal?: AbortSignal | undefined;
}): Promise<ConnectionTest> {
  let provider: BaseRealtimeProvider | undefined;
  try {
    provider = await options.connect();
    await provider.connect({ signal: options.signal });
  } catch (error) {
    options.signal?.throwIfAborted();
    await provider?.disconnect();
    return { ok: false, steps: failedSteps(error) };
  }
  try {
    const { droppedTools } = await provider.updateSession({ tools: [probe] });
    const took = droppedTools.length === 0;
    const words = took
      ? 'It took a session with a tool.'
      : 'It drops tools silently: this model does not support tools.';
    return {
      ok: took,
      steps: [
        step('server', 'ok'),
        step('key', 'ok'),
        step('model', 'ok'),
        step('reply', took ? 'ok' : 'failed', words),
      ],
    };
  } catch (error) {
    options.signal?.throwIfAborted();
    const failed = step('reply', 'failed', describeThrown(error));
    return { ok: false, steps: [step('server', 'ok'), step('key', 'ok'), step('model', 'ok'), failed] };
  } finally {
    await provider.disconnect();
  }
}

/** A rejected key sets the error's `field`; a wrong model name shows only in the session. */
function failedSteps(error: unknown): ConnectionStep[] {
  const field = error instanceof RequestError ? error.field : undefined;
  const message = describeThrown(error);
  if (field === 'key')
    return [step('server', 'ok'), step('key', 'failed', message), step('model', 'skipped'), step('reply', 'skipped')];
  if (field === 'model')
    return [
      step('server', 'unknown'),
      step('key', 'unknown'),
      step('model', 'failed', message),
      step('reply', 'skipped'),
    ];
  return [
    step('server', 'failed', message),
    step('key', 'skipped'),
    step('model', 'skipped'),
    step('reply', 'skipped'),
  ];
}

function step(id: ConnectionStep['id'], state: ConnectionStep['state'], message = ''): ConnectionStep {
  return { id, state, message };
}
