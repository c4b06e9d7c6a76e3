import { hostResultMarkers, markers } from '../../../../src-core/protocols/vcp/markers.ts';
import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import type { TextRange } from '../../../../src-core/base/replyTypes.ts';

/** A result block as it stands in a text. */
export interface VcpToolResult extends TextRange {
  /** Whose writing: ours, VCPToolBox's or AIO Hub's. */
  host: 'toolwire' | 'vcptoolbox' | 'aiohub';
  toolName: string;
  requestId?: string;
  status: 'success' | 'error';
  /** The result text. */
  result: string;
}

const names = ['工具名称', '工具', 'tool_name', 'tool'];
const statuses = ['执行状态', '状态', 'status'];
const contents = ['返回内容', '执行结果', '结果', '内容', 'result', 'content'];
const ids = ['请求ID', '请求 ID', 'request_id', 'requestId'];
const successful = /^\W*(?:success|ok|成功)/i;
const failed = /^\W*(?:error|fail|失败|错误)/i;

/**
 * Reads the result blocks of a text: ours and those of other hosts (docs/protocols/vcp.md#prompts-and-results). A block that never ends is left
 * out. Lines of a host's block may come in any order, and name and status may have changed places.
 */
export function readToolResults(text: string): VcpToolResult[] {
  const results: VcpToolResult[] = [];
  const kinds = [
    { host: 'toolwire', open: markers.resultStart, close: markers.resultEnd } as const,
    ...hostResultMarkers,
  ];
  const next = kinds.map(() => -1);
  for (let at = 0; ;) {
    kinds.forEach(({ open }, index) => {
      if ((next[index] ?? -1) < at) next[index] = found(text.indexOf(open, at));
    });
    const start = Math.min(...next);
    const kind = kinds[next.indexOf(start)];
    if (start === Infinity || kind === undefined) return results;
    const bodyStart = start + kind.open.length;
    const close = text.indexOf(kind.close, bodyStart);
    if (close < 0) {
      // No later block of this kind ends either.
      next[next.indexOf(start)] = Infinity;
      at = bodyStart;
      continue;
    }
    const range = { start, end: close + kind.close.length };
    const body = text.slice(bodyStart, close);
    results.push({ ...range, host: kind.host, ...(kind.host === 'toolwire' ? readOwn(body) : readLines(body)) });
    at = range.end;
  }
}

function found(index: number): number {
  return index < 0 ? Infinity : index;
}

/** Our own block has the fields of a request, so the parser of requests reads it. */
function readOwn(body: string): Omit<VcpToolResult, 'host' | 'start' | 'end'> {
  const [request] = parseVcp(markers.start + body + markers.end, { newId: () => '' }).requests;
  const status = request?.args.status === 'error' ? 'error' : 'success';
  return {
    toolName: request?.toolName ?? '',
    ...(request !== undefined && request.requestId !== '' && { requestId: request.requestId }),
    status,
    result: request?.rawArgs.result ?? '',
  };
}

/** `- label: value` lines; the content is the rest of the block. */
function readLines(body: string): Omit<VcpToolResult, 'host' | 'start' | 'end'> {
  let toolName = '';
  let written = '';
  let requestId: string | undefined;
  let result = '';
  for (let at = 0; at < body.length;) {
    const lineBreak = body.indexOf('\n', at);
    const end = lineBreak < 0 ? body.length : lineBreak;
    const { label, value, valueStart } = splitLine(body.slice(at, end));
    if (names.includes(label)) toolName = value;
    else if (statuses.includes(label)) written = value;
    else if (ids.includes(label)) requestId = value;
    else if (contents.includes(label)) {
      result = body.slice(at + valueStart).trim();
      break;
    }
    at = end + 1;
  }
  if (isStatus(toolName) && !isStatus(written)) [toolName, written] = [written, toolName];
  return {
    toolName,
    ...(requestId !== undefined && { requestId }),
    status: failed.test(written) ? 'error' : 'success',
    result,
  };
}

function isStatus(value: string): boolean {
  return successful.test(value) || failed.test(value);
}

function splitLine(line: string): { label: string; value: string; valueStart: number } {
  const wide = line.indexOf('：');
  const plain = line.indexOf(':');
  const colon = wide < 0 ? plain : plain < 0 ? wide : Math.min(wide, plain);
  if (colon < 0) return { label: '', value: '', valueStart: line.length };
  const label = line.slice(0, colon).replaceAll('*', '').replace(/^\s*-/, '').trim();
  return { label, value: line.slice(colon + 1).trim(), valueStart: colon + 1 };
}
