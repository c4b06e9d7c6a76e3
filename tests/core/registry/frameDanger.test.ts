import { describe, expect, test } from 'vitest';
import { dangerReasons } from '../../../src-core/registry/dangerReasons.ts';
import { bytesDanger, frameDanger } from '../../../src-core/registry/frameDanger.ts';

const mcp = (payload: unknown) => JSON.stringify({ type: 'mcp', payload });
const call = (name: unknown) => ({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: {} } });
const danger = (text: string, dangerousTools: string[] = []) =>
  frameDanger(text, { registryId: 'box', dangerousTools });

describe('a frame that every receiver reads alike', () => {
  test.each([
    ['a restart', '{"type":"system","command":"reboot"}'],
    ['a restart in escapes', '{"type":"sys\\u0074em","command":"\\u0072eboot"}'],
    ['a restart in capitals', '{"type":"system","Command":"Reboot"}'],
    ['a dangerous tool', mcp(call('self.reboot'))],
    ['a dangerous tool in a payload of text', mcp(JSON.stringify(call('self.reboot')))],
    ['a dangerous tool in escapes', mcp(call('self.reboot')).replace('reboot', '\\u0072eboot')],
    ['a dangerous tool in full-width letters', mcp(call('self.ｒｅｂｏｏｔ'))],
    ['a dangerous tool with invisible characters', mcp(call('self.re\u200bboot'))],
    ['members in capitals', '{"type":"mcp","Payload":{"Method":"tools/call","Params":{"Name":"self.reboot"}}}'],
    ['a long name', mcp(call(`${'a'.repeat(300)}.reboot`))],
    ["a tool of a gateway's client", '{"type":"tool_callback","call_id":"1","tool_name":"reboot","arguments":{}}'],
  ])('asks for %s, with what it does', (_what, text) => {
    expect(danger(text)).toMatch(/^Restarts/);
  });

  test("asks for a tool of the user's list, and names the entry", () => {
    expect(danger(mcp(call('self.light.on')), ['box_self.light.*'])).toContain('as "box_self.light.*"');
    expect(danger(mcp(call('self.light.on')), ['other_*'])).toBeUndefined();
  });

  test.each([
    ['a harmless tool', mcp(call('self.get_device_status'))],
    [
      'a harmless tool with a dangerous word in its arguments',
      mcp({ ...call('self.say'), params: { name: 'self.say', arguments: { text: 'reboot' } } }),
    ],
    ['a list of tools', mcp({ id: 1, method: 'tools/list' })],
    ['speech about a restart', '{"type":"tts","state":"sentence_start","text":"reboot"}'],
    ["a gateway's answer about a restart", '{"type":"llm_response","content":"reboot","is_final":true}'],
    ['an equal member twice', '{"type":"tts","state":"start","state":"start"}'],
  ])('is sent without asking: %s', (_what, text) => {
    expect(danger(text)).toBeUndefined();
  });
});

const rebootCall = '{"type":"mcp","payload":{"method":"tools/call","params":{"name":"self.reboot"}}}';

