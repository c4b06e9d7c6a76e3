import type { running as english } from '../en/running.ts';

/** 执行器：连续调用、进度、表格和比较的用语。 */
export const running: typeof english = {
  series: {
    open: '重复调用',
    title: '重复调用',
    text: '每次都是真实调用，使用当前参数，并记入历史。',
    count: '次数',
    parallel: '同时进行',
    range: '次数 1 到 {count}，同时进行 1 到 {parallel}。',
    queues: '设备一次只处理一个调用：其余的排队等候，等候时间不计入用时。',
    start: '调用 {n} 次',
    of: '/ {n} 次，依次进行 | / {n} 次，{parallel} 个同时进行',
    progress: '已结束的调用',
    row: { calls: '{n} 次调用', times: 'p50 {p50}，p95 {p95}', failed: '失败 {n} 次' },
    slowest: '最慢的几次',
    show: '查看',
    kept: '次调用，仍在历史中',
    rate: '每秒 {n} 次',
    stopped: '提前结束：后面的调用也不可能成功。',
    errors: '失败的调用',
    showLast: '查看最后一次',
    showFailed: '无法显示这次调用',
    back: '回到统计',
    spread: '用时分布：一半在 {p50} 以内，99 % 在 {p99} 以内',
    time: { min: '最短', p50: 'p50', p95: 'p95', p99: 'p99', max: '最长' },
    counted: { succeeded: '成功', failed: '失败', soft: '自称失败', cancelled: '已取消' },
  },
  tree: {
    search: '在结果中搜索',
    found: '第 {at} 处，共 {total}',
    previous: '上一处',
    next: '下一处',
    copyPath: '复制路径',
    copyValue: '复制值',
  },
  table: {
    title: '表格',
    size: '{rows} 行，{columns} 列',
    copyCsv: '复制 CSV',
    copyJson: '复制 JSON',
  },
  progress: {
    label: '调用的进度',
    of: '{done} / {total}',
    steps: '进行到 {done}',
  },
};
