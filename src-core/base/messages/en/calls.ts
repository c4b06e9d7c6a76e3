/** Calls: their ids, their questions, their runs, the history. */
export const calls = {
  'calls.callRuns': ({ id }: { id: string }) =>
    `A call with the id "${id}" runs already. Give each call an id of its own.`,
  'calls.seriesRuns': ({ id }: { id: string }) =>
    `A series with the id "${id}" runs already. Give each an id of its own.`,
  'calls.runExists': ({ id }: { id: string }) => `The id "${id}" is in use. Give each run an id of its own.`,
  'calls.tooManyRuns': ({ running }: { running: number }) =>
    `${running} runs are in progress already. Cancel one of them first.`,
  'calls.noRun': ({ id }: { id: string }) =>
    `There is no run "${id}": Toolwire was restarted, or the run ended too long ago. See the history.`,
  'calls.notInHistory': ({ callId }: { callId: string }) =>
    `The call "${callId}" is not in the history. It was deleted to stay within the limit.`,
  'calls.notWaiting': 'This call does not wait any more.',
  'calls.noFileToReload': ({ toolId }: { toolId: string }) =>
    `"${toolId}" has no file to load again. Only tools of the modules folder have one.`,
};
