import type { ModelScript } from '../../contract/modelInfo.ts';

const vcpRequest = [
  '<<<[TOOL_REQUEST]>>>',
  'tool_name:「始」clock「末」,',
  'command:「始」get_time「末」',
  '<<<[END_TOOL_REQUEST]>>>',
].join('\n');

/**
 * The script a new installation has: shows the whole loop without a network. Calls the own tool of a client of the gateway. Else asks for the time if a clock is offered,
 * natively or in the prompt as VCP or as JSON, and answers with what came back; says what it is where no tool is there.
 */
export const defaultScript: ModelScript = {
  turns: [
    { when: { role: 'tool' }, text: 'The tool answered: {{last_message}}' },
    {
      when: { role: 'user', matches: 'result:「始(?:ESCAPE)?」([\\s\\S]*?)「末(?:ESCAPE)?」' },
      text: 'The tool answered: {{1}}',
    },
    {
      when: { role: 'user', matches: '<tool_response>[\\s\\S]*?"result":"([^"]*)"' },
      text: 'The tool answered: {{1}}',
    },
    {
      when: { role: 'user', clientTool: true },
      text: 'I call the tool of the client.',
      toolCalls: [{ name: '{{client_tool}}' }],
    },
    { when: { role: 'user', tool: 'get_time' }, text: 'I look at the clock.', toolCalls: [{ name: 'get_time' }] },
    {
      when: { role: 'user', tool: 'get_current_time' },
      text: 'I look at the clock.',
      toolCalls: [{ name: 'get_current_time' }],
    },
    {
      when: { role: 'user', system: 'tool_name:「始」clock「末」' },
      text: `I look at the clock.\n\n${vcpRequest}`,
    },
    {
      when: { role: 'user', system: '"clock_get_time"' },
      text: 'I look at the clock.\n\n<tool_call>\n{"name": "clock_get_time", "arguments": {}}\n</tool_call>',
    },
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