describe('a frame that receivers read differently', () => {
  test.each([
    ['a member twice', rebootCall.replace('"name"', '"name":"self.reboot","name"').replace('reboot"}', 'say"}')],
    [
      'a member twice that differs in case',
      rebootCall.replace('"name"', '"Name":"self.reboot","name"').replace('reboot"}', 'say"}'),
    ],
    ['a payload twice', rebootCall.replace('}}}', '}},"payload":{}}')],
    ['a type twice', rebootCall.replace('{"type"', '{"type":"mcp","type":"tts","x"')],
    ['a member twice in a payload of text', mcp('{"method":"tools/call","params":{"name":"self.reboot","name":"a"}}')],
    ['a comment', rebootCall.replace('{', '{/* x */')],
    ['a trailing comma', rebootCall.replace('"}', '",}')],
    ['NaN', rebootCall.replace('{', '{"id":NaN,')],
    ['single quotes', rebootCall.replaceAll('"', "'")],
    ['members without quotes', "{type:'mcp',payload:{method:'tools/call',params:{name:'self.reboot'}}}"],
    ['a byte order mark', `\ufeff${rebootCall}`],
    ['a NUL behind the frame', `${rebootCall}\0`],
    ['an escaped NUL that ends the name on a board', mcp(call('self.reboot\0.get_status'))],
    ['an escaped NUL that ends a member', rebootCall.replace('"name"', '"name\\u0000x"')],
    ['text behind the frame', `${rebootCall} and more`],
    ['two frames in one', `{"type":"ping"}${rebootCall}`],
    ['a batch', mcp([call('a'), call('self.reboot')])],
    ['a list around the frame', `[${rebootCall}]`],
    ['a frame that is cut off', rebootCall.slice(0, -3)],
    ['escapes in a broken frame', rebootCall.replace('reboot', '\\u0072eb\\u006fot').slice(0, -1)],
    ['escapes of JavaScript', rebootCall.replace('reboot', '\\x72eb\\u{6f}ot')],
    ['a needless backslash, as JSON5 allows', rebootCall.replace('reboot', 'rebo\\ot')],
    ['a line break within a word, as JSON5 allows', rebootCall.replace('reboot', 're\\\nboot')],
    ['a NUL within a word', rebootCall.replace('reboot', 're\0boot')],
    ['an octal escape', rebootCall.replace('reboot', '\\162eboot')],
    ['a comment within a word', rebootCall.replace('reboot', 're/**/boot').slice(0, -1)],
    ['a word in two parts', rebootCall.replace('reboot', 're" + "boot')],
    ['a backslash before a carriage return', rebootCall.replace('reboot', 're\\\rboot')],
    ['a backslash before a line separator', rebootCall.replace('reboot', 're\\\u2028boot')],
    ['a backslash before a slash', rebootCall.replace('reboot', 're\\/boot').slice(0, -1)],
    ['an escaped slash within a word', rebootCall.replace('reboot', 're\\boot').slice(0, -1)],
    ['escapes within escapes', JSON.stringify(JSON.stringify(rebootCall.replace('reboot', '\\u0072eboot')))],
    ['an escaped backslash of an escape', rebootCall.replace('reboot', '\\u005cu0072eboot').slice(0, -1)],
    ['more levels of escapes than a call needs', '\\u005cu005cu005cu005cu005cu005cu005cu005cu005cu0072'],
    ['full-width letters', rebootCall.replace('reboot', 'ｒＥＢＯＯＴ').slice(0, -1)],
    ['another kind of message', '{"type":"iot","commands":[{"name":"Board","method":"Reboot"}]}'],
    ['a name that is an object', mcp(call({ name: 'self.reboot' }))],
    ['no type', '{"command":"reboot"}'],
    ['a type of another prototype', '{"__proto__":{"type":"system","command":"reboot"}}'],
  ])('asks if it contains a dangerous word: %s', (_what, text) => {
    expect(danger(text)).toMatch(/^(The frame|Toolwire does not know) /);
  });

  const word = 'It contains "reboot", a word of dangerous calls.';
  test.each([
    ['notJson', rebootCall.slice(0, -1), word],
    ['repeatedMember', rebootCall.replace('"name"', '"name":"a","name"'), word],
    ['repeatedMember', rebootCall.replace('"name"', '"Name":"a","name"'), word],
    ['nul', mcp(call('self.reboot\0.get_status')), word],
    ['unknownMessage', '{"type":"iot","method":"Reboot"}', word],
    ['unknownMessage', `[${rebootCall}]`, word],
    ['notJson', '{"name":"delete_file"', 'It contains "delete", a word of dangerous calls.'],
    ['notJson', '{"name":"write.file"', 'It contains "write … file", a word of dangerous calls.'],
    ['notJson', '{"name":"halt"', 'It contains "halt", a word of dangerous calls.'],
    ['notJson', '{"name":"请重启"', 'It contains "重启", a word of dangerous calls.'],
  ] as const)('names the reason and the words: %s, %s', (reason, text, words) => {
    expect(danger(text)).toBe(`${dangerReasons[reason]} ${words}`);
  });

  test('asks without naming a word if there are too many levels of escapes', () => {
    expect(danger(`\\u005c${'u005c'.repeat(9)}u0072`)).toBe(dangerReasons.manyEscapes);
  });

  test("asks if it holds a name of the user's list", () => {
    const text = mcp(call('self.light.on')).slice(0, -1);
    expect(danger(text, ['box_self.light.*'])).toContain(
      `${dangerReasons.notJson} "box_self.light.on" is on your list`,
    );
    expect(danger(text, ['other_*'])).toBeUndefined();
  });

  test.each([
    ['a broken frame', '{"type":"mcp"'],
    ['nothing', ''],
    ['speech', '书房 \u{1f600}'],
    ['a command for a speaker', '{"type":"iot","commands":[{"name":"Speaker","method":"SetVolume"}]}'],
    ['a member twice', '{"type":"mcp","payload":{"method":"tools/call","params":{"name":"a","name":"b"}}}'],
  ])('is sent without asking if it contains no dangerous word: %s', (_what, text) => {
    expect(danger(text)).toBeUndefined();
  });

  test.each([
    ...[
      'reBoot',
      'rebootDevice',
      'OTAUpdate',
      'power_off',
      'Shut-Down the device',
      'factoryReset',
      'checkOut',
      'reboot2',
    ],
    ...['setWiFi', 'wi_fi.forget', 'WIFI-reset', '请重启', '设置 Wi-Fi', 'delete文件', '\u202ere\u0301boot'],
  ])('finds the words of a name however they are joined: %s', (name) => {
    expect(danger(`{"run":"${name}"`)).toContain(`${dangerReasons.notJson} It contains "`);
  });

  test.each(['firebootstrap', 'PRESETS', 'farmland', 'offset', '1rm'])(
    'finds no dangerous word within another: %s',
    (name) => {
      expect(danger(`{"run":"${name}"`)).toBeUndefined();
    },
  );
});

