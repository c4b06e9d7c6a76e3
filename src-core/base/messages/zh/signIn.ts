import type { signIn } from '../en/signIn.ts';
import type { Translation } from '../message.ts';

export const zhSignIn: Translation<typeof signIn> = {
  'signIn.bad-authorization-url': '登录页面必须使用 https 地址，因此没有打开。请授权服务器的运营方修正其元数据。',
  'signIn.insecure-url': ({ origin }) =>
    `登录需要 https，但服务器指向了 ${origin}。没有发送任何内容。请服务器的运营方改用 https。`,
  'signIn.private-address': ({ host }) =>
    `公网服务器指向了内网地址 ${host}。没有发送任何内容。在运营方说明原因之前，请不要使用此服务器。`,
  'signIn.redirected': ({ origin }) => `请求被重定向到 ${origin}，没有跟随。请确认服务器的 URL 是最终地址。`,
  'signIn.unreachable': ({ host }) => `${host} 没有应答。请检查网络后重新登录。`,
  'signIn.http-status': ({ host, status }) => `${host} 返回状态码 ${status}。请稍后重新登录，或联系其运营方。`,
  'signIn.wrong-state': '收到的应答不属于本次登录（state 不一致），已忽略。Toolwire 继续等待浏览器返回。',
  'signIn.wrong-issuer':
    '应答来自另一个授权服务器（iss 不一致），已拒绝。请重新登录；如果再次出现，请不要使用此服务器。',
  'signIn.refused': ({ error }) =>
    `授权服务器拒绝了登录${error === '' ? '' : `（${error}）`}。请重新登录，并检查账号、权限范围和客户端 ID。`,
  'signIn.no-code': '授权服务器的应答中没有授权码。请重新登录，或联系其运营方。',
  'signIn.timeout': ({ minutes }) => `浏览器在 ${minutes} 分钟内没有返回。请重新登录，并在本机的浏览器中完成登录。`,
  'signIn.cancelled': '登录已取消。要使用此服务器，请重新登录。',
  'signIn.port-in-use': ({ port }) =>
    `浏览器返回所用的端口 ${port} 已被其他程序占用。请结束该程序，或更改服务器的回调端口。`,
  'signIn.cannot-listen': ({ port, cause }) =>
    `Toolwire 无法监听浏览器返回所用的端口 ${port}：${cause}。请更改该服务器的回调端口。`,
  'signIn.issuer-not-offered': ({ issuer, offered }) =>
    `服务器没有将 ${issuer} 列为授权服务器，列出的是 ${offered}。请在服务器的登录设置中更改授权服务器。`,
  'signIn.issuer-changed': ({ issuer, bound }) =>
    `服务器现在指定的授权服务器是 ${issuer}，而客户端是在 ${bound} 注册的，因此没有发送其凭据。如果这一更改无误，请填写在 ${issuer} 注册的客户端 ID。`,
  'signIn.no-oauth': '服务器需要凭据（401），但未提供登录方式。请填写或更正请求头 Authorization。',
  'signIn.no-registration': ({ issuer }) =>
    `${issuer} 不支持自动注册客户端。请在那里注册一个客户端，并在服务器的登录设置中填写其 ID。`,
  'signIn.registration-refused': ({ issuer, reason }) =>
    `${issuer} 拒绝将 Toolwire 注册为客户端（${reason}）。请在那里注册一个客户端，并在服务器的登录设置中填写其 ID。`,
  'signIn.invalid-client': ({ issuer }) => `${issuer} 不接受此客户端。请检查客户端 ID、密钥和认证方式。`,
  'signIn.invalid-scope': ({ issuer }) => `${issuer} 无法识别所请求的权限范围。请检查登录设置中的额外权限范围。`,
  'signIn.token-refused': ({ issuer, error }) =>
    `${issuer} 没有签发令牌（${error}）。请重新登录；如果再次出现，请检查登录设置中的客户端。`,
  'signIn.resource-mismatch': '服务器的元数据描述的是另一个资源，与其 URL 不符。请检查服务器的 URL 及其路径。',
  'signIn.issuer-mismatch': '授权服务器元数据中的 issuer 与服务器指定的不一致，已拒绝。请其运营方修正。',
  'signIn.no-pkce': '授权服务器不支持 S256 方式的 PKCE，无法安全登录。请其运营方启用。',
  'signIn.scope-refused': ({ scope }) =>
    `令牌已包含所需权限，但服务器仍要求更多权限${scope === '' ? '' : `（${scope}）`}。请检查账号的权限。`,
  'signIn.other-scopes': ({ scope }) =>
    `此调用需要更多权限（${scope}），但另一个权限请求尚未处理。请先处理该请求，再重新调用。`,
  'signIn.bad-key': '私钥不能用于此算法。请填写与算法相符的 PEM（PKCS #8）私钥。',
  'signIn.bad-answer': ({ issuer }) => `${issuer} 的应答不符合 OAuth。请联系其运营方。`,
};
