/** Calls: their ids, their questions, their runs, the history. */
export const calls = {
  'calls.callRuns': ({ id }: { id: string }) =>
    `A call with the id "${id}" is already running. Give each call its own id.`,
  'calls.seriesRuns': ({ id }: { id: string }) =>
    `A series with the id "${id}" is already running. Give each series its own id.`,
  'calls.runExists': ({ id }: { id: string }) => `The id "${id}" is in use. Give each run its own id.`,
  'calls.tooManyRuns': ({ running }: { running: number }) =>
    `${running} runs are in progress already. Cancel one of them first.`,
  'calls.noRun': ({ id }: { id: string }) =>
    `There is no run "${id}": Toolwire was restarted, or the run ended too long ago. See the history.`,
  'calls.notInHistory': ({ callId }: { callId: string }) =>
    `The call "${callId}" is not in the history. It was deleted to stay within the limit.`,
  'calls.notWaiting': 'This call no longer waits.',
  'calls.noFileToReload': ({ toolId }: { toolId: string }) =>
    `"${toolId}" has no file to load again. Only tools of the modules folder have one.`,
};
