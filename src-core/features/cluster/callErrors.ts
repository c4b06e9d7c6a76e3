import { ToolError } from '../../base/errors.ts';
import type { Answer } from './messages.ts';

export const hasLeft = 'This node has left the cluster.';

/** Why a node refused a call, in a sentence. */
export function refusalText(why: Extract<Answer, { kind: 'refused' }>['why'], node: string): string {
  switch (why) {
    case 'gone':
      return `The device has reconnected, or has left its node "${node}".`;
    case 'moved':
      return 'The device keeps moving between nodes.';
    case 'busy':
      return `Too many calls wait at the node "${node}". Try again later.`;
    case 'draining':
      return `The node "${node}" is about to restart and accepts no calls.`;
    case 'late':
      return `The call reached the node "${node}" too late.`;
    case 'version':
      return `The node "${node}" has a version of Toolwire that does not understand this call. Update the older one.`;
    case 'changed':
      return 'The tools of the device have changed. Call it again.';
    case 'invalid':
      return `The node "${node}" cannot read the call.`;
    case 'known':
      return `The node "${node}" has another call with this id.`;
  }
}

/** The error of a call that never reached a device. */
export function notRun(reason: string): ToolError {
  return new ToolError('disconnected', `${reason} Nothing ran.`, { details: { ran: false, node: 'refused' } });
}

/** The error of a call whose arguments the broker does not take. */
export function tooLong(reason: string): ToolError {
  return new ToolError('invalid-arguments', `${reason} Nothing ran.`, { details: { ran: false } });
}

/** The error of a call whose owner, or its outcome, was lost. */
export function mayHaveRun(reason: string): ToolError {
  return new ToolError('disconnected', `${reason} The call may have run.`, { details: { node: 'lost' } });
}
