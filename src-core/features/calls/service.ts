import type { JsonObject } from '../../base/json.ts';
import type { calls } from '../../contract/calls.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { CallDetail, RepeatInput, SeriesFigures, Settings, ToolExecutionResult } from '../../contract/types.ts';
import type { ExecutionOptions } from '../../engine/executionOptions.ts';
import type { HistoryStore } from '../../store/historyTypes.ts';
import { hideSecrets } from '../collections/hideSecrets.ts';
import { followAbort } from '../../base/followAbort.ts';
import { executeSingleRequest } from '../../engine/executor.ts';
import { maxShownResultBytes } from '../../engine/serializeResult.ts';
import type { DirectToolCall } from '../../base/calls.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import { ToolError } from '../../base/errors.ts';
import { parseArgsJson } from '../../schema/parseArgsJson.ts';
import { mapTexts } from '../../base/mapTexts.ts';
import type { FeatureContext } from '../context.ts';
import { applyRules, type ManualCall } from './applyRules.ts';
import { CallTracker } from './callTracker.ts';
import { copyCall } from './copyCall.ts';
import { createKeptTasks } from './mcp/keptTasks.ts';
import { endInterrupted, isKept, type TaskCall } from './mcp/taskCalls.ts';
import { createRecentCalls } from './series/recentCalls.ts';
import { repeatCall } from './series/repeatCall.ts';
import { shortened } from './shortened.ts';

/** The procedures for calls that are runs. */
export type CallRuns = Pick<typeof calls, 'executeInPieces' | 'follow' | 'repeat' | 'followSeries' | 'cancel'>;

/** What the other features use of the calls. */
export type Calls = Omit<Awaited<ReturnType<typeof openCalls>>, 'service' | 'close'>;

/** The value of a secret of an open collection. Rejects if the collection is not open. */
type FindSecret = (folder: string, name: string) => Promise<string | undefined>;

/** Opens the calls by hand, from the Executor and the terminal, the list of all running calls and the history. */
export async function openCalls(context: FeatureContext) {
  const { toolRegistryManager, store, events, settings, onError } = context;
  const { history, series } = store;
  const tasks = await recoverCalls(history);
  const limitHistory = ({ historyLimit: { calls, mb } }: Settings): void =>
    void history
      .setLimits({ calls, bytes: mb * 1024 * 1024 })
      .catch((error: unknown) => onError(error, 'limiting the history'));
  limitHistory(settings());
  events.on('settingsChanged', ({ next, isOf }) => {
    if (isOf('historyLimit')) limitHistory(next);
  });
  const tracker = new CallTracker({ ...context, history, announce: (topic) => events.emit('changed', topic) });
  const byHand = new CallsByHand(context, tracker);
  const { execute, followTask: follow } = byHand;
  const kept = createKeptTasks({ calls: tasks, history, tracker, follow, onError });

  const service = {
    execute,
    running: () => tracker.running(),
    history: async (filter) => (await history.list(filter)).map(shortened),
    recent: createRecentCalls({ history, series }),
    async get({ callId }): Promise<CallDetail> {
      const call = await history.get(callId);
      if (call !== undefined) return call;
      throw new RequestError(localize('calls.notInHistory', { callId }), { field: 'callId' });
    },
    names: () => history.names(),
    copyAs: (input) => ({ text: copyCall({ ...input, toolRegistryManager }) }),
  } satisfies Implementation<Omit<typeof calls, keyof CallRuns | 'search'>>;
  return {
    service,
    execute,
    runSeries: (input: RepeatInput, signal?: AbortSignal) => byHand.runSeries(input, signal),
    /** Ends a running call of any origin, or a series; it ends as `cancelled`. False if none of that id runs. */
    cancelCall: (callId: string): boolean => byHand.cancel(callId),
    /** The executor's options that follow from the settings. */
    policy: () => callPolicy(settings()),
    /** Hooks for the executor that follow the calls of one origin. */
    follow: (...given: Parameters<CallTracker['follow']>) => tracker.follow(...given),
    beginSeries: () => tracker.beginSeries(),
    running: service.running,
    /** Whether a call of that id runs, or has gone out and is in the history. */
    isKnown: (callId: string): boolean => tracker.isRunning(callId) || history.wentOut(callId),
    /** The numbers of running series and calls. Tasks go on while Toolwire is closed. */
    live: () => ({
      series: tracker.series(),
      calls: tracker.running().filter(({ task }) => task === undefined || task.endsWithToolwire).length,
    }),
    /** Goes on with the tasks of a source, which has connected. */
    resumeTasks: kept.resume,
    /** Ends the tasks of a source, which was removed. */
    dropTasks: kept.drop,
    /** Sets how the secrets of a collection are found. */
    findSecretsWith(find: FindSecret): void {
      byHand.findSecret = find;
    },
    /** Ends the calls by hand and their series. */
    close(): void {
      byHand.close();
      tracker.close();
    },
  };
}

