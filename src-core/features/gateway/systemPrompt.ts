import { characters } from './serverTools/characters.ts';
import { languages } from './serverTools/languages.ts';
import type { Session } from './sessionStore.ts';

/** docs/protocols/gateway.md#system-prompt. */
const defaultSystemPrompt = `你是一个名为"听语AI"的语音助手。请遵循以下准则：

1. 回复简洁明了，适合语音播报
2. 避免使用表情符号、特殊符号（如★☆◆◇●■□等）
3. 不要使用Markdown格式（如**加粗**、*斜体*）
4. 使用自然口语化表达
5. 信息准确，如有不确定请说明

当前时间：{current_time}`;

/** The system prompt of a turn: the default one with the time, then the session's language and role. */
export function systemPrompt({ language, role }: Pick<Session, 'language' | 'role'>, now: Date): string {
  const lines = [defaultSystemPrompt.replace('{current_time}', () => timeText(now))];
  const spoken = languages.find(({ code }) => code === language);
  if (spoken !== undefined) lines.push(`请用${spoken.name}（${spoken.nativeName}）回复。`);
  const character = characters.find(({ name }) => name === role);
  if (character !== undefined) lines.push(`请扮演“${character.name}”：${character.persona}始终以这个角色的口吻回复。`);
  return lines.join('\n\n');
}

/** `2025-02-21 18:30:00 星期五`, in the computer's own time zone. */
function timeText(now: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':');
  return `${date} ${time} 星期${'日一二三四五六'.charAt(now.getDay())}`;
}
