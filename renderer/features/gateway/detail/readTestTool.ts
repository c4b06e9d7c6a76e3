import type { GatewayTestAnswer, GatewayTestTool, JsonObject, JsonValue } from '../../../../src-core/contract/types.ts';
import { t } from '../../../i18n/index.ts';

/** A test tool as it is written. */
export interface TestToolDraft {
  name: string;
  description: string;
  /** JSON. */
  parameters: string;
  kind: GatewayTestAnswer['kind'];
  /** JSON. */
  value: string;
  message: string;
}

/** The tool that is meant, or what is wrong; no problem is said of what is only not written yet. */
export function readTestTool(
  draft: TestToolDraft,
): { ok: true; tool: GatewayTestTool } | { ok: false; problem: string | undefined } {
  const name = draft.name.trim();
  try {
    const parameters = JSON.parse(draft.parameters) as JsonValue;
    if (!isObject(parameters)) return { ok: false, problem: t('gateway.testTool.noObject') };
    const answer = answerOf(draft);
    if (name === '') return { ok: false, problem: undefined };
    return { ok: true, tool: { name, description: draft.description, parameters, answer } };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { ok: false, problem: t('gateway.testTool.noJson', { reason }) };
  }
}

function answerOf({ kind, value, message }: TestToolDraft): GatewayTestAnswer {
  if (kind === 'result') return { kind, value: JSON.parse(value) as JsonValue };
  return kind === 'error' ? { kind, message } : { kind };
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
