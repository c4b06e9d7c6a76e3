import type { servers } from '../en/servers.ts';
import type { Translation } from '../message.ts';

export const zhServers: Translation<typeof servers> = {
  'servers.unknown': '此服务器已不存在。',
  'servers.notReady': ({ name }) => `服务器“${name}”尚未就绪。请先启动。`,
  'servers.requestRefused': ({ reason, code }) => `服务器拒绝了请求：${reason}（${code}）`,
  'servers.requestFailed': ({ reason }) => `服务器未能完成请求：${reason}`,
  'servers.listUnreadable': ({ reason }) => `服务器未能返回列表：${reason}`,
  'servers.changedMeanwhile': ({ name }) => `“${name}”的配置已更改。请重新查看。`,
  'servers.tooMany': ({ most }) => `已有 ${most} 个服务器。请先移除一个。`,
  'servers.badUrl': ({ url }) => `此传输方式无法使用地址“${url}”。`,
  'servers.signInNeedsClient': '使用客户端凭据登录时，需要填写客户端 ID。',
  'servers.signInNeedsSecret': '使用客户端凭据登录时，需要密钥或私钥。请选择认证方式。',
  'servers.badMetadataUrl': ({ url }) =>
    `“${url}”不是客户端元数据文档的 https 地址。地址需要包含路径，例如 https://example.com/client.json。`,
  'servers.badIssuer': ({ issuer }) => `“${issuer}”不是授权服务器的 URL。示例：https://login.example.com。`,
  'servers.noValue': ({ name, variables }) => `“${name}”缺少 ${variables} 的值。请在启动前填写。`,
  'servers.noVariable': ({ key }) => `服务器的配置没有引用“${key}”。`,
  'servers.badTemplate': ({ template }) => `“${template}”不是有效的 URI 模板（RFC 6570）。`,
  'servers.tooManySubscriptions': ({ most }) => `对此服务器的订阅已有 ${most} 个。请先取消一个。`,
  'servers.badPath': ({ path }) => `“${path}”不是绝对路径。`,
  'servers.badRoot': ({ root }) => `“${root}”既不是绝对路径，也不是 file: URI。`,
  'servers.toolNotOffered': ({ name }) => `服务器没有提供工具“${name}”。请选择服务器提供的工具。`,
  'servers.noReply': '请填写回复，或让模型生成。',
  'servers.noApp': ({ uri }) => `“${uri}”不是 MCP 应用：资源类型应为 text/html;profile=mcp-app。`,
  'servers.appTooLarge': ({ uri }) => `“${uri}”的页面超过 16 MB。`,
  'servers.noAppOfCall': '这次调用的工具已没有应用，或调用已不在历史中。',
  'servers.notForApps': ({ tool }) =>
    `服务器没有可供应用调用的工具“${tool}”。工具的 _meta.ui.visibility 含有 "app" 时，应用才能调用。`,
  'servers.withheldFromApps': ({ tool }) => `“${tool}”的定义已更改。请先在“服务器”中接受更改。`,
  'servers.notWaiting': '服务器已不再等待此回答。',
  'servers.fault.not-an-object': ({ place }) => `工具列表的第 ${place} 项不是对象，无法使用。`,
  'servers.fault.no-name': ({ place }) => `工具列表的第 ${place} 项没有名称，无法使用。`,
  'servers.fault.no-input-schema': ({ name }) => `“${name}”没有 inputSchema，无法使用。`,
  'servers.fault.invalid-header': ({ name }) => `“${name}”的 x-mcp-header 无效，无法使用。`,
  'servers.fault.invalid-output-schema': ({ name }) => `“${name}”的 outputSchema 不是对象，因此不检查其结果。`,
  'servers.fault.duplicate-name': ({ name }) => `有多个工具名为“${name}”，由服务器决定调用哪一个。`,
  'servers.failed.program-not-found': ({ command, searched }) =>
    `找不到程序“${command}”。请安装该程序，或填写完整路径。搜索过的目录：${searched}`,
  'servers.failed.program-not-startable': ({ command, reason }) =>
    `无法启动“${command}”：${reason}请检查命令和工作目录。`,
  'servers.failed.process-exited': ({ how, line, hasStderr }) =>
    `进程已退出（${how}）。${line === '' ? '' : `它向 stdout 写入了“${line}”。`}${hasStderr ? '原因可能在 stderr 的最后几行中：' : '它没有向 stderr 写入内容。请在终端中运行此命令查找原因。'}`,
  'servers.exitCode': ({ code }) => `退出码 ${code}`,
  'servers.exitSignal': ({ signal }) => `信号 ${signal}`,
  'servers.note.process-started': ({ pid }) => `进程 ${pid}`,
  'servers.note.process-ended': ({ how }) => `进程已退出（${how}）`,
  'servers.note.request-failed': ({ reason }) => `连接失败：${reason}`,
  'servers.note.junk-on-stdout': ({ line }) => `stdout 上的内容不是 JSON-RPC：${line}`,
  'servers.note.unknown-id': ({ id }) => `收到 ID 未知的应答（${id}），已忽略`,
  'servers.note.late': ({ id }) => `请求 ${id} 的应答在调用结束后才到达，已忽略`,
  'servers.note.late-progress': ({ id }) => `请求 ${id} 的进度在调用结束后才到达，已忽略`,
  'servers.failed.junk-on-stdout': ({ line }) =>
    `进程向 stdout 写入了非 JSON-RPC 内容：“${line}”。服务器应将日志写入 stderr。`,
  'servers.failed.bad-url': ({ schemes }) =>
    `此传输方式无法使用此 URL。URL 必须以 ${schemes} 之一开头。请编辑服务器，或修改其变量的值。`,
  'servers.failed.dns': ({ host }) => `无法解析主机“${host}”。请检查 URL 和本机网络。`,
  'servers.failed.tls': ({ host, reason }) =>
    `无法与“${host}”建立安全连接：${reason}请检查服务器的证书。如果服务器不使用 TLS，请将 URL 改为以 http 或 ws 开头。`,
  'servers.failed.not-tls': ({ host, port, instead }) =>
    `${host}:${port} 不使用 TLS。请将 URL 改为以 ${instead} 开头。`,
  'servers.failed.refused': ({ host, port }) => `${host}:${port} 没有应答。请启动服务器，或修改 URL。`,
  'servers.failed.blocked-port': ({ port }) => `Node.js 和浏览器禁止使用端口 ${port}。请让服务器使用其他端口。`,
  'servers.failed.unreachable': ({ url, reason }) => `无法访问 ${url}：${reason}请检查 URL 和网络。`,
  'servers.failed.unauthorized': '服务器要求登录。请登录，或将令牌设置为 Authorization 请求头。',
  'servers.failed.header-refused': ({ header, status }) =>
    `服务器拒绝了请求头 ${header}（${status}）。请编辑服务器，填写有效的令牌。`,
  'servers.failed.forbidden': ({ body }) => `服务器拒绝访问（403）${said(body)}。请检查账号或令牌的权限。`,
  'servers.failed.http-status': ({ status, body }) =>
    `服务器返回状态码 ${status}${said(body)}。请确认 URL 是 MCP 端点的地址。`,
  'servers.failed.server-error': ({ status, body }) =>
    `${status === 500 ? '服务器内部错误（500）' : `服务器或其前面的代理出错（${status}）`}${said(body)}。原因可能在服务器自己的日志中。`,
  'servers.failed.content-type': ({ type }) =>
    `服务器返回的是${type === 'text/html' ? '网页（text/html）' : ` ${type}`}，而不是 MCP。请检查 URL 的路径。`,
  'servers.failed.not-mcp': ({ reason }) => `服务器的应答不符合 MCP：${reason}请检查命令或 URL 的路径。`,
  'servers.failed.wrong-revision': ({ supported }) =>
    `服务器与 Toolwire 没有共同支持的 MCP 版本。${supported === '' ? '' : `服务器提供 ${supported}，`}Toolwire 支持 2024-11-05 至 2026-07-28。请更新较旧的一方。`,
  'servers.failed.silent': ({ seconds }) => `服务器在 ${seconds} 秒内没有应答。日志中可能有等待的原因。`,
  'servers.failed.message-too-large': ({ mib, canIncrease }) =>
    `服务器的应答超过 ${mib} MiB。${canIncrease ? '如需接收，请在“设置”中调大“MCP 消息大小上限”，然后重启服务器。' : ''}`,
  'servers.failed.session-lost': '服务器已丢失会话。',
  'servers.failed.closed': ({ code }) => `服务器关闭了连接${code === '' ? '' : `（代码 ${code}）`}。`,
  'servers.failed.connection-lost': '连接已断开。',
  'servers.failed.rpc': ({ reason }) => `服务器拒绝了连接：${reason}`,
  'servers.failed.lists': ({ reason }) => `无法读取服务器的列表：${reason}`,
  'servers.reason.fields': '其字段与 MCP 不符。',
  'servers.reason.no-fields': ({ method, fields }) => `对 ${method} 的应答缺少有效的 ${fields}。`,
  'servers.reason.empty': '内容为空或不完整。',
  'servers.reason.no-json': '内容不是 JSON。',
  'servers.reason.no-content-type': '缺少 Content-Type。',
  'servers.reason.no-event-stream': '内容不是事件流（text/event-stream）。',
  'servers.reason.other-origin': ({ origin }) => `给出的端点位于另一个源 ${origin}。`,
  'servers.reason.self-signed': '服务器使用自签名证书。',
  'servers.reason.unknown-issuer': '本机不信任证书的颁发者。',
  'servers.reason.expired': '证书已过期。',
  'servers.reason.other-host': ({ host }) => `证书不适用于 ${host}。`,
  // Words of others are quoted, unless they are translated.
  'servers.reason.other': ({ reason }) => (/\p{Script=Han}/u.test(reason) ? `${reason}。` : `“${reason}”。`),
  'conformance.running': '一致性测试套件正在此服务器上运行。请等待其结束，或将其取消。',
  'conformance.failed': ({ reason }) => `一致性测试套件无法运行：${reason}`,
  'conformance.unknownScenario': ({ scenario, revision }) => `一致性测试套件在 ${revision} 中没有场景“${scenario}”。`,
};

function said(body: string): string {
  return body === '' ? '' : `：“${body}”`;
}
