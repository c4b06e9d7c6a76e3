import type { hosts } from '../en/hosts.ts';
import type { Translation } from '../message.ts';

export const zhHosts: Translation<typeof hosts> = {
  'hosts.tooMany': ({ most }) => `已有 ${most} 个宿主。请先撤销一个不再使用的宿主。`,
  'hosts.unknown': '这个宿主已不存在。',
  'hosts.notWritable': ({ program }) => `Toolwire 不写入 ${program} 的配置。请复制这段文本。`,
  'hosts.badConfig': ({ file }) => `${file} 不是有效的 JSON，因此没有改动。请先修正它，或手动复制这段文本。`,
};
