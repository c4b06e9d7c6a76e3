import type { collections as collectionsArea } from '../../../contract/collections.ts';
import type { Implementation } from '../../../contract/implementation.ts';
import type { parser as parserArea } from '../../../contract/parser.ts';
import type { runs } from '../../../contract/runs.ts';
import type {
  CallReport,
  CallRunInput,
  CollectionRunInput,
  ParserRunEvent,
  ParserRunInput,
  RepeatInput,
  ResultPiece,
  RunOver,
  RunQuestion,
  SeriesFigures,
  ToolExecutionResult,
} from '../../../contract/types.ts';
import type { Clock } from '../../../base/clock.ts';
import type { ToolError } from '../../../base/errors.ts';
import { refusedByUser } from '../../../engine/confirmCall.ts';
import type { DecideCallOptions } from '../../chat/decideCall.ts';
import type { CallDecision } from '../callQuestions.ts';
import type { Calls, CallRuns } from '../service.ts';
import { resultPieces } from '../resultPieces.ts';
import type { Collections } from '../../collections/service.ts';
import type { FeatureContext } from '../../context.ts';
import { createRunBook, type Run, type RunBook } from './runBook.ts';
import { createRunConfirmations, type RunConfirmations, type UntimedQuestion } from './runConfirmations.ts';
import { createUnwatchedQuestions } from './unwatchedQuestions.ts';

/** Runs the calls of a text. */
interface TextRunner {
  runText(input: ParserRunInput, signal?: AbortSignal): AsyncGenerator<ParserRunEvent, void, void>;
  decide(input: Pick<DecideCallOptions, 'callId' | 'decision'>): void;
}

/** Opens the runs of those that do the work. */
export function openRuns(
  context: Pick<FeatureContext, 'clock' | 'toolRegistryManager' | 'events' | 'settings'> & {
    calls: Pick<Calls, 'execute' | 'runSeries' | 'cancelCall'>;
    parser: TextRunner;
    collections: Pick<Collections, 'runCalls'>;
  },
) {
  const { clock, toolRegistryManager, events, settings, calls, parser, collections } = context;
  const confirmations = createRunConfirmations({
    toolRegistryManager,
    dangerousTools: () => settings().dangerousTools,
  });
  const work = createRunWork({ calls, confirmations, clock });
  const onChange = (): void => unwatched.update();
  const books = createBooks(clock, onChange);
  const unwatched = createUnwatchedQuestions({
    clock,
    questions: () => questionsOf(books, confirmations, isUnwatched),
    refuse,
    onChange: () => events.emit('changed', 'calls'),
  });

  function decide({ callId, allowed, argsJson, reason, node }: CallDecision): void {
    if (!allowed) return refuse(callId, refusedByUser(reason, node));
    if (confirmations.approve(callId, argsJson)) return;
    parser.decide({ callId, decision: { action: 'approve', ...(argsJson !== undefined && { argsJson }) } });
  }

  function refuse(callId: string, error: ToolError): void {
    if (!confirmations.refuse(callId, error)) parser.decide({ callId, decision: error });
  }

  function cancel(id: string): boolean {
    if (confirmations.refuse(id, refusedByUser(undefined))) return true;
    if (calls.cancelCall(id)) return true;
    const run = [books.parser, books.collection]
      .flatMap<Run<unknown, unknown>>((book) => book.list())
      .find((each) => each.id === id);
    if (run === undefined || run.log.isOver) return false;
    run.cancel();
    return true;
  }

  const service = {
    list: ({ ids }) => viewsOf(books).filter(({ id }) => ids.includes(id)),
    questions: unwatched.list,
    decide,
    attend: ({ callId }) => unwatched.attend(callId),
  } satisfies Implementation<typeof runs>;
  return {
    service,
    calls: {
      executeInPieces: (input, signal?) => {
        const run = books.call.start({ id: input.callId, input, work: (ends) => work.call(input, ends) });
        return streamOf(inPieces(run.log.read(signal)));
      },
      follow: ({ callId }, signal?) => streamOf(inPieces(books.call.get(callId).log.read(signal))),
      repeat: (input, signal?) => {
        const run = books.series.start({ id: input.seriesId, input, work: (ends) => work.series(input, ends) });
        return streamOf(run.log.read(signal));
      },
      followSeries: ({ seriesId }, signal?) => streamOf(books.series.get(seriesId).log.read(signal)),
      cancel: ({ callId }) => ({ cancelled: cancel(callId) }),
    } satisfies Implementation<CallRuns>,
    parser: runsOf(books.parser, (input: ParserRunInput, signal) =>
      parser.runText(input, signal),
    ) satisfies Implementation<Pick<typeof parserArea, 'run' | 'follow'>>,
    collections: runsOf(books.collection, (input: CollectionRunInput, signal) =>
      collections.runCalls(input, signal),
    ) satisfies Implementation<Pick<typeof collectionsArea, 'run' | 'follow'>>,
    /** What asks, also if a window shows it. */
    asking: () => questionsOf(books, confirmations, ({ log }) => !log.isOver),
    /** Cancels all runs, and resolves when the last of them has ended. */
    async close() {
      await Promise.all(Object.values(books).map((book) => book.close()));
      unwatched.close();
    },
  };
}

