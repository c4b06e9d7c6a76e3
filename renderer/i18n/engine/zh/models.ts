import type { EngineTexts } from '../createWording.ts';

/** Chat models: their servers, keys, scripts and tests. */
export const modelTexts: EngineTexts = {
  'The server answered {0}.': '服务器返回了 {0}。',
  'The server answered {0}: {1}.': '服务器返回了 {0}：{1}。',
  'The server answered {0} and points to {1}. Set that as the address if you trust it.':
    '服务器返回了 {0}，并指向 {1}。如果信任此地址，请将其设为模型地址。',
  'The reply makes more than {0} tool calls. None of them was run.': '此回复包含超过 {0} 个工具调用，一个都没有运行。',
  'The tool calls of the reply have more than {0} characters. None of them was run.':
    '此回复的工具调用超过 {0} 个字符，一个都没有运行。',
  'The server’s answer is over 16 MB.': '服务器的应答超过 16 MB。',
  'chat completion': 'chat completion 格式',
  'list of models': '模型列表',
  'The connection was cut during the answer ({0}). Try again.': '应答途中连接断开：{0~}。请重试。',
  'The model’s server sent nothing for too long ({0}). Try again.': '模型服务器长时间没有发送任何内容：{0~}。请重试。',
  'It says to try again after {0}{1}.': '服务器要求在 {0}{1} 之后重试。',
  'Set the key of the API in LLM_API_KEY.': '请在 LLM_API_KEY 中设置 API 密钥。',
  'Check the key in LLM_API_KEY.': '请检查 LLM_API_KEY 中的密钥。',
  'Check the key in Settings → Models.': '请在“设置 → 模型”中检查密钥。',
  'Check the address and the name of the model.': '请检查地址和模型名称。',
  'The model’s server cannot be reached at {0}: {1}. {2}': '无法连接 {0} 的模型服务器：{1~}。{2~}',
  'Check that it is running and that the address is correct.': '请检查服务器是否正在运行，以及地址是否正确。',
  'Node.js and browsers block port {0}. Choose another port.': 'Node.js 和浏览器禁止使用端口 {0}。请换一个端口。',
  'If it runs, macOS may have refused the connection: allow Toolwire in System Settings → Privacy & Security → Local Network.':
    '如果服务器正在运行，可能是 macOS 拒绝了连接：请在“系统设置 → 隐私与安全性 → 本地网络”中允许 Toolwire。',
  'The answer of the server is not a {0} ({1}). It sent: {2}': '服务器的应答不是{0~}（{1~}）。收到的内容：{2~}',
  'The answer of the server is not a {0} ({1}). It answers in one piece: switch streaming off for this model. It sent: {2}':
    '服务器的应答不是{0~}（{1~}）。服务器不支持流式回复，请为此模型关闭“流式回复”。收到的内容：{2}',
  'It answers in one piece: switch streaming off for this model.': '服务器不支持流式回复，请为此模型关闭“流式回复”。',
  'No list was received.': '没有收到列表。',
  '"{0}" is not the address of a model server. Enter the full address, starting with http:// or https://: {1}':
    '“{0}”不是模型服务器的地址。请填写以 http:// 或 https:// 开头的完整地址：{1}',
  'The address contains a user name and a password. Remove them; the key has its own field.':
    '地址中含有用户名和密码。请删除；密钥请填在单独的输入框中。',
  'The address has "{0}" in it. Remove it; the key has its own field.':
    '地址中含有“{0}”。请删除；密钥请填在单独的输入框中。',
  'A key is one line of at most 4,096 letters, digits and signs, without spaces. Paste it again.':
    '密钥应为一行，最多 4,096 个字母、数字和符号，不含空格。请重新粘贴。',
  'The server’s answer ended before it was complete. Try again.': '服务器的应答不完整。请重试。',
  'The server broke off its answer: {0}': '服务器中断了应答：{0~}',
  'The answer is too large.': '应答过大。',
  'The server does not list “{0}”.': '服务器没有列出“{0}”。',
  'No turn of the script fits: all {0} have conditions, and none holds for the last message ({1}: {2}). Add a turn without "when", or one that fits.':
    '脚本中没有匹配的回合：{0} 个回合都有条件，且最后一条消息（{1}：{2}）都不满足。请添加没有 when 的回合，或匹配的回合。',
  'The script is at its end: reply {0} of this conversation has no turn. Add turns[{1}], or set "atEnd" to "repeat".':
    '脚本已到末尾：此对话的第 {0} 次回复没有对应的回合。请添加 turns[{1}]，或把 atEnd 设为 repeat。',
  'A script must be an object with an array "turns".': '脚本必须是带有 turns 数组的对象。',
  'The script is not valid. {0}': '脚本无效。{0~}',
  'A pattern of the script ("matches") took too long. Make it simpler.':
    '脚本中的一个模式（matches）匹配耗时过长。请简化。',
  'The step was cancelled.': '此步骤已取消。',
  'The model {0} for {1}. Allow it more time, or try again.': '模型{0~}，已有 {1}。请延长超时时间，或重试。',
  'began its answer and then sent nothing': '开始应答之后没有再发送内容',
  'This model no longer exists. Choose another one in Settings → Models.':
    '此模型已不存在。请在“设置 → 模型”中另选一个。',
  'This model was moved to another server meanwhile. Ask again.': '在此期间，此模型已换到另一个服务器。请重新操作。',
  'The scripted model has no server.': '脚本模型没有服务器。',
  'There are {0} models already. Remove one first.': '已有 {0} 个模型。请先移除一个。',
  'A model cannot change its kind. Add a new one.': '无法更改模型的类型。请添加新模型。',
  'The scripted model needs no key.': '脚本模型不需要密钥。',
  'Its script was changed meanwhile. Reset that one first.': '脚本在此期间已更改。请先重置脚本。',
  'There is another key by now. Remove that one first.': '现在已有另一个密钥。请先移除该密钥。',
  'The key is no longer stored. Enter it again.': '密钥已不再保存。请重新输入。',
  'Name the model as its server does.': '请填写服务器使用的模型名称。',
};
