import { findOfferedTool } from '../../registry/findOfferedTool.ts';
import type { RealtimeFault, RealtimeScriptTurn } from '../realtimeProfile.ts';
import type { OfferedTool } from './readTools.ts';

/** A call that a response makes. */
export interface PlannedCall {
  name: string;
  argumentsText: string;
}

/** What one response says and asks for. */
export interface ResponsePlan {
  say: string;
  calls: PlannedCall[];
  fault: RealtimeFault | undefined;
}

/** Characters of an output that are said. */
const maxOutput = 600;

/** The first response of a turn: its words, and its calls as far as their tools are offered. */
export function planTurn(
  turn: RealtimeScriptTurn,
  options: { tools: readonly OfferedTool[]; chinese: boolean },
): ResponsePlan {
  const { say = '', calls = [], fault } = turn;
  const planned = calls.flatMap(({ name, arguments: args = {} }) => {
    const tool = findOfferedTool(name, options.tools);
    if (tool === undefined) return [];
    const text = typeof args === 'string' ? args : JSON.stringify(args);
    return [{ name: tool.name, argumentsText: fault === 'broken-arguments' ? text.slice(0, -1) : text }];
  });
  if (calls.length === 0 || planned.length > 0) return { say, calls: planned, fault };
  const missing = missingTools(
    calls.map(({ name }) => name),
    options.chinese,
  );
  return { say: say === '' ? missing : `${say} ${missing}`, calls: [], fault };
}

/** The response after a turn's calls were answered. */
export function planThen(turn: RealtimeScriptTurn, output: string): ResponsePlan {
  const words = (turn.then ?? '').replaceAll('{{output}}', () => readOutput(output).slice(0, maxOutput));
  return { say: words, calls: [], fault: undefined };
}

/** A JSON text is its words, not its quotes. */
function readOutput(output: string): string {
  try {
    const value: unknown = JSON.parse(output);
    return typeof value === 'string' ? value : output;
  } catch {
    return output;
  }
}

function missingTools(names: string[], chinese: boolean): string {
  const list = names.join(chinese ? '、' : ', ');
  return chinese
    ? `我想调用 ${list}，但会话里没有这个工具。请在工具里选上它。`
    : `I would call ${list}, but no such tool is offered to me. Choose it under Tools.`;
}
