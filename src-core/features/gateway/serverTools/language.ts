import type { ToolMethodDefinition } from '../../../registry/defineTool.ts';
import { languages } from './languages.ts';
import { parameters, serverTool, textOf, type ServerToolOptions } from './serverTool.ts';
import { sessionFor } from './sessionFor.ts';

/** `set_response_language`, `get_response_language`, `list_supported_languages`, for a session each. */
export function languageTools(options: ServerToolOptions): ToolMethodDefinition[] {
  const code = { type: 'string', enum: languages.map((each) => each.code), description: '语言代码' };
  const shown = (language: string | undefined) => ({
    language: language ?? null,
    name: languages.find((each) => each.code === language)?.name ?? null,
  });
  return [
    serverTool(
      'set_response_language',
      '设置回复语言，从下一轮对话起生效',
      parameters({ language: code }, ['language']),
      ({ language }, { callId }) => {
        const session = sessionFor(options, { callId, sessionId: '' });
        session.language = textOf(language);
        return shown(session.language);
      },
    ),
    serverTool('get_response_language', '获取当前回复语言设置', parameters({}), (_, { callId }) =>
      shown(sessionFor(options, { callId, sessionId: '' }).language),
    ),
    serverTool('list_supported_languages', '列出所有支持的语言', parameters({}), () => ({ languages: [...languages] })),
  ];
}
