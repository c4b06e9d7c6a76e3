import type { CallQuestion, CallRules, RunQuestion } from '../../../contract/types.ts';
import type { ToolError } from '../../../base/errors.ts';
import { refusedByUser } from '../../../engine/confirmCall.ts';
import { methodIdentity } from '../../../engine/methodIdentity.ts';
import { prepareCall, type PreparedCall } from '../../../engine/prepareCall.ts';
import { reasonToConfirm } from '../../../engine/reasonToConfirm.ts';
import { invalidArguments } from '../../../schema/invalidArguments.ts';
import { parseArgsJson } from '../../../schema/parseArgsJson.ts';
import type { ToolRegistryManager } from '../../../registry/toolRegistryManager.ts';
import { asText } from '../applyRules.ts';

/** The call of a run. */
interface AskedCall {
  toolName: string;
  command?: string | undefined;
  argsJson: string;
  rules?: CallRules | undefined;
  /** How often it would be made. */
  count?: number | undefined;
}

/** A call that asks, without the times at which it asked and expires. */
export type UntimedQuestion = Omit<CallQuestion, 'askedAt' | 'expiresAt'>;

/** The error of a call that does not run, or an approval, perhaps with other arguments. */
interface Decision {
  refusal?: ToolError;
  argsJson?: string | undefined;
}

/** Calls and series that wait for the user's decision before their tool is called. */
export interface RunConfirmations {
  /** Asks. Counts as refused if `signal` aborts. */
  ask(options: { id: string; call: AskedCall; signal: AbortSignal }): {
    question: RunQuestion;
    /** The identity of the method that the question is about; empty if the name named none. */
    approved: string;
    decision: Promise<Decision>;
  };
  /** The question of the run with that id, if it asks. */
  of(id: string): UntimedQuestion[];
  /** False if no run of that id asks. @throws ToolError `invalid-arguments` if `argsJson` does not fit; the run then asks on. */
  approve(id: string, argsJson?: string): boolean;
  /** False if no run of that id asks. */
  refuse(id: string, error: ToolError): boolean;
}

export function createRunConfirmations(options: {
  toolRegistryManager: ToolRegistryManager;
  dangerousTools: () => readonly string[];
}): RunConfirmations {
  const { toolRegistryManager, dangerousTools } = options;
  const waiting = new Map<
    string,
    { question: UntimedQuestion; call: AskedCall; answer: (decision: Decision) => void }
  >();

  function prepare({ toolName, command, argsJson, rules }: AskedCall): PreparedCall {
    const given = { toolName, ...(command !== undefined && { command }), args: parseArgsJson(argsJson) };
    const request = rules === 'model' ? asText(given, argsJson) : given;
    return prepareCall({ toolRegistryManager, request, isUnchecked: rules === 'unchecked' });
  }

  function questionOf(id: string, prepared: PreparedCall, call: AskedCall): UntimedQuestion {
    const { toolName, command, argsJson, rules, count } = call;
    const { target } = prepared;
    const danger = target === undefined ? undefined : reasonToConfirm(prepared, { dangerousTools: dangerousTools() });
    return {
      callId: id,
      toolId: target?.registry.id ?? toolName,
      methodName: target?.method.name ?? command ?? '',
      argsJson,
      ...(rules !== undefined && { rules }),
      ...(count !== undefined && { count }),
      ...(danger !== undefined && { danger }),
    };
  }

  return {
    ask({ id, call, signal }) {
      const prepared = prepare(call);
      const question = questionOf(id, prepared, call);
      const approved = prepared.target === undefined ? '' : methodIdentity(prepared.target);
      const decision = new Promise<Decision>((resolve) => {
        const answer = (decision: Decision): void => {
          signal.removeEventListener('abort', refuse);
          waiting.delete(id);
          resolve(decision);
        };
        const refuse = (): void => answer({ refusal: refusedByUser(undefined) });
        waiting.set(id, { question, call, answer });
        if (signal.aborted) refuse();
        else signal.addEventListener('abort', refuse, { once: true });
      });
      const { danger } = question;
      return { question: { question: { ...(danger !== undefined && { danger }) } }, approved, decision };
    },
    of: (id) => [waiting.get(id)?.question].filter((question) => question !== undefined),
    approve(id, argsJson) {
      const found = waiting.get(id);
      if (found === undefined) return false;
      if (argsJson !== undefined) throwIfMisfit(prepare({ ...found.call, argsJson }));
      found.answer({ argsJson });
      return true;
    },
    refuse(id, error) {
      const found = waiting.get(id);
      found?.answer({ refusal: error });
      return found !== undefined;
    },
  };
}

/** A call without a method fails whatever its arguments are: the executor says why. */
function throwIfMisfit({ target, converted }: PreparedCall): void {
  if (target !== undefined && converted.issues.length > 0) throw invalidArguments(target.qualifiedName, converted);
}
