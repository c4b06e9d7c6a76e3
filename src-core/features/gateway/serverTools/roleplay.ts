import type { ToolMethodDefinition } from '../../../registry/defineTool.ts';
import { ToolError } from '../../../base/errors.ts';
import { characters } from './characters.ts';
import { parameters, serverTool, textOf, type ServerToolOptions } from './serverTool.ts';
import { sessionFor } from './sessionFor.ts';

/** The four tools of role-play (docs/protocols/gateway.md), for a session each; a role holds from the next turn on. */
export function roleplayTools(options: ServerToolOptions): ToolMethodDefinition[] {
  const sessionId = { type: 'string', description: '会话 ID，默认当前会话' };
  return [
    serverTool(
      'enter_roleplay_mode',
      '进入角色扮演模式，从下一轮对话起生效',
      parameters({ character: { type: 'string', description: '角色名称' }, session_id: sessionId }, ['character']),
      ({ character, session_id }, { callId }) => {
        const session = sessionFor(options, { callId, sessionId: textOf(session_id) });
        const name = textOf(character);
        if (!characters.some((each) => each.name === name)) {
          const known = characters.map((each) => each.name).join('、');
          throw new ToolError('tool-error', `There is no character "${name.slice(0, 40)}". Choose one of: ${known}.`);
        }
        session.role = name;
        return { roleplay: true, character: name };
      },
    ),
    serverTool(
      'exit_roleplay_mode',
      '退出角色扮演模式',
      parameters({ session_id: sessionId }),
      ({ session_id }, { callId }) => {
        const session = sessionFor(options, { callId, sessionId: textOf(session_id) });
        const character = session.role ?? null;
        delete session.role;
        return { roleplay: false, left: character };
      },
    ),
    serverTool(
      'get_roleplay_status',
      '获取角色扮演状态',
      parameters({ session_id: sessionId }),
      ({ session_id }, { callId }) => {
        const { role } = sessionFor(options, { callId, sessionId: textOf(session_id) });
        return { roleplay: role !== undefined, character: role ?? null };
      },
    ),
    serverTool('list_available_characters', '列出所有可用角色', parameters({}), () => ({
      characters: characters.map(({ name, persona }) => ({ name, persona })),
    })),
  ];
}
