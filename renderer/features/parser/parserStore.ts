import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';

import type { ChatCall, ChatDecision, ParserRunEvent, ReplyDialect } from '../../../src-core/contract/types.ts';
import type { RunToFollow } from '../calls/followRun.ts';
import { verdictOf } from '../calls/verdictOf.ts';
import { refusedBlocks } from '../../ui/editor/vcp/refusedBlocks.ts';
import { textChange } from '../../ui/editor/textChange.ts';
import { keepText } from '../../ui/composables/keepText.ts';
import { t } from '../../i18n/index.ts';
import { untilNextLine } from '../../client/connection.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { useRuns } from '../calls/runsStore.ts';
import { useSettings } from '../../window/settingsStore.ts';
import { applyEdits, possibleEdits, type TextEdit } from './applyEdits.ts';
import { callPlaces, type CallPlace } from './callPlaces.ts';
import { omittedCards } from './countOf.ts';
import { problemsOf } from './problemsOf.ts';
import type { Reading } from './useParse.ts';

type RunState =
  | { phase: 'idle' }
  /** `reading` is what runs; `call` is set if only the call of that index does. */
  | {
      phase: 'running';
      runId: string;
      /** Epoch ms. */
      startedAt: number;
      reading: Reading;
      call: number | undefined;
      abort: AbortController;
    }
  | { phase: 'done'; feedback: string; results: Record<'ok' | 'soft' | 'failed' | 'cancelled' | 'skipped', number> }
  | { phase: 'failed'; message: string; title?: string };

