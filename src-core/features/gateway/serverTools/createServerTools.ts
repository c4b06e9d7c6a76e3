import { createHash } from 'node:crypto';

import { defineToolRegistry, type ToolMethodDefinition } from '../../../registry/defineTool.ts';
import type { MethodMetadata } from '../../../base/toolTypes.ts';
import type { ToolRegistry } from '../../../registry/types.ts';
import { languages } from './languages.ts';
import { ToolError } from '../../../base/errors.ts';
import { characters } from './characters.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../../../base/json.ts';
import type { Session, SessionStore } from '../sessionStore.ts';

const simulated = { simulated: true, note: '模拟数据：网关不联网，仅供测试。Simulated, for tests only.' };

const conditions = ['晴', '多云', '阴', '小雨', '雷阵雨', '雾'];

/** Id of the registry of the server tools. */
export const serverToolsId = 'llm-gateway';

/**
 * The ten server tools of docs/protocols/gateway.md#server-tools, and no others. `name` and `protocolVersion` are
 * docs/protocols/gateway.md#settings's.
 */
export function createServerTools({
  name,
  protocolVersion,
  offer,
  ...options
}: ServerToolOptions & {
  name: string;
  protocolVersion: string;
  /** Sets the consumers that are offered the methods. */
  offer: (methods: MethodMetadata[]) => MethodMetadata[];
}): ToolRegistry {
  const registry = defineToolRegistry({
    id: serverToolsId,
    name,
    description: `Server tools of the LLM gateway (MCP ${protocolVersion}).`,
    source: { kind: 'gateway', id: 'server', label: name },
    methods: [...informationTools(options), ...languageTools(options), ...roleplayTools(options)],
  });
  return { ...registry, getMetadata: () => ({ methods: offer(registry.getMetadata().methods) }) };
}

/** `set_response_language`, `get_response_language`, `list_supported_languages`, for a session each. */
function languageTools(options: ServerToolOptions): ToolMethodDefinition[] {
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

/** The four tools of role-play (docs/protocols/gateway.md), for a session each; a role holds from the next turn on. */
function roleplayTools(options: ServerToolOptions): ToolMethodDefinition[] {
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

/** `get_weather`, `get_current_time`, `get_location`. No network: weather and place are made up and say so. */
function informationTools({ wall }: Pick<ServerToolOptions, 'wall'>): ToolMethodDefinition[] {
  return [
    serverTool(
      'get_weather',
      '获取天气信息',
      parameters(
        {
          city: { type: 'string', minLength: 1, description: '城市名称' },
          date: { type: 'string', description: '日期，格式 YYYY-MM-DD，默认今天' },
        },
        ['city'],
      ),
      ({ city, date }) => weather(textOf(city), textOf(date) || dateIn(new Date(wall()))),
    ),
    serverTool(
      'get_current_time',
      '获取当前时间',
      parameters({ timezone: { type: 'string', description: '时区，如 Asia/Shanghai，默认本机时区' } }),
      ({ timezone }) => currentTime(new Date(wall()), textOf(timezone)),
    ),
    serverTool('get_location', '获取当前位置信息', parameters({}), () => ({
      country: '中国',
      province: '北京市',
      city: '北京',
      district: '东城区',
      latitude: 39.9042,
      longitude: 116.4074,
      timezone: 'Asia/Shanghai',
      ...simulated,
    })),
  ];
}

/** The same for the same city and day. */
function weather(city: string, date: string): JsonObject {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(date)))
    throw new ToolError('tool-error', `date must be written as YYYY-MM-DD; it is "${date.slice(0, 40)}".`);
  const [kind = 0, warmth = 0, damp = 0, wind = 0] = createHash('sha256').update(`${city}\0${date}`).digest();
  const condition = conditions[kind % conditions.length] ?? '晴';
  return {
    city,
    date,
    condition,
    temperature: (warmth % 36) - 3,
    unit: '°C',
    humidity: 20 + (damp % 75),
    wind_level: wind % 7,
    ...simulated,
  };
}

function currentTime(now: Date, timezone: string): JsonObject {
  const zone = timezone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  let text: Intl.DateTimeFormat;
  try {
    text = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  } catch (cause) {
    throw new ToolError('tool-error', `There is no time zone "${zone.slice(0, 40)}". Use one as Asia/Shanghai.`, {
      cause,
    });
  }
  const weekday = new Intl.DateTimeFormat('zh-CN', { timeZone: zone, weekday: 'long' }).format(now);
  const [date = '', time = ''] = text.format(now).split(' ');
  return { timezone: zone, date, time, weekday, iso: now.toISOString() };
}

/** A day of the computer's own time zone. */
function dateIn(now: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short' }).format(now);
}

/**
 * The session that a call is about. In a conversation that is its own, and an argument that names another is refused;
 * by hand it is the one that is named (docs/protocols/gateway.md#server-tools). Throws a `ToolError` `tool-error`.
 */
function sessionFor(
  { sessionOf, sessions }: Pick<ServerToolOptions, 'sessionOf' | 'sessions'>,
  { callId, sessionId }: { callId: string; sessionId: string },
): Session {
  const own = sessionOf(callId);
  if (own !== undefined) {
    if (sessionId === '' || sessionId === own.id) return own;
    throw new ToolError('tool-error', 'session_id names another session. Leave it out: this session is meant then.');
  }
  const named = sessionId === '' ? undefined : sessions.get(sessionId);
  if (named !== undefined) return named;
  throw new ToolError(
    'tool-error',
    sessionId === ''
      ? 'This tool belongs to a conversation over the gateway; a call by hand has none.'
      : `There is no session "${sessionId.slice(0, 80)}" on the gateway.`,
  );
}

/** The dependencies of the server tools. */
interface ServerToolOptions {
  /** The session in which a call is made; undefined for one by hand. */
  sessionOf: (callId: string) => Session | undefined;
  sessions: Pick<SessionStore, 'get'>;
  /** Epoch ms. */
  wall: () => number;
}

/** The schema of an object with these properties. */
function parameters(properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema {
  return { type: 'object', properties, required };
}

/** A method that models may call. */
function serverTool(
  name: string,
  description: string,
  inputSchema: JsonSchema,
  handler: ToolMethodDefinition['handler'],
): ToolMethodDefinition {
  return { name, description, agentCallable: true, inputSchema, handler };
}

/** A text argument; empty if it was not given. */
function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}
