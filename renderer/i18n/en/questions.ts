/** Calls of a model that wait for the user's word. */
export const questions = {
  label: 'Calls that ask first',
  waiting: 'nothing waiting for you | {n} waiting for you | {n} waiting for you',
  waitingLabel: 'Waiting for you',
  title: '{tool} asks before it runs',
  from: {
    gateway: 'The gateway’s model calls it on {tool}.',
    host: 'An MCP host calls it on {tool}.',
    realtime: 'A realtime model calls it on {tool}.',
    window: 'A window that was closed or reloaded calls it on {tool}.',
  },
  more: '{n} more wait',
  times: 'It would run once. | It would run {n} times.',
  every: 'Every call asks (Settings).',
  left: '{n} s left',
  reason: 'Why not? The model hears it.',
  allow: 'Run it',
  edit: 'Edit arguments',
  allowEdited: 'Run with these',
  refuse: 'Refuse',
  failed: 'That did not work',
};
