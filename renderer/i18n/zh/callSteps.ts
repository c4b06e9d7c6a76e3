/** The task that a server made of a call, and what it asked during the call. */
export const callSteps = {
  label: '调用的任务和提问',
  task: '任务：{state}',
  state: {
    working: '进行中',
    input_required: '等待回答',
    completed: '已完成',
    failed: '失败',
    cancelled: '已取消',
  },
  rounds: '服务器的提问',
  round: '第 {n} 轮',
  kind: { form: '表单', url: '网页', sampling: '模型回复', roots: '根目录' },
  outcome: { accept: '已回答', decline: '已拒绝', cancel: '已取消' },
};