function createBooks(clock: Clock, onChange: () => void) {
  return {
    call: createRunBook<CallRunInput, CallEvent>({ clock, onChange, keyOf: (event) => keyOf(event, 'result') }),
    series: createRunBook<RepeatInput, SeriesEvent>({ clock, onChange, keyOf: (event) => keyOf(event, 'figures') }),
    parser: createRunBook<ParserRunInput, ParserRunEvent>({
      clock,
      onChange,
      keyOf: (event) => (event.kind === 'end' ? 'end' : `call ${event.index}`),
    }),
    collection: createRunBook<CollectionRunInput, CallReport>({ clock, onChange, keyOf: ({ file }) => file }),
  };
}

function viewsOf(books: ReturnType<typeof createBooks>) {
  return [
    ...books.call.list().map((run) => ({ kind: 'call' as const, ...viewOf(run) })),
    ...books.series.list().map((run) => ({ kind: 'series' as const, ...viewOf(run) })),
    ...books.parser.list().map((run) => ({ kind: 'parser' as const, ...viewOf(run) })),
    ...books.collection.list().map((run) => ({ kind: 'collection' as const, ...viewOf(run) })),
  ];
}

function runsOf<Input extends { runId: string }, Event>(
  book: RunBook<Input, Event>,
  work: (input: Input, signal: AbortSignal) => AsyncIterable<Event>,
) {
  return {
    run: (input: Input, signal?: AbortSignal) => {
      const run = book.start({ id: input.runId, input, work: (ends) => work(input, ends) });
      return streamOf(run.log.read(signal));
    },
    follow: ({ runId }: { runId: string }, signal?: AbortSignal) => streamOf(book.get(runId).log.read(signal)),
  };
}

function keyOf(event: object, other: string): string {
  return 'question' in event || 'allowed' in event ? 'question' : other;
}

async function* streamOf<Event>(events: AsyncIterable<Event>): AsyncGenerator<Event | RunOver, void, void> {
  yield* events;
  yield { over: true };
}

async function* inPieces(events: AsyncIterable<CallEvent>): AsyncGenerator<ResultPiece | RunQuestion, void, void> {
  for await (const event of events) {
    if ('question' in event || 'allowed' in event) yield event;
    else yield* resultPieces(event);
  }
}

/** What asks in the runs that `includes` returns true for. */
function questionsOf(
  { call, series, parser }: ReturnType<typeof createBooks>,
  confirmations: RunConfirmations,
  includes: (run: Run<unknown, unknown>) => boolean,
): UntimedQuestion[] {
  return [
    ...[...call.list(), ...series.list()].filter(includes).flatMap(({ id }) => confirmations.of(id)),
    ...parser.list().filter(includes).flatMap(waitingCalls),
  ];
}

function isUnwatched({ log }: Run<unknown, unknown>): boolean {
  return log.readers === 0 && !log.isOver;
}

function waitingCalls({ id: runId, log }: Run<ParserRunInput, ParserRunEvent>): UntimedQuestion[] {
  return log.events().flatMap((event) => {
    if (event.kind !== 'call' || event.call.state !== 'waiting') return [];
    const { id: callId, toolId, methodName, toolName, argsJson, danger } = event.call;
    return [
      {
        callId,
        toolId: toolId ?? toolName,
        methodName: methodName ?? '',
        argsJson,
        runId,
        ...(danger !== undefined && { danger }),
      },
    ];
  });
}

function viewOf<Input>({ id, input, startedAt }: Run<Input, unknown>) {
  return { id, input, startedAt };
}

type CallEvent = ToolExecutionResult | RunQuestion;

type SeriesEvent = SeriesFigures | RunQuestion;

/**
 * What calls and series do as runs: if the tool asks first, they ask. An approval applies to the
 * method that asked. A refusal is kept as one refused call.
 */
function createRunWork({
  calls,
  confirmations,
  clock,
}: {
  calls: Pick<Calls, 'execute' | 'runSeries'>;
  confirmations: RunConfirmations;
  clock: Pick<Clock, 'wall'>;
}) {
  return {
    async *call(input: CallRunInput, signal: AbortSignal): AsyncGenerator<CallEvent, void, void> {
      const result = await calls.execute(input, signal);
      if (result.error?.code !== 'confirmation-required') return yield result;
      const { question, approved, decision } = confirmations.ask({ id: input.callId, call: input, signal });
      yield question;
      const { argsJson = input.argsJson, refusal } = await decision;
      yield { allowed: refusal === undefined, at: clock.wall() };
      yield refusal === undefined
        ? await calls.execute({ ...input, argsJson, approved }, signal)
        : await calls.execute({ ...input, refusal }, signal);
    },
    async *series(input: RepeatInput, signal: AbortSignal): AsyncGenerator<SeriesEvent, void, void> {
      let asks = false;
      for await (const figures of calls.runSeries(input, signal)) {
        asks = figures.stopped?.code === 'confirmation-required';
        if (!asks) yield figures;
      }
      if (!asks) return;
      const { question, approved, decision } = confirmations.ask({ id: input.seriesId, call: input, signal });
      yield question;
      const { argsJson = input.argsJson, refusal } = await decision;
      if (refusal !== undefined) await calls.execute({ ...input, callId: input.seriesId, refusal }, signal);
      yield { allowed: refusal === undefined, at: clock.wall() };
      if (refusal === undefined) yield* calls.runSeries({ ...input, argsJson, approved }, signal);
    },
  };
}