/** The Parser's text and the runs of its calls. They outlive the pane and a reload of the window. */
export const useParser = defineStore('parser', () => {
  const connection = injectConnection();
  const { client } = connection;
  const settings = useSettings();
  const runs = useRuns();
  const { text: kept, isTooLarge } = keepText('parser.text');
  const run = shallowRef<RunState>({ phase: 'idle' });
  /** The last run of each call. */
  const results = shallowRef<readonly { place: CallPlace; call: ChatCall }[]>([]);
  const resultsByPlace = computed(() => new Map(results.value.map(({ place, call }) => [idOf(place), call])));
  /** The calls that wait for the user, in the order of the text. */
  const waiting = computed(() =>
    run.value.phase === 'running'
      ? results.value
          .filter(({ call }) => call.state === 'waiting')
          .toSorted((a, b) => a.place.start - b.place.start)
          .map(({ call }) => call)
      : [],
  );
  /** Another text has no results. An edit keeps those of the calls whose blocks it does not touch. */
  const text = computed({
    get: () => kept.value,
    set: (value) => {
      // A call that waits for the user stays.
      if (value !== kept.value && run.value.phase !== 'running') {
        const before = { text: kept.value, results: results.value };
        forgetResults();
        restoreResults(value);
        if (before.results.length > 0) replaced = before;
      }
      kept.value = value;
    },
  });
  /** The last text with results that was replaced. Undo may bring it back. */
  let replaced: { text: string; results: typeof results.value } | undefined;
  /** Changes to the text that no reading has come of. */
  const pending: { edits: readonly TextEdit[]; text: string }[] = [];

  function forgetResults(): void {
    results.value = [];
    pending.length = 0;
  }

  function restoreResults(of: string): void {
    if (of !== replaced?.text) return;
    results.value = replaced.results;
    pending.length = 0;
  }

  /** Why the text cannot be changed now. */
  const lockReason = computed(() => (run.value.phase === 'running' ? t('parser.locked') : undefined));

  const dialect = computed<ReplyDialect>({
    get: () => settings.current.dialect,
    set: (value) => settings.change({ dialect: value }),
  });

  /** Runs the calls of a reading, or the one of that index, as a chat would run those of a reply. */
  async function start(reading: Reading, call?: number): Promise<void> {
    if (run.value.phase === 'running') return;
    const runId = crypto.randomUUID();
    const input = { runId, text: reading.text, ...(call !== undefined && { call }) };
    await follow({ runId, startedAt: Date.now(), reading, call }, async (options) => {
      await settings.flush();
      return client.parser.run(input, options);
    });
  }

  /** Shows the run that this window started before it was reloaded. */
  async function resume(): Promise<void> {
    for (const { id: runId, startedAt, input } of await runs.ofBefore('parser')) {
      // A text that was too large to be kept.
      if (text.value === '') text.value = input.text;
      const report = await client.parser.parse({ text: input.text, dialect: settings.current.dialect });
      const reading = { ...report, text: input.text };
      if (run.value.phase !== 'running') void follow({ runId, startedAt, reading, call: input.call });
    }
  }
  resume().catch((cause: unknown) => (run.value = { phase: 'failed', message: messageOf(cause) }));

  async function follow(
    asked: { runId: string; startedAt: number; reading: Reading; call: number | undefined },
    start?: RunToFollow<ParserRunEvent>['start'],
  ): Promise<void> {
    const { runId, reading, call } = asked;
    const abort = new AbortController();
    const { signal } = abort;
    run.value = { phase: 'running', ...asked, abort };
    replaced = undefined;
    const places = callPlaces(reading);
    const ran = new Map<number, ChatCall>();
    const again: RunToFollow<ParserRunEvent>['follow'] = (options) => client.parser.follow({ runId }, options);
    try {
      for await (const event of runs.follow(runId, { start, follow: again, signal })) {
        if (event.kind === 'end') {
          // The result text is that of the text that ran.
          const isShown = call === undefined && text.value === reading.text;
          run.value = isShown ? doneWith(event.feedback, [...ran.values()], reading) : { phase: 'idle' };
        } else {
          ran.set(event.index, event.call);
          show(places[event.index], event.call);
        }
      }
    } catch (cause) {
      run.value = { phase: 'failed', message: messageOf(cause) };
    }
    if (run.value.phase === 'running') run.value = { phase: 'idle' };
    // What was cut off has no result; its card is as before the run.
    for (const [index, each] of ran) if (each.result === undefined) show(places[index], undefined);
    if (text.value !== reading.text) forgetResults();
  }

  /** Ends the run. Its last events are the results of the calls that it cancelled, and the text for the model. */
  async function cancel(): Promise<void> {
    if (run.value.phase !== 'running') return;
    const { runId, abort } = run.value;
    try {
      await runs.cancel(runId);
    } catch (cause) {
      abort.abort();
      const message = t('parser.cycle.mayRun', { reason: messageOf(cause) });
      const failed: RunState = { phase: 'failed', message, title: t('parser.cycle.notCancelled') };
      run.value = failed;
      await untilNextLine(connection, connection.state.value);
      // What runs is known again.
      if (run.value === failed) run.value = { phase: 'idle' };
    }
  }

  function show(place: CallPlace | undefined, call: ChatCall | undefined): void {
    if (place === undefined) return;
    const others = results.value.filter((one) => idOf(one.place) !== idOf(place));
    results.value = call === undefined ? others : [...others, { place, call }];
  }

  /** Makes edits in the text. If they are not known, or not exactly, `to` is the text after them. */
  function edit(edits: readonly TextEdit[], to = applyEdits(kept.value, edits)): void {
    if (results.value.length > 0) {
      const { start, end, text: newText } = textChange(kept.value, to) ?? { start: 0, end: 0, text: '' };
      const isExact = applyEdits(kept.value, edits) === to;
      pending.push({ edits: isExact ? possibleEdits(kept.value, edits) : [{ start, end, newText }], text: to });
    }
    kept.value = to;
    if (run.value.phase !== 'running') restoreResults(to);
  }

  /** That text has been read: the results move to the places that its calls have now. */
  function placeResults(inText: string): void {
    const read = pending.findLastIndex(({ text: after }) => after === inText);
    const edits = pending.splice(0, read + 1).flatMap((one) => one.edits.toReversed());
    for (const { start, end, newText } of edits) {
      const moved = start + newText.length - end;
      results.value = results.value.flatMap(({ place, call }) => {
        if (place.end <= start) return [{ place, call }];
        if (place.start < end) return [];
        return [{ place: { ...place, start: place.start + moved, end: place.end + moved }, call }];
      });
    }
  }

  async function decide(callId: string, decision: ChatDecision): Promise<void> {
    await client.parser.decide({ callId, decision });
  }

  return {
    text,
    isTooLarge,
    lockReason,
    dialect,
    run,
    start,
    edit,
    placeResults,
    waiting,
    resultOf: (place: CallPlace) => resultsByPlace.value.get(idOf(place)),
    decide,
    cancel,
    closeRun: () => (run.value = { phase: 'idle' }),
  };
});

const idOf = ({ start, what }: CallPlace): string => `${start} ${what}`;

/** The result text, with the number of each verdict. What looks like a call and is none is not run. */
function doneWith(feedback: string, calls: ChatCall[], reading: Reading): RunState {
  const skipped = refusedBlocks(reading, problemsOf(reading)).length + omittedCards(reading);
  const results = { ok: 0, soft: 0, failed: 0, cancelled: 0, skipped };
  for (const { result } of calls) {
    const verdict = result === undefined ? 'refused' : verdictOf(result);
    if (verdict === 'refused' || verdict === 'not-called') results.skipped++;
    else if (verdict === 'soft-failure' || verdict === 'mismatch') results.soft++;
    else results[verdict === 'ok' || verdict === 'cancelled' ? verdict : 'failed']++;
  }
  return { phase: 'done', feedback, results };
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
