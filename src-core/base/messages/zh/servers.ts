import type { servers } from '../en/servers.ts';
import type { Translation } from '../message.ts';

export const zhServers: Translation<typeof servers> = {
  'servers.unknown': '这个服务器已不存在。',
  'servers.notReady': ({ name }) => `服务器“${name}”尚未就绪。请先启动它。`,
  'servers.changedMeanwhile': ({ name }) => `“${name}”的配置已变更。请重新查看。`,
  'servers.tooMany': ({ most }) => `已有 ${most} 个服务器。请先移除一个。`,
  'servers.badUrl': ({ url }) => `此传输方式无法使用地址“${url}”。`,
  'servers.notWaiting': '服务器已不再等待这个回答。',
};
