import { ToolError } from '../../../base/errors.ts';
import type { DoctorCause } from '../../../contract/deviceInfo.ts';

/** Why a handshake failed with `error`: `invalidIn` frames could not be read on the connection so far. */
export function handshakeCause(station: 'initialize' | 'tools', error: unknown, invalidIn: number): DoctorCause {
  const code = error instanceof ToolError ? error.code : undefined;
  // The answer may have been among them: the firmware does not escape quotes (docs/protocols/device-mcp.md).
  if (invalidIn > 0 && (code === 'timeout' || code === 'protocol-error')) return 'broken-frames';
  if (code === 'timeout') return station === 'initialize' ? 'initialize-silent' : 'list-silent';
  return station === 'initialize' ? 'initialize-error' : 'list-error';
}
