import type { DeviceHealth, DeviceInfo, DoctorCause } from '../../../contract/deviceInfo.ts';

/*
 * The health of a device in a few words: the terminal's, and the window's English catalogue. Imports no code, so that the page
 * can import it.
 */
/** Each health by itself. */
export const healthWords = {
  announced: 'Waiting to connect',
  hello: 'Saying hello',
  approval: 'Waiting for approval',
  initializing: 'Initializing',
  listing: 'Listing tools',
  ready: 'Live',
  closed: 'Disconnected',
  failed: 'Failed',
  refused: 'Rejected',
  'list-incomplete': 'Tools incomplete',
  'tools-invalid': 'Some tools are invalid',
  'no-mcp': 'No MCP',
  'no-tools': 'No tools',
  'mac-shared': 'MAC address used twice',
  reconnects: 'Keeps reconnecting',
  'broken-frames': 'Unreadable frames',
  'left-during-call': 'Disconnected during a call',
  'call-timeout': 'Call timed out',
  'back-after-crash': 'Disconnected during a call, reconnected',
} satisfies Record<DeviceHealth, string>;

/** Those that name the call that they happened in. */
export const callWords = {
  'left-during-call': 'Disconnected during call {call}',
  'call-timeout': 'Call {call} timed out',
  'back-after-crash': 'Lost during call {call}, reconnected',
} satisfies Partial<Record<DeviceHealth, string>>;

/** Of an answer that was cut off, if that is all that is wrong with its frames. */
export const answerCutWords = 'Answer cut off';

/** What a failed device, or one without any valid tool, is called by. */
export const stopWords = {
  'no-hello': 'No hello received',
  'not-hello': 'First message is not a hello',
  'no-token': 'No access token',
  'wrong-token': 'Wrong access token',
  'too-many-devices': 'Too many devices',
  'same-id': 'Device-Id used twice',
  'too-much-data': 'Too much data',
  'initialize-silent': 'initialize not answered',
  'initialize-error': 'initialize failed',
  'list-silent': 'tools/list not answered',
  'list-error': 'tools/list failed',
  'tools-invalid': 'All tools are invalid',
  'left-before-ready': 'Disconnected before it was ready',
} satisfies Partial<Record<DoctorCause, string>>;

/** Which of these words say the state of a device. */
type HealthPhrase =
  | { of: 'health'; key: DeviceHealth }
  | { of: 'ofCall'; key: keyof typeof callWords; call: string }
  | { of: 'stopped'; key: keyof typeof stopWords }
  | { of: 'answerCut' };

const ofCalls = Object.keys(callWords) as (keyof typeof callWords)[];
const stops = Object.keys(stopWords) as (keyof typeof stopWords)[];

/** The most exact words for the state of a device. */
export function healthPhrase({
  health,
  doctor,
  toolCount,
}: Pick<DeviceInfo, 'health' | 'doctor' | 'toolCount'>): HealthPhrase {
  const { cause, steps, faults } = doctor;
  const call = steps.find(({ id }) => id === 'call')?.fact;
  const ofCall = ofCalls.find((each) => each === health);
  if (ofCall !== undefined && call !== undefined) return { of: 'ofCall', key: ofCall, call };
  if (health === 'broken-frames' && call !== undefined && faults?.every((fault) => fault === 'cut'))
    return { of: 'answerCut' };
  const hasStopped = health === 'failed' || (health === 'tools-invalid' && toolCount === 0);
  const stopped = hasStopped ? stops.find((each) => each === cause) : undefined;
  return stopped === undefined ? { of: 'health', key: health } : { of: 'stopped', key: stopped };
}
