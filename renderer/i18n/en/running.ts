/** The Executor's words for series, progress, tables and comparing. */
export const running = {
  series: {
    open: 'Repeat the call',
    title: 'Repeat the call',
    text: 'Every call is a real one, with these arguments, and stands in the history.',
    count: 'Calls',
    parallel: 'At once',
    range: '1 to {count} calls, 1 to {parallel} at once.',
    queues: 'A device takes one call at a time: the others wait their turn, which does not count as their time.',
    start: 'Make {n} calls',
    of: 'of {n} calls, one after the other | of {n} calls, {parallel} at once',
    progress: 'Calls that have ended',
    rate: '{n} calls/s',
    stopped: 'Ended early, since no further call can succeed.',
    errors: 'What failed',
    showLast: 'Show the last',
    showFailed: 'The call could not be shown',
    back: 'Back to the series',
    spread: 'How the durations are spread: half within {p50}, 99 % within {p99}',
    time: { min: 'Shortest', p50: 'p50', p95: 'p95', p99: 'p99', max: 'Longest' },
    counted: { succeeded: 'Succeeded', failed: 'Failed', soft: 'Say they failed', cancelled: 'Cancelled' },
  },
  progress: {
    label: 'How far the call has come',
    of: '{done} of {total}',
    steps: 'at {done}',
  },
};
