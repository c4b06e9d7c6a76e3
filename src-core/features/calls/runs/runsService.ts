import type {
  CallQuestion,
  CallReport,
  CallRunInput,
  CollectionRunInput,
  ParserRunEvent,
  ParserRunInput,
  RepeatInput,
  ResultPiece,
  RunQuestion,
  SeriesFigures,
  ToolExecutionResult,
} from '../../../contract/types.ts';
import type { ChatDecision } from '../../chat/decision.ts';
import type { Clock } from '../../../base/clock.ts';
import type { ToolRegistryManager } from '../../../registry/toolRegistryManager.ts';
import type { CallWord } from '../callQuestions.ts';
import { resultPieces } from '../resultPieces.ts';
import type { CallsService, ParserService, RunsOf, RunsService, RunStream } from '../../../workbench/services.ts';
import type { CollectionsService } from '../../collections/service.ts';
import { createRunBook, type Run, type RunBook } from './runBook.ts';
import { createRunConfirmations, type RunConfirmations } from './runConfirmations.ts';
import { createUnwatchedQuestions } from './unwatchedQuestions.ts';

/** Makes the service over those that do the work. */
export function createRunsService(options: {
  clock: Clock;
  toolRegistryManager: ToolRegistryManager;
  dangerousTools: () => readonly string[];
  calls: Pick<CallsService, 'execute' | 'repeat' | 'cancel'>;
  parser: Pick<ParserService, 'run' | 'decide'>;
  collections: Pick<CollectionsService, 'run'>;
  /** The questions that no window shows have changed. */
  onChange: () => void;
}): RunsService {
  const { clock, toolRegistryManager, dangerousTools } = options;
  const confirmations = createRunConfirmations({ toolRegistryManager, dangerousTools });
  const work = createRunWork({ calls: options.calls, confirmations, clock });
  const onChange = (): void => unwatched.update();
  const books = {
    call: createRunBook<CallRunInput, CallEvent>({ clock, onChange, keyOf: (event) => keyOf(event, 'result') }),
    series: createRunBook<RepeatInput, SeriesEvent>({ clock, onChange, keyOf: (event) => keyOf(event, 'figures') }),
    parser: createRunBook<ParserRunInput, ParserRunEvent>({
      clock,
      onChange,
      keyOf: (event) => (event.kind === 'end' ? 'end' : `call ${event.index}`),
    }),
    collection: createRunBook<CollectionRunInput, CallReport>({ clock, onChange, keyOf: ({ file }) => file }),
  };

  const unwatched = createUnwatchedQuestions({
    clock,
    questions: () => [
      ...[...books.call.list(), ...books.series.list()].filter(isUnwatched).flatMap(({ id }) => confirmations.of(id)),
      ...books.parser.list().filter(isUnwatched).flatMap(waitingCalls),
    ],
    refuse: (callId, reason) => decide({ callId, allowed: false, reason }),
    onChange: options.onChange,
  });

  function decide(word: CallWord): void {
    if (confirmations.decide(word)) return;
    const { callId, allowed, argsJson, reason } = word;
    const decision: ChatDecision = allowed
      ? { action: 'approve', ...(argsJson !== undefined && { argsJson }) }
      : { action: 'refuse', ...(reason !== undefined && { reason }) };
    options.parser.decide({ callId, decision });
  }

  return {
    calls: {
      start: (input, signal) => {
        const run = books.call.start({ id: input.callId, input, work: (ends) => work.call(input, ends) });
        return streamOf(inPieces(run.log.read(signal)));
      },
      follow: (id, signal) => streamOf(inPieces(books.call.get(id).log.read(signal))),
    },
    series: runsOf(books.series, ({ seriesId }) => seriesId, work.series),
    parser: runsOf(books.parser, runIdOf, (input, signal) => options.parser.run(input, signal)),
    collections: runsOf(books.collection, runIdOf, (input, signal) => options.collections.run(input, signal)),
    list: (ids) =>
      [
        ...books.call.list().map((run) => ({ kind: 'call' as const, ...viewOf(run) })),
        ...books.series.list().map((run) => ({ kind: 'series' as const, ...viewOf(run) })),
        ...books.parser.list().map((run) => ({ kind: 'parser' as const, ...viewOf(run) })),
        ...books.collection.list().map((run) => ({ kind: 'collection' as const, ...viewOf(run) })),
      ].filter(({ id }) => ids.includes(id)),
    questions: unwatched.list,
    decide,
    attend: unwatched.attend,
    cancel(id) {
      if (confirmations.decide({ callId: id, allowed: false })) return true;
      if (options.calls.cancel(id)) return true;
      const run = [books.parser, books.collection]
        .flatMap<Run<unknown, unknown>>((book) => book.list())
        .find((each) => each.id === id);
      if (run === undefined || run.log.isOver) return false;
      run.cancel();
      return true;
    },
    async close() {
      await Promise.all(Object.values(books).map((book) => book.close()));
      unwatched.close();
    },
  };
}

