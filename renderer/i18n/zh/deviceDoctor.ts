import { sameIdAdvice } from './cluster.ts';

import type { deviceDoctor as english } from '../en/deviceDoctor.ts';

const reconnect = '如果设备没有自动重连，请按下按键、说出唤醒词，或在 py-xiaozhi 中开始对话。';

export const deviceDoctor: typeof english = {
  title: '连接步骤',
  took: '耗时 {time}',
  pages: '{n} 页',
  comma: '，',
  version: '版本 {version}',
  frameFault: {
    foreign: '有消息不是以 JSON 对象开头。',
    cut: '有消息被截断，不完整。',
    'not-utf8': '有消息不是有效的 UTF-8。',
    malformed: '有消息不是带 type 的 JSON 对象。',
    binary: '有 JSON 放在了二进制帧中。',
    audio: '有音频帧无法解析。',
  },
  usually: '其他原因',
  showCall: '查看调用 {call}',
  next: '下一步',
  untilCall: '下一次调用成功后，此提示消失。',
  incomplete: '{tools}，不完整',
  likely: '最可能的原因：{cause}',
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
    ota: 'OTA 被拒绝',
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
    failed: '停在此步',
    open: '尚未开始',
  },
  powerCut: { why: '电源已切断。', next: '接通设备的电源。' },
  cause: {
    'never-connected': {
      what: '设备请求了地址，但没有连接。',
      why: '开发板只有在按下按键或说出唤醒词后才会连接。\n防火墙允许 OTA 请求，但阻止了 WebSocket。',
      next: '按下按键或说出唤醒词。',
    },
    'ota-refused': {
      what: 'OTA 请求被拒绝：请求体不是 JSON 对象（HTTP 400），或超过 16 kB（HTTP 413）。',
      why: '系统信息的 JSON 被截断或格式错误。\n请求体是表单，或经过压缩。',
      next: '请以不超过 16 kB 的 JSON 对象发送系统信息，或不发送请求体。',
    },
    'no-hello': {
      what: '已连接，但没有收到 hello。',
      why: '客户端使用其他协议，或在等待服务器先发送。\n固件在连接之后、发送 hello 之前停止了。',
      next: '在“收发记录”中查看是否收到任何帧，并确认地址以 /xiaozhi/v1/ 结尾。',
    },
    'not-hello': {
      what: '第一条消息不是 hello。',
      why: '设备直接使用 MCP，没有小智协议的封装。\n固件的某个分支版本先发送了其他消息。',
      next: '查看下方的第一帧。设备应以 type 为 hello 的文本帧开始。',
    },
    'no-token': {
      what: '没有发送访问令牌。',
      why: '设备从未请求过这里的 OTA 地址，而令牌由该地址签发。\npy-xiaozhi 的配置中没有 WEBSOCKET_ACCESS_TOKEN，因此发送了“Bearer None”。',
      next: '让设备请求 OTA 地址，或为其设置“连接设备”中的访问令牌。',
    },
    'wrong-token': {
      what: '访问令牌在这里无效。',
      why: '设备仍在使用其他服务器的令牌。\nToolwire 的数据目录与签发令牌时不同。',
      next: '重启设备，使其重新请求 OTA，或为其设置“连接设备”中的令牌。',
    },
    'waits-for-approval': {
      what: '设备正在等待你批准。',
      why: '设备首次从其他机器连接时需要批准。',
      next: '如果是你的设备，请批准。批准后，模型和客户端可以调用其工具，设备再次连接时不再询问。如果设备已停止等待，请再按一次按键。',
    },
    'approved-away': {
      what: '已批准，但设备尚未重新连接。',
      why: '开发板停止等待后，只有在按下按键或说出唤醒词后才会重新连接。',
      next: '按下按键或说出唤醒词。',
    },
    refused: {
      what: '设备被拒绝。',
      why: '有人在 Toolwire 中选择了“拒绝”。',
      next: '批准设备，然后再按一次按键。',
    },
    'too-many-devices': {
      what: '连接的设备过多。',
      why: '反复重启的设备不断打开连接。\n有脚本打开连接后没有关闭。',
      next: '断开一些设备，然后重新连接这一台。',
    },
    'same-id': sameIdAdvice,
    'mac-shared': {
      what: 'Device-Id 相同的两个客户端轮流顶替对方的连接。',
      why: '两块开发板的 MAC 地址相同。',
      next: '请更改其中一块开发板的 MAC 地址。设备下次连接时如无相同 Device-Id 的其他连接，此提示消失。',
    },
    reconnects: {
      what: '设备反复连接。',
      why: '设备反复重启（固件崩溃、看门狗或供电不足）。\nWi-Fi 断开。\n两块开发板的 MAC 地址相同。',
      next: '查看串口日志。两分钟内的连接次数少于十次后，此提示消失。',
    },
    'too-much-data': {
      what: '批准之前发送的数据超过 16 kB。',
      why: '设备在收到 hello 的应答之前，就发送了音频或其他消息。\n连接此地址的程序不是设备。',
      next: '让设备只发送 hello 并等待应答，然后重新连接。',
    },
    'no-mcp': {
      what: '设备的 hello 没有声明 MCP，因此没有工具。',
      why: '1.7 之前的固件使用 iot 消息。\n此固件关闭了 MCP。',
      next: '升级固件。设备的其他帧见“收发记录”。',
    },
    'initialize-silent': {
      what: 'initialize 没有应答。',
      why: '设备正忙（固件在长时间的调用期间不应答任何请求）。\n固件的某个分支版本忽略 mcp 帧。',
      next: '刷新工具。如果仍没有应答，请查看下方是否有设备发来的 mcp 帧。',
    },
    'initialize-error': {
      what: 'initialize 返回了错误。',
      why: '设备需要其他协议版本或能力。',
      next: '在“收发记录”中查看错误。工具可能仍然可用：请刷新工具。',
    },
    'list-silent': {
      what: 'tools/list 没有应答。',
      why: '应答超过 65,535 字节，因此固件没有发送任何内容。\n有一个耗时的调用正在运行（固件一次只应答一个请求）。\n设备刚启动就被唤醒。',
      next: '稍等片刻，然后刷新工具。',
    },
    'list-error': {
      what: 'tools/list 返回了错误。',
      why: '单个工具超过一页的上限 8,000 字节。\n设备无法识别下一页的游标。',
      next: '缩短错误所指工具的描述。列在该工具之前的工具可以使用。',
    },
    'list-incomplete': {
      what: '工具列表不完整。',
      why: '某一页指回了之前的页（工具超过一页时，py-xiaozhi 会这样）。\n某一页是空的。',
      next: '已收到的工具可以使用。如果有工具超过一页，请缩短其描述，然后刷新工具。',
    },
    'tools-invalid': {
      what: '部分工具无效。',
      why: '两个工具同名。\n有工具没有名称，或 Schema 无效。',
      next: '请在固件中更正这些工具，然后刷新工具。其他工具可以使用。',
    },
    'no-tools': {
      what: '设备没有工具。',
      why: '设备刚启动就被唤醒，工具尚未注册。\n此固件没有注册任何工具。',
      next: '稍后刷新工具。',
    },
    'left-before-ready': {
      what: '在列出工具之前断开。',
      why: '设备重启，或 Wi-Fi 断开。\n再次按下了按键，对话因此结束。',
      next: '重新连接设备，并查看下方最后几帧。',
    },
    left: {
      what: '已断开。',
      why: '对话已结束（固件断开时不发送关闭帧，代码 1006）。\n设备重启，或 Wi-Fi 断开。',
      next: reconnect,
    },
    'closed-here': {
      what: 'Toolwire 关闭了连接。',
      why: '你断开了设备，或更改了设备端口的地址。\nToolwire 被关闭或重启。\n设备停止读取发给它的数据。',
      next: reconnect,
    },
    'toolwire-ended': {
      what: 'Toolwire 退出时，设备仍处于连接状态。',
      why: 'Toolwire 崩溃或被强制结束，或者电脑已关机。',
      next: reconnect,
    },
    'left-during-call': {
      what: '在调用期间断开。',
      why: '工具导致固件崩溃，或看门狗重启了设备。\n开发板内存或供电不足。\nWi-Fi 断开。',
      next: `查看断开时的串口日志。${reconnect}`,
    },
    'left-as-asked': {
      what: '按调用的要求断开。',
      why: '重启、升级或更换网络时，设备会在发送应答之前断开。',
      next: '等待设备启动完成，然后按下按键或说出唤醒词。',
    },
    'broken-frames': {
      what: '有帧无法解析。',
      why: '固件发送了协议之外的消息。\n有消息超过 Toolwire 的读取上限。',
      next: '在“收发记录”中按类型“invalid”筛选，可查看收到的原始帧。',
    },
    'call-timeout': {
      what: '一次调用超时。',
      why: '工具耗时超过超时时间，或一直没有返回。\n设备正忙，例如正在说话或拍照。\n应答超过 65,535 字节，固件没有发送任何内容。\nWi-Fi 断开。',
      next: '查看串口日志，或延长调用的超时时间。',
    },
    'call-unmatched': {
      what: '一次调用超时；期间收到的帧不对应任何请求。',
      why: '不对应任何请求的帧很可能就是应答（其 ID 应与请求的 ID 相同）。\n工具耗时超过超时时间，或一直没有返回。',
      next: '在“收发记录”中比较该帧与请求的 ID。',
    },
    'answered-late': {
      what: '一次调用在超时之后才收到应答。',
      why: '工具耗时超过超时时间。',
      next: '延长调用的超时时间。',
    },
    'back-after-crash': {
      what: '在调用期间断开后重新连接。',
      why: '工具导致固件崩溃，或看门狗重启了设备。\n开发板内存或供电不足。\nWi-Fi 断开。',
      next: '查看断开时的串口日志。',
    },
    idle: {
      what: '一段时间没有数据。',
      why: '设备在对话之间不发送任何内容。\n120 秒没有数据之后，固件会在下次按下按键时打开新的连接。',
      next: '无需操作。调用仍能送达。',
    },
  },
};
