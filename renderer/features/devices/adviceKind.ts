import type { DoctorCause } from '../../../src-core/contract/types.ts';

/** How bad it is: `info` is the ordinary way of things, `warn` waits for somebody, `error` needs a repair. */
export const adviceKind: Record<DoctorCause, 'info' | 'warn' | 'error'> = {
  'never-connected': 'info',
  'no-hello': 'error',
  'not-hello': 'error',
  'no-token': 'error',
  'wrong-token': 'error',
  'waits-for-approval': 'warn',
  refused: 'warn',
  'too-many-devices': 'error',
  'too-much-data': 'error',
  'no-mcp': 'error',
  'initialize-silent': 'error',
  'initialize-error': 'error',
  'list-silent': 'error',
  'list-error': 'error',
  'list-incomplete': 'warn',
  'no-tools': 'warn',
  'left-before-ready': 'error',
  left: 'info',
  'closed-here': 'info',
  'left-during-call': 'error',
  'left-as-asked': 'info',
  'broken-frames': 'warn',
  idle: 'info',
};
