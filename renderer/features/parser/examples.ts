import type { Language } from '../../i18n/index.ts';

export type ExampleId = 'one' | 'two' | 'device' | 'reasoning' | 'fenced' | 'broken' | 'serial' | 'nested';

export const exampleIds: readonly ExampleId[] = [
  'one',
  'two',
  'device',
  'reasoning',
  'fenced',
  'broken',
  'serial',
  'nested',
];

const block = (...fields: [string, string][]): string =>
  [
    '<<<[TOOL_REQUEST]>>>',
    ...fields.map(([key, value]) => `${key}:「始」${value}「末」`),
    '<<<[END_TOOL_REQUEST]>>>',
  ].join('\n');

const time = block(['tool_name', 'clock_get_time']);
const files = block(['tool_name', 'directory-tree'], ['command', 'listFiles'], ['path', '.'], ['recursive', 'false']);

/** What a model might write, one case each. The prose is in the window's language; the calls are the same. */
export function exampleText(id: ExampleId, language: Language): string {
  const zh = language === 'zh';
  switch (id) {
    case 'one':
      return zh ? `我先看一下现在几点。\n\n${time}\n` : `Let me look at the clock first.\n\n${time}\n`;
    case 'two':
      return zh
        ? `好的。先确认时间，再看看文件夹里有什么。\n\n${time}\n\n接着是文件列表：\n\n${files}\n\n拿到结果后我再总结。\n`
        : `Sure. First the time, then what the folder holds.\n\n${time}\n\nAnd the files:\n\n${files}\n\nI will sum up once both are back.\n`;
    case 'device': {
      const volume = block(['tool_name', 'self.audio_speaker.set_volume'], ['volume', '50']);
      return zh ? `我把音量调到一半。\n\n${volume}\n` : `I will turn the speaker down to half.\n\n${volume}\n`;
    }
    case 'reasoning':
      return zh
        ? `<think>\n也许应该先列文件：\n${files}\n不，用户只问了时间。\n</think>\n现在就查。\n\n${time}\n`
        : `<think>\nPerhaps list the files first:\n${files}\nNo, only the time was asked for.\n</think>\nOne moment.\n\n${time}\n`;
    case 'fenced':
      return zh
        ? `调用的写法是这样的：\n\n\`\`\`\n${time}\n\`\`\`\n\n这只是示范，不会执行。\n`
        : `This is how such a call is written:\n\n\`\`\`\n${time}\n\`\`\`\n\nShown only, so it does not run.\n`;
    case 'broken':
      return brokenText(zh);
    case 'serial': {
      const serial = block(
        ['tool_name', 'directory-tree'],
        ['command1', 'listFiles'],
        ['path1', '.'],
        ['command2', 'listFiles'],
        ['path2', 'docs'],
      );
      return zh ? `两个文件夹一次看完。\n\n${serial}\n` : `Both folders in one go.\n\n${serial}\n`;
    }
    case 'nested':
      return nestedText(zh);
  }
}

/** Four mistakes that models make: a full-width colon, a value without an end, fields without a block, a block without an end. */
function brokenText(zh: boolean): string {
  const colon = '<<<[TOOL_REQUEST]>>>\ntool_name：「始」clock_get_time「末」\n<<<[END_TOOL_REQUEST]>>>';
  const value =
    '<<<[TOOL_REQUEST]>>>\ntool_name:「始」directory-tree_listFiles「末」\npath:「始」src\nrecursive:「始」true「末」\n<<<[END_TOOL_REQUEST]>>>';
  const open = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_get_date「末」';
  const bare = 'tool_name:「始」clock_get_time「末」';
  return zh
    ? `全角冒号：\n${colon}\n\n值没有结束：\n${value}\n\n没有块标记：\n${bare}\n\n块没有结束：\n${open}\n`
    : `A full-width colon:\n${colon}\n\nA value without an end:\n${value}\n\nFields without a block:\n${bare}\n\nA block without an end:\n${open}\n`;
}

/** A call carried as data inside a value. */
function nestedText(zh: boolean): string {
  const note = zh ? '会议纪要模板' : 'Template for the minutes';
  const escaped = [
    '<<<[TOOL_REQUEST]>>>',
    'tool_name:「始」notes_save「末」',
    `title:「始」${note}「末」`,
    'body:「始ESCAPE」<<<[TOOL_REQUEST_ESCAPE]>>>',
    'tool_name:「始」clock_get_date「末」',
    '<<<[END_TOOL_REQUEST_ESCAPE]>>>「末ESCAPE」',
    '<<<[END_TOOL_REQUEST]>>>',
  ].join('\n');
  return zh ? `我把这段调用当作文字存下来。\n\n${escaped}\n` : `I will keep this call as text.\n\n${escaped}\n`;
}
