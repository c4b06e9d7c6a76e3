import type { ChatAssistantEntry } from '../../../../src-core/contract/types.ts';
import { formatCount } from '../../../ui/format/formatCount.ts';
import { formatDuration } from '../../../ui/format/formatDuration.ts';
import { shorten } from '../../../ui/format/shorten.ts';
import { t } from '../../../i18n/index.ts';

/** A figure of one turn, worded. */
export interface TurnFact {
  key: 'model' | 'protocol' | 'steps' | 'calls' | 'tokens' | 'modelTime' | 'toolTime' | 'end';
  value: string;
}

/** The source of a turn's figures. */
export interface TurnFactsInput {
  steps: readonly ChatAssistantEntry[];
  /** Duration of its requests, if they were sent over a wire. */
  modelMs: number | undefined;
  /** A model's display name. */
  nameOf: (id: string, kept: string) => string;
}

/** Returns the figures that summarize a turn. */
export function turnFacts({ steps, modelMs, nameOf }: TurnFactsInput): TurnFact[] {
  const last = steps.at(-1);
  const calls = steps.flatMap((step) => step.calls);
  const ran = calls.filter(({ startedAt }) => startedAt !== undefined);
  const toolMs = ran.reduce((sum, { result }) => sum + (result?.durationMs ?? 0), 0);
  const counted = steps.length > 0 && steps.every(({ usage }) => usage?.inputTokens !== undefined);
  const total = (of: (step: ChatAssistantEntry) => number): string =>
    formatCount(steps.reduce((sum, step) => sum + of(step), 0));
  const sent = counted
    ? total(({ usage }) => usage?.inputTokens ?? 0)
    : `≈ ${total((step) => step.promptTokens.total)}`;
  const got = counted ? total(({ usage }) => usage?.outputTokens ?? 0) : `≈ ${total((step) => step.replyTokens)}`;
  return [
    { key: 'model', value: last === undefined ? '—' : nameOf(last.modelId, last.modelName) },
    { key: 'protocol', value: last === undefined ? '—' : t(`chat.protocol.${last.protocol}`) },
    { key: 'steps', value: String(steps.length) },
    { key: 'calls', value: calls.map(callText).join('\n') || t('common.none') },
    { key: 'tokens', value: t('chat.step.tokens', { sent, got }) },
    { key: 'modelTime', value: modelMs === undefined ? '—' : formatDuration(modelMs) },
    { key: 'toolTime', value: ran.length === 0 ? '—' : formatDuration(toolMs) },
    {
      key: 'end',
      value: t(`chat.compare.end.${last?.stoppedBecause ?? 'running'}`),
    },
  ];
}

/** The called method in a common form: two protocols write the same call differently. */
function callText({ qualifiedName, toolName, command, argsJson }: ChatAssistantEntry['calls'][number]): string {
  const name = qualifiedName ?? [toolName, command].filter((part) => part !== undefined).join('_');
  return `${name} ${shorten(argsJson, 200)}`;
}
