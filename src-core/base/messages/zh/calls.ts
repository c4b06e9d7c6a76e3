import type { calls } from '../en/calls.ts';
import type { Translation } from '../message.ts';

export const zhCalls: Translation<typeof calls> = {
  'calls.callRuns': ({ id }) => `ID 为“${id}”的调用已在运行。请为每个调用使用不同的 ID。`,
  'calls.seriesRuns': ({ id }) => `ID 为“${id}”的重复调用已在运行。请为每组重复调用使用不同的 ID。`,
  'calls.runExists': ({ id }) => `ID“${id}”已被占用。请为每次运行使用不同的 ID。`,
  'calls.tooManyRuns': ({ running }) => `已有 ${running} 个运行在进行。请先取消其中一个。`,
  'calls.noRun': ({ id }) => `找不到运行“${id}”：Toolwire 已重新启动，或该运行早已结束。请查看历史。`,
  'calls.notInHistory': ({ callId }) => `历史中没有调用“${callId}”：超出上限后已将其删除。`,
  'calls.notWaiting': '这次调用已不再等待。',
  'calls.noFileToReload': ({ toolId }) => `“${toolId}”没有可重新加载的文件。只有模块目录中的工具才有。`,
};
