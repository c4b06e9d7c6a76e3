import type { DeviceHealth } from '../../../contract/deviceInfo.ts';

/**
 * The health of a device in a few words: the terminal's, and the window's English catalogue. Imports no code, so that the page
 * can import it.
 */
export const healthWords = {
  announced: 'Waiting to connect',
  hello: 'Saying hello',
  approval: 'Asks to come in',
  initializing: 'Initializing',
  listing: 'Listing tools',
  ready: 'Live',
  closed: 'Disconnected',
  failed: 'Failed',
  refused: 'Rejected',
  'list-incomplete': 'Tools incomplete',
  'no-mcp': 'No MCP',
  'no-tools': 'No tools',
  'broken-frames': 'Unreadable frames',
  'left-during-call': 'Disconnected during a call',
  'call-timeout': 'Call timed out',
  'back-after-crash': 'Reconnected after a crash',
} satisfies Record<DeviceHealth, string>;
