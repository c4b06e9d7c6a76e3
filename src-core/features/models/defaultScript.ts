import type { ModelScript } from '../../contract/modelInfo.ts';

const vcpRequest = [
  '<<<[TOOL_REQUEST]>>>',
  'tool_name:「始」clock「末」,',
  'command:「始」get_time「末」',
  '<<<[END_TOOL_REQUEST]>>>',
].join('\n');

/** What the script says, in Chinese if the conversation begins in Chinese. */
const languages = [
  {
    asked: { asked: '\\p{Script=Han}' },
    result: '工具的结果：',
    clock: '我看一下时钟。',
    client: '我来调用客户端的工具。',
  },
  { asked: {}, result: 'The tool answered: ', clock: 'I look at the clock.', client: 'I call the tool of the client.' },
];

/**
 * The script a new installation has: shows the whole loop without a network. Calls the own tool of a client of the gateway. Else asks for the time if a clock is offered,
 * natively or in the prompt as VCP or as JSON, and answers with what came back; says what it is where no tool is there.
 */
export const defaultScript: ModelScript = {
  turns: [
    ...languages.flatMap(({ asked, result, clock, client }) => [
      { when: { role: 'tool' as const, ...asked }, text: `${result}{{last_message}}` },
      {
        when: { role: 'user' as const, matches: 'result:「始(?:ESCAPE)?」([\\s\\S]*?)「末(?:ESCAPE)?」', ...asked },
        text: `${result}{{1}}`,
      },
      {
        when: { role: 'user' as const, matches: '<tool_response>[\\s\\S]*?"result":"([^"]*)"', ...asked },
        text: `${result}{{1}}`,
      },
      {
        when: { role: 'user' as const, clientTool: true as const, ...asked },
        text: client,
        toolCalls: [{ name: '{{client_tool}}' }],
      },
      ...['get_time', 'get_current_time'].map((name) => ({
        when: { role: 'user' as const, tool: name, ...asked },
        text: clock,
        toolCalls: [{ name }],
      })),
      {
        when: { role: 'user' as const, system: 'tool_name:「始」clock「末」', ...asked },
        text: `${clock}\n\n${vcpRequest}`,
      },
      {
        when: { role: 'user' as const, system: '"clock_get_time"', ...asked },
        text: `${clock}\n\n<tool_call>\n{"name": "clock_get_time", "arguments": {}}\n</tool_call>`,
      },
    ]),
    {
      when: { matches: '\\p{Script=Han}' },
      text: '我是脚本模型：不需要网络，只按脚本回答。给我一个时钟工具，我就会调用它；要换成真正的模型，请打开「设置 → 模型」。',
    },
    {
      when: {},
      text:
        'I am the scripted model: I need no network and say what my script says. Offer me a clock and I call it; ' +
        'for a real model, open Settings → Models.',
    },
  ],
};
