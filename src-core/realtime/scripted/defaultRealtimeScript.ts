import type { RealtimeScript, RealtimeScriptTurn } from '../realtimeProfile.ts';

/** Tools of a clock or of a board: whichever is offered is called. */
const calls: RealtimeScriptTurn['calls'] = [
  { name: 'get_time' },
  { name: 'get_current_time' },
  { name: 'get_device_status' },
];

/** What the scripted server says unless told: greets, then calls a clock or a board's status and says what came back. */
export const defaultRealtimeScript: RealtimeScript = {
  turns: [
    {
      say:
        'Hello, I am the scripted realtime server. I need no network and hear only that you speak, not what. ' +
        'Say anything, and I call a tool.',
    },
    { say: 'One moment, I look.', calls, then: 'The tool answered: {{output}}' },
  ],
};

/** The same in Chinese. */
export const defaultRealtimeScriptChinese: RealtimeScript = {
  turns: [
    { say: '你好，我是脚本实时服务器。我不需要网络，只知道你在说话，听不懂内容。再说一句，我就调用一个工具。' },
    { say: '请稍等，我看一下。', calls, then: '工具的回答是：{{output}}' },
  ],
};
