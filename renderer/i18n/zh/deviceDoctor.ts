import type { deviceDoctor as english } from '../en/deviceDoctor.ts';

const reconnect = '如果设备没有自动重连，请按下按键、说出唤醒词，或在 py-xiaozhi 里开始对话。';

export const deviceDoctor: typeof english = {
  title: '连接走到了哪一步',
  took: '用时 {time}',
  pages: '{n} 页',
  comma: '，',
  version: '版本 {version}',
  frameFault: {
    cut: '有消息在结尾之前就被截断。',
    'not-utf8': '有消息不是有效的 UTF-8。',
    malformed: '有消息不是带 type 的 JSON 对象。',
    audio: '它有一些音频帧无法解析。',
  },
  usually: '常见原因',
  next: '接下来',
  incomplete: '{tools}，不完整',
  likely: '最常见的原因：{cause}',
  causes: '原因',
  step: {
    ota: 'OTA',
    tcp: '连接',
    hello: '握手',
    approval: '批准',
    initialize: '初始化',
    tools: '工具',
    call: '调用 {call}',
  },
  passed: {
    ota: 'OTA',
    tcp: '已连接',
    hello: '已握手',
    approval: '已批准',
    initialize: '已初始化',
    tools: '工具',
  },
  failed: {
    ota: 'OTA',
    tcp: '被拒绝',
    hello: '没有 hello',
    approval: '未批准',
    initialize: '未初始化',
    tools: '工具未列出',
  },
  state: {
    done: '完成',
    skipped: '无需',
    current: '等待中',
    failed: '停在这里',
    open: '未到',
  },
  cause: {
    'never-connected': {
      what: '它来问过地址，之后没有连接。',
      why: '开发板要按下按钮或说出唤醒词才会连接。\n防火墙放行了 OTA 请求，却拦住了 WebSocket。',
      next: '按下它的按钮，或说出唤醒词。',
    },
    'no-hello': {
      what: '已经连上，但没有发来 hello。',
      why: '连上来的程序用的是别的协议，或者在等服务器先开口。\n固件在连接之后、hello 之前停住了。',
      next: '看下方线路里有没有收到任何内容，并确认地址以 /xiaozhi/v1/ 结尾。',
    },
    'not-hello': {
      what: '它的第一条消息不是 hello。',
      why: '它直接发 MCP，没有套上小智的外层。\n某个分支版本先发了别的消息。',
      next: '看下方的第一帧。设备应以 type 为 hello 的文本帧开始。',
    },
    'no-token': {
      what: '它没有带访问令牌。',
      why: '它没有访问过这里的 OTA 地址，令牌由那里发放。\npy-xiaozhi 的配置里没有 WEBSOCKET_ACCESS_TOKEN，于是发送了 Bearer None。',
      next: '让它指向 OTA 地址，或者把“连接设备”里的访问令牌给它。',
    },
    'wrong-token': {
      what: '它的访问令牌不是这里发的。',
      why: '它还存着另一台服务器的令牌。\nToolwire 换了数据目录，之前发的令牌不再有效。',
      next: '重启设备，让它重新访问 OTA；或者把“连接设备”里的令牌给它。',
    },
    'waits-for-approval': {
      what: '它来自局域网，正在等你批准。',
      why: '设备第一次从别的机器接入时，要由人批准。',
      next: '如果是你的设备就批准：之后模型和客户端都能调用它的工具，它也会自动接入。它若等不及断开了，再按一次按钮。',
    },
    refused: {
      what: '它被拒绝了。',
      why: '有人在这里对它选择了“拒绝”。',
      next: '改为批准，然后再按一次它的按钮。',
    },
    'too-many-devices': {
      what: '连接的设备已经到了上限。',
      why: '反复重启的设备会接连打开连接。\n某个脚本只开连接不关。',
      next: '断开几台，再重新连接这一台。',
    },
    'too-much-data': {
      what: '批准之前，它发送的数据超过了 16 kB。',
      why: '它不等 hello 的应答，就发送音频或其他消息。\n使用这个地址的程序不是设备。',
      next: '让它只发送 hello 并等待应答，然后重新连接。',
    },
    'no-mcp': {
      what: '它的 hello 没有声明 MCP，因此没有工具可列。',
      why: '1.7 以前的固件使用 iot。\n这个固件关闭了 MCP。',
      next: '升级固件。它的其他帧仍会出现在下方线路里。',
    },
    'initialize-silent': {
      what: '它没有应答 initialize。',
      why: '它正忙：长时间的调用进行时，固件什么都不会应答。\n某个分支版本收下 mcp 帧却不处理。',
      next: '重新获取工具。如果仍然沉默，看下方是否出现过它发来的 mcp 帧。',
    },
    'initialize-error': {
      what: '它对 initialize 应答了错误。',
      why: '它期待别的协议版本或能力声明。',
      next: '在下方线路里看它的原话。工具也许照样可用：重新获取一次。',
    },
    'list-silent': {
      what: '它没有应答 tools/list。',
      why: '应答超过 65,535 字节时，固件什么都不会发出。\n前面排着一个慢调用：固件按顺序应答。\n它刚启动就被唤醒。',
      next: '稍等片刻，再重新获取工具。',
    },
    'list-error': {
      what: '它对 tools/list 应答了错误。',
      why: '单个工具就超过了一页的 8,000 字节。\n它不认识下一页的游标。',
      next: '缩短错误里提到的那个工具的描述。在它之前列出的工具可以使用。',
    },
    'list-incomplete': {
      what: '工具列表只到一半。',
      why: '某一页又指回了已经读过的页：工具超过一页时，py-xiaozhi 会这样。\n某一页是空的。',
      next: '已经拿到的可以使用。缩短最后一个游标所指的工具，再重新获取。',
    },
    'no-tools': {
      what: '它没有工具。',
      why: '它刚启动就被唤醒，工具还没有注册。\n这个固件没有注册任何工具。',
      next: '过一会儿重新获取工具。',
    },
    'left-before-ready': {
      what: '工具还没列完，它就离开了。',
      why: '它重启了，或者断了 Wi-Fi。\n又按了一次按钮，对话因此结束。',
      next: '让它重新连接，并看下方最后几帧。',
    },
    left: {
      what: '设备已断开连接。',
      why: '对话结束：固件不发关闭帧就断开，代码是 1006。\n它重启了，或者断了 Wi-Fi。',
      next: reconnect,
    },
    'closed-here': {
      what: 'Toolwire 关闭了连接。',
      why: '设备在 Toolwire 中被手动断开，或更改了设备连接地址。\nToolwire 被关闭、重启或强制结束。\n设备没有读取发给它的数据。',
      next: reconnect,
    },
    'left-during-call': {
      what: '它在调用期间断开了。',
      why: '工具导致固件崩溃，或看门狗重启了设备。\n开发板内存或供电不足。\n它断了 Wi-Fi。',
      next: `查看断开时的串口日志。${reconnect}`,
    },
    'left-as-asked': {
      what: '它按调用的要求断开了。',
      why: '重启、升级或更换网络时，设备会在发送应答之前断开。',
      next: '等它启动完成，再按下它的按钮或说出唤醒词。',
    },
    'broken-frames': {
      what: '它有一些帧无法解析。',
      why: '固件发送了协议之外的消息。\n消息大于 Toolwire 读取的上限。',
      next: '在线路里按类型 invalid 筛选：这些帧原样保留着。',
    },
    idle: {
      what: '它有一阵子没有动静了。',
      why: '对话之间，设备没有话要说。\n120 秒没有数据之后，固件会在下次按按钮时另开连接。',
      next: '不需要做什么，调用仍能送达。',
    },
  },
};
