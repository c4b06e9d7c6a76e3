/** Calls of a model that wait for the user's word. */
export const questions = {
  label: '等待确认的调用',
  waiting: '没有等待你处理的 | {n} 项等待你处理 | {n} 项等待你处理',
  waitingLabel: '等待你处理',
  title: '{tool} 运行前需要确认',
  from: {
    gateway: '网关的模型要调用 {tool} 的这个方法。',
    host: 'MCP 宿主要调用 {tool} 的这个方法。',
    realtime: '实时模型要调用 {tool} 的这个方法。',
    window: '已关闭或重新加载的窗口要调用 {tool} 的这个方法。',
  },
  more: '还有 {n} 个在等待',
  times: '将运行 {n} 次。',
  every: '每次调用都需确认（设置）。',
  left: '剩 {n} 秒',
  reason: '为什么拒绝？模型会知道。',
  allow: '运行',
  edit: '编辑参数',
  allowEdited: '按此运行',
  refuse: '拒绝',
  failed: '操作失败',
};
