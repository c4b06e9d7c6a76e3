import type { hosts } from '../en/hosts.ts';
import type { Translation } from '../message.ts';

export const zhHosts: Translation<typeof hosts> = {
  'hosts.tooMany': ({ most }) => `已有 ${most} 个宿主。请先吊销一个不再使用的宿主。`,
  'hosts.badAlias': ({ most }) =>
    `别名由 1 到 ${most} 个字母、数字和不连续的下划线组成，首尾不能是下划线。请换一个别名。`,
  'hosts.aliasTaken': ({ alias }) => `“${alias}”现在或曾经是另一个来源的别名，宿主可能会混淆。请换一个别名。`,
  'hosts.sourceUnknown': ({ source }) => `已不再向宿主提供“${source}”的工具。`,
  'hosts.badName': ({ most }) => `名称由 1 到 ${most} 个字母、数字和不连续的下划线组成。请换一个名称。`,
  'hosts.nameTaken': ({ name }) => `“${name}”现在或曾经用于另一个工具，宿主可能会混淆。请换一个名称。`,
  'hosts.toolUnknown': ({ name }) => `宿主已无法使用工具“${name}”。`,
  'hosts.unknown': '此宿主已不存在。',
  'hosts.notWritable': ({ program }) => `Toolwire 不会写入 ${program} 的配置。请改为复制这段文本。`,
  'hosts.badConfig': ({ file, language }) =>
    `${file} 不是有效的 ${language}，因此没有改动。请修正文件，或手动复制这段文本。`,
  'hosts.notObject': ({ file, key }) => `${file} 中的“${key}”不是对象，因此没有改动。请修正文件，或手动复制这段文本。`,
  'hosts.notTable': ({ file, key }) => `${file} 中的“${key}”不是表，因此没有改动。请修正文件，或手动复制这段文本。`,
  'hosts.otherTable': ({ file }) =>
    `${file} 中已有内容不同的 [mcp_servers.toolwire] 表，因此没有改动。请复制这段文本，替换该表。`,
  'hosts.inlineTable': ({ file }) =>
    `${file} 将 mcp_servers 写在一行内，因此没有改动。请先将每个服务器改写为 [mcp_servers.NAME] 表。`,
};