/** The calls by hand and their series. */
class CallsByHand {
  findSecret: FindSecret = () => Promise.resolve(undefined);
  readonly #context: FeatureContext;
  readonly #tracker: CallTracker;
  readonly #controllers = new Map<string, AbortController>();

  constructor(context: FeatureContext, tracker: CallTracker) {
    this.#context = context;
    this.#tracker = tracker;
  }

  /** A call that the user has made in an earlier run: it is not checked, or asked about, again. */
  readonly followTask = async (call: TaskCall): Promise<void> => {
    const { callId, toolId, methodName, origin, argsJson, timeoutMs } = call;
    const controller = new AbortController();
    this.#controllers.set(callId, controller);
    const { toolRegistryManager, settings, onError } = this.#context;
    const policy = callPolicy(settings());
    const request = { requestId: callId, toolName: toolId, command: methodName, args: parseArgsJson(argsJson) };
    try {
      await executeSingleRequest(request, {
        toolRegistryManager,
        config: { ...policy.config, timeout: timeoutMs },
        caller: 'user',
        isUnchecked: true,
        onBeforeExecute: () => true,
        taskId: call.task.taskId,
        keepsTask: true,
        signal: controller.signal,
        ...this.#tracker.follow(origin, { resumed: call }),
        newId: () => callId,
        maxResultBytes: maxShownResultBytes,
        onError,
      });
    } finally {
      this.#controllers.delete(callId);
    }
  };

