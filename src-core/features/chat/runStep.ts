import { setImmediate as nextTurn } from 'node:timers/promises';

import type { ChatModel } from '../models/chatModel.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { askModel, type ModelAnswer } from './askModel.ts';
import { addResults } from './chatResults.ts';
import type { ChatBook } from './chatBook.ts';
import { boundStep } from './boundStep.ts';
import { composePrompt, type ComposedPrompt } from './composePrompt.ts';
import { countTokens } from '../../base/countTokens.ts';
import { effectiveConfig } from './effectiveConfig.ts';
import type { ChatAssistantEntry, ChatSession, ChatStep, ChatStop } from '../../contract/chat.ts';
import type { ChatEnvironment } from './environment.ts';
import { planReply } from './planReply.ts';
import type { RepeatCounter } from './refuseRepeats.ts';
import { runCalls } from './runCalls.ts';
import { closeCalls } from './settleCall.ts';
import type { ChatTurn } from './turn.ts';

/** ms for reading the partial text of a stopped reply. */
const stoppedMs = 10_000;

/** One step of a turn. */
export interface RunStepOptions {
  env: ChatEnvironment;
  turn: ChatTurn;
  /** From 1. */
  step: number;
  repeats: RepeatCounter;
}

/**
 * Asks the model once and runs the calls of its reply. Resolves with the reason why the turn ends here, or with
 * undefined if the model is to be asked again. Uses the chat's current options: a change takes effect with the next
 * step.
 */
export async function runStep({ env, turn, step, repeats }: RunStepOptions): Promise<ChatStop | undefined> {
  const { book } = env;
  const session = book.get(turn.sessionId);
  const policy = env.policy();
  const config = effectiveConfig(policy.config, session.options);
  const prompt = composePrompt({ ...env, config, options: session.options, entries: book.entries(session.id) });
  const model = findModel(env, session);
  const { entry, asked } = begin(env, { session, step, prompt, modelName: model.name });
  turn.entry = entry;
  const end = (because: ChatStop | undefined) => endStep(book, session.id, entry, because);
  if ('failure' in model) {
    entry.failure = model.failure;
    return end('error');
  }

  // The first step is asked for within the turn that sent the message.
  if (step > 1) await nextTurn();
  const answer = await ask({ env, turn, session, prompt, model: model.found });
  // Each of these steps takes up to 30 ms for a reply of megabytes: other work gets a turn between them.
  await nextTurn();
  const planned = await planReply({
    reply: { ...answer, isCut: answer.reply?.finishReason === 'length' },
    names: prompt.names,
    enabled: config.enabled,
    protocol: session.options.protocol,
    toolRegistryManager: env.toolRegistryManager,
    dangerousTools: policy.dangerousTools,
    suspicionOf: turn.results.suspicionOf,
    newId: env.newId,
    // The partial text of a stopped reply is read, too.
    signal: turn.signal.aborted ? AbortSignal.timeout(stoppedMs) : turn.signal,
    onError: env.onError,
  });
  await nextTurn();
  const failure = answer.failure ?? planned.failure;
  Object.assign(entry, planned.shown, answer.reply, {
    calls: planned.planned.map(({ call }) => call),
    replyTokens: countReply(answer),
    ...(planned.skipped > 0 && { skippedCalls: planned.skipped }),
    ...(failure !== undefined && { failure }),
  });
  await nextTurn();
  if (answer.exchange !== undefined) book.keepStep(boundStep({ ...asked, exchange: answer.exchange }));
  await nextTurn();
  delete turn.streamed;
  if (failure !== undefined) {
    closeCalls(entry.calls, 'The reply broke off.');
    return end('error');
  }
  if (turn.signal.aborted) {
    closeCalls(entry.calls, 'The turn was stopped.');
    return end(turn.stoppedBecause());
  }
  if (entry.calls.length === 0) return end('done');

  entry.state = 'calling';
  const isStuck = await repeats.refuse(planned.planned, config.maxRepeats);
  await nextTurn();
  await runCalls({
    toolRegistryManager: env.toolRegistryManager,
    onError: env.onError,
    calls: planned,
    config,
    policy,
    signal: turn.signal,
    confirmations: turn.confirmations,
    suspicionOf: turn.results.suspicionOf,
    isMethodApproved: (name) => book.get(session.id).approved.includes(name),
    followed: env.follow(),
    save: () => book.save(session.id, entry),
  });
  await nextTurn();
  addResults(turn.results, entry.calls);
  if (turn.signal.aborted) return end(turn.stoppedBecause());
  if (isStuck) return end('repeated');
  return end(step >= config.maxIterations ? 'max-iterations' : undefined);
}

function endStep(
  book: ChatBook,
  sessionId: string,
  entry: ChatAssistantEntry,
  stoppedBecause: ChatStop | undefined,
): ChatStop | undefined {
  entry.state = 'ended';
  if (stoppedBecause !== undefined) entry.stoppedBecause = stoppedBecause;
  book.save(sessionId, entry);
  return stoppedBecause;
}

function findModel(env: ChatEnvironment, { options }: ChatSession) {
  try {
    const found: ChatModel = env.modelOf(options.modelId);
    return { found, name: found.name };
  } catch (error) {
    return { name: options.modelId, failure: { code: 'model', message: describeThrown(error) } };
  }
}

/** Records the request to the model, so that it is shown while the model works. */
function begin(
  env: ChatEnvironment,
  {
    session,
    step,
    prompt,
    modelName,
  }: { session: ChatSession; step: number; prompt: ComposedPrompt; modelName: string },
): { entry: ChatAssistantEntry; asked: ChatStep } {
  const { modelId, protocol } = session.options;
  const stepId = env.newId();
  const createdAt = env.now();
  const entry = env.book.append(session.id, {
    id: env.newId(),
    role: 'assistant',
    createdAt,
    step,
    stepId,
    state: 'streaming',
    modelId,
    modelName,
    protocol,
    text: '',
    calls: [],
    promptTokens: prompt.tokens,
    replyTokens: 0,
  });
  const { messages, tools } = prompt;
  const asked: ChatStep = { id: stepId, sessionId: session.id, entryId: entry.id, at: createdAt, messages, tools };
  env.book.keepStep(boundStep(asked));
  return { entry, asked };
}

function ask(options: {
  env: ChatEnvironment;
  turn: ChatTurn;
  session: ChatSession;
  prompt: ComposedPrompt;
  model: ChatModel;
}): Promise<ModelAnswer> {
  const { env, turn, session, prompt, model } = options;
  const { temperature, maxTokens } = session.options;
  return askModel({
    model,
    request: {
      messages: prompt.messages,
      ...(prompt.tools.length > 0 && { tools: prompt.tools }),
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { maxTokens }),
    },
    signal: turn.signal,
    onStream(soFar) {
      turn.streamed = soFar;
      env.onChange();
    },
    onError: env.onError,
  });
}

function countReply({ text, reasoning, toolCalls }: ModelAnswer): number {
  const calls = toolCalls.map(({ name, argumentsText }) => `${name} ${argumentsText}`);
  return [text, reasoning, ...calls].reduce((sum, part) => sum + countTokens(part), 0);
}
