import { createHash } from 'node:crypto';

import type { ToolMethodDefinition } from '../../../registry/defineTool.ts';
import { ToolError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json.ts';
import { parameters, serverTool, textOf, type ServerToolOptions } from './serverTool.ts';

const simulated = { simulated: true, note: '模拟数据：网关不联网，仅供测试。Simulated, for tests only.' };
const conditions = ['晴', '多云', '阴', '小雨', '雷阵雨', '雾'];

/** `get_weather`, `get_current_time`, `get_location`. No network: weather and place are made up and say so. */
export function informationTools({ wall }: Pick<ServerToolOptions, 'wall'>): ToolMethodDefinition[] {
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
