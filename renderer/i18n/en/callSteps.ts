/** The task that a server made of a call, and what it asked during the call. */
export const callSteps = {
  label: 'Task and questions of the call',
  task: 'Task: {state}',
  state: {
    working: 'working',
    input_required: 'waits for an answer',
    completed: 'completed',
    failed: 'failed',
    cancelled: 'cancelled',
  },
  rounds: 'Questions of the server',
  round: 'Round {n}',
  kind: { form: 'form', url: 'page', sampling: 'reply from a model', roots: 'roots' },
  outcome: { accept: 'answered', decline: 'declined', cancel: 'cancelled' },
};
