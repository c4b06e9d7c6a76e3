import type { configFiles } from '../en/configFiles.ts';
import type { Translation } from '../message.ts';

export const zhConfigFiles: Translation<typeof configFiles> = {
  'configFiles.empty': '内容为空。请粘贴配置、链接、命令行或 URL。',
  'configFiles.tooLong': ({ most }) => `内容超过 ${most} 个字符。请分次导入。`,
  'configFiles.tooDeep': 'JSON 嵌套过深。',
  'configFiles.atLine': ({ line, problem }) => `第 ${line} 行：${problem}`,
  'configFiles.nameExpected': '此处应为双引号括起的名称。',
  'configFiles.colonExpected': '名称后应为冒号。',
  'configFiles.commaExpected': '此处应为逗号。',
  'configFiles.valueExpected': '此处缺少值。',
  'configFiles.notClosed': ({ bracket }) => `缺少 ${bracket}。`,
  'configFiles.somethingFollows': 'JSON 结束后还有内容，请删除。',
  'configFiles.badEscape': '字符串中有无效的转义或控制字符。反斜杠请写作 \\\\。',
  'configFiles.nameTwice': ({ name }) => `“${name}”出现了两次。请删除或重命名其中一个。`,
  'configFiles.badToml': ({ cause }) => `TOML 无效：${cause}。`,
  'configFiles.noServers':
    '没有找到 MCP 服务器。文件应在 mcpServers、servers 或 [mcp_servers.名称] 下列出；单个服务器需要 "command" 或 "url"。',
  'configFiles.tooManyServers': ({ most }) => `文件中的服务器超过 ${most} 个。请分次导入。`,
  'configFiles.tooManyArguments': ({ most }) => `参数超过 ${most.toLocaleString('en')} 个。请删减，或改用脚本。`,
  'configFiles.noName': '有一个服务器名称为空。请为其命名。',
  'configFiles.notEntry': ({ name }) => `“${name}”不是含有 "command" 或 "url" 的对象。`,
  'configFiles.badEntry': ({ name, fault }) => `未能读取“${name}”。${fault}`,
  'configFiles.unknownType': ({ type }) => `未知类型“${type}”。请使用 stdio、http、sse 或 ws。`,
  'configFiles.neitherCommandNorUrl': '既没有 "command" 也没有 "url"。请添加其中一个。',
  'configFiles.missing': ({ field }) => `缺少 "${field}"。`,
  'configFiles.wrongType': ({ field, type }) => `"${field}" 必须是${type}。`,
  'configFiles.type.string': '字符串',
  'configFiles.type.boolean': '布尔值',
  'configFiles.type.array': '数组',
  'configFiles.type.strings': '字符串数组',
  'configFiles.type.object': '对象',
  'configFiles.badUrl': ({ field }) => `"${field}" 必须以 http://、https://、ws:// 或 wss:// 开头。`,
  'configFiles.notFollowed': ({ name, field }) =>
    `Toolwire 会保留“${name}”的 "${field}"，但不使用。请将其设置的内容添加为环境变量或请求头。`,
  'configFiles.unencrypted': ({ name }) =>
    `与“${name}”的连接未加密：网络中的其他人可以读取请求头和调用内容。如果服务器支持，请改用 https:// 或 wss://。`,
  'configFiles.packageWithPort': ({ type }) => `这个包需要先启动，再通过 ${type} 连接。请自行启动，然后添加其 URL。`,
  'configFiles.unknownPackage': ({ type }) => `无法启动“${type}”类型的包。请先安装，再添加其命令。`,
  'configFiles.badLink': '链接中没有可读取的配置。请改为复制服务器的 JSON。',
  'configFiles.severalLines': '命令行只能有一行。要续行，请在行尾加反斜杠。',
  'configFiles.shellLine': ({ character }) =>
    `程序不经过 shell 启动，因此 ${character} 不起作用。请用引号括起，或改用脚本。`,
  'configFiles.urlWithArguments': 'URL 之后还有内容。请删除，或用 JSON 添加请求头。',
  'configFiles.fieldLost': ({ name, field, format }) =>
    `${format} 格式无法表示“${name}”的 "${field}"。请在宿主程序中设置。`,
  'configFiles.noPackage': ({ name }) => `没有写入“${name}”：server.json 只能描述 npx、uvx 包以及 HTTP 或 SSE 服务器。`,
  'configFiles.onlyPrograms': ({ name }) =>
    `Claude Desktop 只会启动配置文件中的程序。请在其设置的“连接器”中添加“${name}”。`,
  'configFiles.renamed': ({ name, other }) => `另有一个服务器也叫“${name}”，此服务器以“${other}”的名称写入。`,
  'configFiles.inputTwice': ({ id }) => `两个服务器对输入“${id}”的定义不同。将使用第一个定义。`,
};
