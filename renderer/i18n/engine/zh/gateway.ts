import type { EngineTexts } from '../createWording.ts';

/** The LLM gateway: what it is asked to do, its settings, its test client. */
export const gatewayTexts: EngineTexts = {
  'No client "{0}" is connected.': '没有名为“{0}”的已连接客户端。',
  'There is no session "{0}".': '没有会话“{0}”。',
  'This connection is closing.': '此连接正在关闭。',
  'This client has no tool "{0}".': '此客户端没有工具“{0}”。',
  '{0} calls wait for this client already. Try again when some are done.':
    '已有 {0} 个调用在等待此客户端。请待其中一些完成后重试。',
  'A call with the id "{0}" waits for this client already.': 'ID 为“{0}”的调用已在等待此客户端。',
  'The client reported a failure without a reason.': '客户端报告失败，但没有说明原因。',
  'The client disconnected before it answered the call.': '客户端在应答调用之前断开。',
  'Another call of the same turn failed.': '同一回合中的另一个调用失败了。',
  '{0} must be {1}.': '{0} 必须是{1~}。',
  'This must be {0}.': '必须是{0~}。',
  'a whole number from {0} to {1}': '{0} 到 {1} 的整数',
  'a number from {0} to {1}': '{0} 到 {1} 的数字',
  'true or false': 'true 或 false',
  '{0}, at most {1} characters': '{0~}，最多 {1} 个字符',
  'an address of this machine': '本机的地址',
  'an http or https address': 'http 或 https 地址',
  'the name of a model': '模型的名称',
  'one line of visible characters': '一行可见字符',
  'a name of visible characters': '由可见字符组成的名称',
  'a date as 2024-11-05': '形如 2024-11-05 的日期',
  'a list of origins separated by commas, such as http://localhost:8080 (null allows pages from files, * allows all)':
    '用逗号分隔的来源，例如 http://localhost:8080（null 表示从文件打开的网页，* 表示全部）',
  'The gateway has no setting "{0}".': '网关没有设置“{0}”。',
  'Address, name and key are those of the model: choose one with modelId.':
    '地址、名称和密钥属于模型：请用 modelId 选择模型。',
  'The test client is not connected any more.': '测试客户端已断开。',
  'The test client is not connected. Connect it first.': '测试客户端未连接。请先连接。',
  'The gateway is off. Switch it on first.': '网关已关闭。请先开启。',
  'Port {0} on {1} is used by another program. Stop it, or choose another port (0 selects a free one). To find the program, run: {2}':
    '{1} 上的端口 {0} 已被其他程序占用。请结束该程序，或选择其他端口（0 表示自动选择空闲端口）。要查找该程序，请运行：{2}',
  'Port {0} on {1} is used by Toolwire itself. Choose another port (0 selects a free one).':
    '{1} 上的端口 {0} 已被 Toolwire 使用。请选择其他端口（0 表示自动选择空闲端口）。',
  'This user may not listen on port {0}. Choose a port from 1024 to 65535 (0 selects a free one).':
    '当前用户不能监听端口 {0}。请选择 1024 到 65535 的端口（0 表示自动选择空闲端口）。',
  'This machine has no address {0}. Choose 127.0.0.1 for this machine alone, or one of its own addresses.':
    '本机没有地址 {0}。如果只供本机使用，请选择 127.0.0.1，否则请选择本机的其他地址。',
  'Could not listen on {0}:{1}: {2}': '无法在 {0}:{1} 上监听：{2~}',
};
