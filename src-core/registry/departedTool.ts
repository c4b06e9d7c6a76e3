import { ToolError } from '../base/errors.ts';
import type { DepartedTool } from './toolRegistryManager.ts';

/** What brings a device back. */
export const reconnectHint =
  'If it does not reconnect automatically, press its button, say the wake word, or start a conversation in py-xiaozhi.';

/** What brings the tools of a source back. */
const returns = {
  device: reconnectHint,
  gateway: 'Its tools return when it reconnects.',
  mcp: 'If it does not restart automatically, start it in Servers. If you removed it, restore it from the trash.',
} as const;

/** The node of the cluster that has the device with this id; undefined for an id of this node. */
export const otherNodeOf = (sourceId: string): string | undefined => /@([0-9a-f]{16})$/.exec(sourceId)?.[1];

const remoteHint = 'It belongs to another node: its tools return when that node and the device are connected again.';

/**
 * Why a name is not registered, if it names a tool whose device, client or server has left: `disconnected`, with `details.leftMs`.
 * `undefined` if none of them has that id, or if its source is one that does not connect.
 */
export function departedToolError(
  departed: readonly DepartedTool[],
  toolName: string,
  now: number,
): ToolError | undefined {
  const tool = departed.find(({ id }) => toolName === id || toolName.startsWith(`${id}_`));
  if (tool === undefined) return undefined;
  const { kind, label, id: sourceId } = tool.source;
  if (kind !== 'module' && !Object.hasOwn(returns, kind)) return undefined;
  const leftMs = Math.max(0, now - tool.leftAt);
  if (tool.lostNode !== undefined)
    return new ToolError('disconnected', whyLost(label, leftMs, tool.lostNode), {
      details: { leftMs, kind, sourceId, node: 'refused' },
    });
  const hint = otherNodeOf(sourceId) !== undefined ? remoteHint : returns[kind as keyof typeof returns];
  const why = kind === 'module' ? whyDeleted(label, leftMs) : whyLeft(label, leftMs, hint);
  return new ToolError('disconnected', why, { details: { device: label, leftMs, kind, sourceId } });
}

function whyDeleted(label: string, leftMs: number): string {
  return leftMs < 1_000
    ? `The module file "${label}" was deleted, moved or renamed just now. Its tools return as soon as the file is back.`
    : `The module file "${label}" was deleted, moved or renamed ${agoText(leftMs)} ago. Its tools return as soon as the file is back.`;
}

function whyLeft(label: string, leftMs: number, returning: string): string {
  return leftMs < 1_000
    ? `"${label}" disconnected just now, and its tools with it. ${returning}`
    : `"${label}" disconnected ${agoText(leftMs)} ago, and its tools with it. ${returning}`;
}

/** The device may be connected to its node. */
function whyLost(label: string, leftMs: number, node: string): string {
  return leftMs < 1_000
    ? `"${label}" cannot be reached: the connection to its node "${node}" was lost just now. Its tools return when it is connected again.`
    : `"${label}" cannot be reached: the connection to its node "${node}" was lost ${agoText(leftMs)} ago. Its tools return when it is connected again.`;
}

function agoText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}