describe('a frame of 1 MiB', () => {
  const long = 'x'.repeat(2 ** 20);

  test('is sent without asking if it holds no dangerous word', () => {
    expect(danger(JSON.stringify({ type: 'custom', payload: long }))).toBeUndefined();
    expect(danger(JSON.stringify({ type: 'custom', payload: long }).slice(0, -2))).toBeUndefined();
    expect(bytesDanger(Buffer.from(long, 'utf16le'), { dangerousTools: [] })).toBeUndefined();
  });

  test('asks for a dangerous word or call at its end', () => {
    expect(danger(JSON.stringify({ type: 'custom', payload: `${long} reboot` }))).toBe(
      `${dangerReasons.unknownMessage} It contains "reboot", a word of dangerous calls.`,
    );
    const padded = { ...call('self.reboot'), padding: long };
    expect(danger(mcp(padded))).toMatch(/^Restarts/);
  });
});

describe('bytes that are not text', () => {
  const inBytes = (data: Buffer) => bytesDanger(data, { dangerousTools: [] });

  test.each<[string, Buffer]>([
    ['a call where sound is expected', Buffer.from(rebootCall)],
    ['a call behind other bytes', Buffer.concat([Buffer.from([0xff, 0, 3, 9]), Buffer.from(rebootCall)])],
    ['Chinese in UTF-8', Buffer.from('{"name":"重启"')],
    ['Chinese in UTF-16', Buffer.from('{"name":"重启"', 'utf16le')],
    ['Chinese in UTF-16 with the other order of bytes', Buffer.from('{"name":"重启"', 'utf16le').swap16()],
    ['Chinese in UTF-16 behind another byte', Buffer.concat([Buffer.from([1]), Buffer.from('{"重启"', 'utf16le')])],
    ['a call in UTF-16', Buffer.from(rebootCall, 'utf16le')],
  ])('ask for %s', (_what, data) => {
    expect(inBytes(data)).toContain(`${dangerReasons.bytes} It contains "`);
  });

  test("ask for a Chinese name of the user's list", () => {
    const options = { registryId: 'box', dangerousTools: ['box_开灯'] };
    expect(bytesDanger(Buffer.from('{"name":"开灯"'), options)).toContain('"box_开灯" is on your list');
    expect(bytesDanger(Buffer.from('{"name":"开灯"', 'utf16le'), options)).toContain('"box_开灯" is on your list');
  });

  test('are sent without asking if they hold no dangerous word', () => {
    expect(inBytes(Buffer.from(Array.from({ length: 400 }, (_, at) => (at * 37) % 256)))).toBeUndefined();
  });
});
