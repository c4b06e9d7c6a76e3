/** Texts for the VCP benchmark, each of about as many bytes of UTF-8 as asked for. */

const english =
  'The lamp in the hall answers to its own name, and its level is a number from 0 to 100. ' +
  'To see what a device can do, list its tools first; a call with a wrong argument comes back with the reason.\n' +
  '- **Volume** is set with `set_volume`, see [the notes](https://example.org/notes), where a < b holds.\n\n';

const chinese =
  '客厅的灯可以单独控制，亮度是一个从零到一百的数字。想知道设备能做什么，先列出它的工具；参数不对时会得到原因。' +
  '开始之前请确认设备已经连接，「音量」用 `set_volume` 调节。\n\n';

/** One block of 463 bytes, as a model writes it. */
export const block463 = fit(
  '<<<[TOOL_REQUEST]>>>\n' +
    'tool_name:「始」FileOperator「末」,\n' +
    'command:「始」WriteFile「末」,\n' +
    'path:「始」/home/user/notes/today.md「末」,\n' +
    'encoding:「始」utf-8「末」,\n' +
    'content:「始」PAD「末」\n' +
    '<<<[END_TOOL_REQUEST]>>>',
  463,
);

/** Prose without a block. */
export function prose(bytes: number, language: 'english' | 'chinese'): string {
  return repeat(language === 'english' ? english : chinese, bytes);
}

/** Replies: prose in two languages with a block of 463 bytes in every 1.4 kB, no two alike. */
export function mixed(bytes: number): string {
  const around = 1408 - 463;
  const text = repeat(english, around / 2) + chinese + english;
  const head = cut(text, around);
  const parts: string[] = [];
  for (let at = 0, index = 0; at < bytes; at += 1408, index++)
    parts.push(head, block463.replace('today', `day${index}`));
  return flat(parts.join('\n'));
}

/** Blocks of about 470 bytes, one after the other, no two alike. */
export function blocks(bytes: number): string {
  const parts: string[] = [];
  for (let at = 0, index = 0; at < bytes; at += 470, index++) parts.push(block463.replace('today', `day${index}`));
  return flat(parts.join('\n'));
}

/** Values that are opened and never closed. */
export function unclosedOpeners(bytes: number): string {
  return flat(
    `<<<[TOOL_REQUEST]>>>\n${repeat('tool_name:「始」' + 'some words of a value that has no end, nor anything after it.\n', bytes)}`,
  );
}

/** One block of many ESCAPE fields, all closed. */
export function closedEscapes(bytes: number): string {
  const parts = ['<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」'];
  for (let at = 0, index = 0; at < bytes; at += 110, index++) {
    parts.push(
      `field_${index}:「始ESCAPE」the value of a field, 「末」 in it, and some more words to fill「末ESCAPE」`,
    );
  }
  return flat(`${parts.join(',\n')}\n<<<[END_TOOL_REQUEST]>>>`);
}

/** One value of base64url, without a line break. */
export function oneLongValue(bytes: number): string {
  return flat(block463.replace('utf-8', repeat('QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVotXzAxMjM0NTY3ODk', bytes)));
}

function fit(text: string, bytes: number): string {
  const room = bytes - Buffer.byteLength(text) + 'PAD'.length;
  return text.replace('PAD', cut(repeat('Buy bread, call the plumber at 9. ', room), room));
}

function repeat(text: string, bytes: number): string {
  return flat(text.repeat(Math.ceil(bytes / Buffer.byteLength(text))));
}

/** The first so many bytes, as far as whole characters go. */
function cut(text: string, bytes: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes)).replaceAll('\ufffd', '');
}

/** The same text as one flat string, as one that came over a wire is. */
function flat(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