  readonly execute = async (input: ManualCall, signal?: AbortSignal): Promise<ToolExecutionResult> => {
    const { callId, toolName, command, origin, collection, asTask } = input;
    if (this.#controllers.has(callId))
      throw new RequestError(localize('calls.callRuns', { id: callId }), { field: 'callId' });
    const { toolRegistryManager, settings, onError } = this.#context;
    const policy = callPolicy(settings());
    const { timeoutMs: timeout } = input;
    const controller = new AbortController();
    const stopFollowing = followAbort(signal, controller);
    this.#controllers.set(callId, controller);
    try {
      const args = parseArgsJson(input.argsJson);
      const secretOf = (name: string) =>
        collection === undefined ? Promise.resolve(undefined) : this.findSecret(collection, name);
      // A caller that passes secrets has filled them in already.
      const mayName = input.secrets === undefined && mayNameSecret.test(input.argsJson);
      const filled = mayName ? await fillSecrets(args, secretOf) : undefined;
      const secrets = filled?.secrets ?? input.secrets;
      const sent: DirectToolCall = { requestId: callId, toolName, args: filled?.args ?? args };
      if (command !== undefined) sent.command = command;
      const config = timeout === undefined ? policy.config : { ...policy.config, timeout };
      const { request, ...rules } = applyRules(input, { request: sent, config, toolRegistryManager });
      const result = await executeSingleRequest(request, {
        toolRegistryManager,
        ...policy,
        ...(timeout !== undefined && { toolTimeouts: {} }),
        ...rules,
        onlyAccepted: input.onlyAccepted,
        signal: controller.signal,
        ...this.#tracker.follow(origin, { secrets, rules: input.rules }),
        newId: () => callId,
        asTask,
        // The secrets are known in this run only, and have to be hidden in the result.
        keepsTask: Object.keys(secrets ?? {}).length === 0,
        maxResultBytes: maxShownResultBytes,
        onError,
      });
      return filled === undefined ? result : hideSecrets(result, filled.secrets);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      // Arguments that are not valid JSON never reach the executor; the answer has the same shape.
      return { requestId: callId, toolName, status: 'error', result: error.message, durationMs: 0, error: error.info };
    } finally {
      stopFollowing();
      this.#controllers.delete(callId);
    }
  };

  async *runSeries(input: RepeatInput, signal?: AbortSignal): AsyncGenerator<SeriesFigures, void, void> {
    const { seriesId } = input;
    if (this.#controllers.has(seriesId))
      throw new RequestError(localize('calls.seriesRuns', { id: seriesId }), { field: 'seriesId' });
    const controller = new AbortController();
    this.#controllers.set(seriesId, controller);
    const endSeries = this.#tracker.beginSeries();
    try {
      const either = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
      yield* repeatCall({ input, execute: this.execute, signal: either });
    } finally {
      this.#controllers.delete(seriesId);
      endSeries();
    }
  }

  /** Ends a running call of any origin, or a series; it ends as `cancelled`. False if none of that id runs. */
  cancel(callId: string): boolean {
    const reason = new ToolError('cancelled', 'The call was cancelled by the user.');
    const controller = this.#controllers.get(callId);
    // A call of this service may not have begun yet; one of the Parser is known once it runs.
    if (controller === undefined) return this.#tracker.cancel(callId, reason);
    controller.abort(reason);
    return true;
  }

  close(): void {
    for (const controller of this.#controllers.values())
      controller.abort(new ToolError('interrupted', interruptedMessage));
  }
}

/**
 * The settings for the calls of every caller: by hand, a reply in the Parser, the chat, a gateway, our MCP
 * server. Each of them spreads this into the executor's options.
 */
function callPolicy(settings: Pick<Settings, 'toolCallConfig' | 'toolTimeouts' | 'dangerousTools'>) {
  const { toolCallConfig, toolTimeouts, dangerousTools } = settings;
  return { config: toolCallConfig, toolTimeouts, dangerousTools } satisfies Partial<ExecutionOptions>;
}

const interruptedMessage =
  'Toolwire ended before this call had a result. Whether the tool has run is not known. ' +
  'Check what the call would have changed before you run it again.';

/**
 * Ends the calls that an engine before this one began and did not end: they are in the history as interrupted. Returns those whose
 * sources go on with them as tasks.
 */
async function recoverCalls(history: Pick<HistoryStore, 'begun' | 'append'>): Promise<TaskCall[]> {
  const begun = await history.begun();
  for (const call of begun)
    if (!isKept(call)) await endInterrupted(history, call, new ToolError('interrupted', interruptedMessage));
  return begun.filter(isKept);
}

/** Total characters of the filled-in secrets: an untrusted file may name one a thousand times. */
const maxLength = 4_000_000;

/** Whether JSON may name a secret, also by escapes. */
const mayNameSecret = /\$secret:|\\u/;

const marks = /(\\?)\{\{\s*\$secret:([A-Za-z_]\w{0,127})\s*\}\}/g;

/**
 * The arguments of a call by hand with its secrets in place of `{{$secret:NAME}}`, and those secrets by name. `\{{…}}`
 * is sent as `{{…}}`. Undefined if none is named.
 * @throws {ToolError} `invalid-arguments` for a secret without a value: its name would be sent to the tool as the
 * secret.
 */
async function fillSecrets(
  args: JsonObject,
  secret: (name: string) => Promise<string | undefined>,
): Promise<{ args: JsonObject; secrets: Record<string, string> } | undefined> {
  const names = new Set<string>();
  let isMarked = false;
  mapTexts(args, (text) => {
    for (const [, escape, name = ''] of text.matchAll(marks)) {
      isMarked = true;
      if (escape === '') names.add(name);
    }
    return text;
  });
  if (!isMarked) return undefined;

  const secrets = new Map<string, string>();
  for (const name of names) {
    const value = await secret(name);
    if (value === undefined)
      throw invalid(
        `The secret "${name}" has no value here. Run the call from its collection, where it is set, or write the value itself.`,
        { details: { secret: name } },
      );
    secrets.set(name, value);
  }
  let length = 0;
  const filled = mapTexts(args, (text) =>
    text.replace(marks, (whole, escape: string, name: string) => {
      if (escape !== '') return whole.slice(1);
      const value = secrets.get(name) ?? '';
      length += value.length;
      if (length > maxLength) throw invalid('The secrets make the arguments longer than 4 MB. Name each once.');
      return value;
    }),
  );
  return { args: filled as JsonObject, secrets: Object.fromEntries(secrets) };
}

function invalid(message: string, extra: { details?: JsonObject } = {}): ToolError {
  return new ToolError('invalid-arguments', message, { ...extra, issues: [{ path: '', parameter: '', message }] });
}