function runsOf<Input, Event>(
  book: RunBook<Input, Event>,
  idOf: (input: Input) => string,
  work: (input: Input, signal: AbortSignal) => AsyncIterable<Event>,
): RunsOf<Input, Event> {
  return {
    start: (input, signal) => {
      const run = book.start({ id: idOf(input), input, work: (ends) => work(input, ends) });
      return streamOf(run.log.read(signal));
    },
    follow: (id, signal) => streamOf(book.get(id).log.read(signal)),
  };
}

function runIdOf({ runId }: { runId: string }): string {
  return runId;
}

function keyOf(event: object, other: string): string {
  return 'question' in event || 'allowed' in event ? 'question' : other;
}

async function* streamOf<Event>(events: AsyncIterable<Event>): RunStream<Event> {
  yield* events;
  yield { over: true };
}

async function* inPieces(events: AsyncIterable<CallEvent>): AsyncGenerator<ResultPiece | RunQuestion, void, void> {
  for await (const event of events) {
    if ('question' in event || 'allowed' in event) yield event;
    else yield* resultPieces(event);
  }
}

function isUnwatched({ log }: Run<unknown, unknown>): boolean {
  return log.readers === 0 && !log.isOver;
}

function waitingCalls({ log }: Run<ParserRunInput, ParserRunEvent>): Omit<CallQuestion, 'askedAt' | 'expiresAt'>[] {
  return log.events().flatMap((event) => {
    if (event.kind !== 'call' || event.call.state !== 'waiting') return [];
    const { id: callId, toolId, methodName, toolName, argsJson, danger } = event.call;
    return [
      {
        callId,
        toolId: toolId ?? toolName,
        methodName: methodName ?? '',
        argsJson,
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
  calls: Pick<CallsService, 'execute' | 'repeat'>;
  confirmations: RunConfirmations;
  clock: Pick<Clock, 'wall'>;
}) {
  return {
    async *call(input: CallRunInput, signal: AbortSignal): AsyncGenerator<CallEvent, void, void> {
      const result = await calls.execute(input, signal);
      if (result.error?.code !== 'confirmation-required') return yield result;
      const { question, approved, decision } = confirmations.ask({ id: input.callId, call: input, signal });
      yield question;
      const { allowed, argsJson = input.argsJson, reason } = await decision;
      yield { allowed, at: clock.wall() };
      yield allowed
        ? await calls.execute({ ...input, argsJson, approved }, signal)
        : await calls.execute({ ...input, refused: { reason } }, signal);
    },
    async *series(input: RepeatInput, signal: AbortSignal): AsyncGenerator<SeriesEvent, void, void> {
      let asks = false;
      for await (const figures of calls.repeat(input, signal)) {
        asks = figures.stopped?.code === 'confirmation-required';
        if (!asks) yield figures;
      }
      if (!asks) return;
      const { question, approved, decision } = confirmations.ask({ id: input.seriesId, call: input, signal });
      yield question;
      const { allowed, argsJson = input.argsJson, reason } = await decision;
      if (!allowed) await calls.execute({ ...input, callId: input.seriesId, refused: { reason } }, signal);
      yield { allowed, at: clock.wall() };
      if (allowed) yield* calls.repeat({ ...input, argsJson, approved }, signal);
    },
  };
}
