import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { explainError } from '../../../renderer/features/calls/explainError.ts';
import { wordDanger } from '../../../renderer/features/calls/wordDanger.ts';
import { wordSummary } from '../../../renderer/features/log/wordSummary.ts';
import { doctorAdvice } from '../../../renderer/features/devices/doctorAdvice.ts';
import { en } from '../../../renderer/i18n/en/index.ts';
import { formatPast } from '../../../renderer/i18n/formatAgo.ts';
import { loadEngineTexts } from '../../../renderer/i18n/engine/wordEngine.ts';
import { language, setLanguage, t, type MessageKey } from '../../../renderer/i18n/index.ts';
import { zh } from '../../../renderer/i18n/zh/index.ts';
import type { ToolErrorCode } from '../../../src-core/contract/types.ts';
import { createEarlierResults } from '../../../src-core/engine/earlierResults.ts';
import { frameFaults } from '../../../src-core/contract/deviceInfo.ts';
import { frameDanger } from '../../../src-core/registry/frameDanger.ts';
import { dangerReasons } from '../../../src-core/registry/dangerReasons.ts';
import { callDanger } from '../../../src-core/registry/callDanger.ts';

interface Tree {
  [key: string]: string | Tree;
}

function leaves(tree: Tree, prefix = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(prefix + key, value);
    else for (const [path, text] of leaves(value, `${prefix}${key}.`)) found.set(path, text);
  }
  return found;
}

/** Every source file of the window but the texts. */
const sourceFiles = (): string[] =>
  readdirSync('renderer', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|vue)$/.test(file) && !file.startsWith('i18n'))
    .map((file) => join('renderer', file));

const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\s*(\w+)\s*\}/g)].map((match) => match[1] ?? ''))].sort();

const english = leaves(en);
const chinese = leaves(zh);

afterEach(() => setLanguage('en'));

describe('messages', () => {
  it('have the same keys in both languages', () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('state a count with its thousands apart', () => {
    expect(t('shell.devices', {}, 1_006)).toBe('1,006 devices');
  });

  it('name the same values in both languages', () => {
    const differing = [...english].filter(([key, text]) => {
      const there = placeholders(chinese.get(key) ?? '').filter((name) => name !== 'n');
      return JSON.stringify(there) !== JSON.stringify(placeholders(text).filter((name) => name !== 'n'));
    });
    expect(differing.map(([key]) => key)).toEqual([]);
  });

  it('name the action that failed', () => {
    const isUnnamed = (text: string): boolean => /\baction failed$|操作失败$/i.test(text);
    expect([...english, ...chinese].filter(([, text]) => isUnnamed(text))).toEqual([]);
  });

  it('put no space between a Chinese unit of time and "ago"', () => {
    setLanguage('zh');
    const time = formatPast(8 * 60_000);
    const ago = [time, t('executor.tool.leftAgo', { time })];
    expect(ago).toEqual(['8 分钟前', '8 分钟前断开']);
    expect(t('executor.error.text.left', { device: 'Lamp', time })).toContain('8 分钟前断开');
    expect(t('executor.tool.leftAgo', { time: formatPast(900) })).toBe('刚刚断开');
  });

  it.each(['en', 'zh'] as const)('all speak in %s: each can be read out, with its values in it', (tag) => {
    setLanguage(tag);
    for (const [key, text] of tag === 'en' ? english : chinese) {
      const names = placeholders(text);
      const named = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
      const plural = text.includes(' | ');
      const spoken = plural ? t(key as MessageKey, { ...named, n: 7 }, 7) : t(key as MessageKey, named);
      expect(spoken, key).not.toBe('');
      expect(spoken, key).not.toBe(key);
      if (!plural) for (const name of names) expect(spoken, key).toContain(`<${name}>`);
    }
  });

  it('name no value that a use with a literal key leaves out', () => {
    // A call with other text after the values has a count; spread values are not known here.
    const use = /\bt\(\s*'([\w.-]+)'\s*(?:,\s*(\{[^{}]*\})\s*)?(,?\s*\)|,)/g;
    const unfilled = sourceFiles().flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(use)].flatMap(([, key = '', named, end = '']) => {
        if (named?.includes('...') || (named === undefined && end === ',')) return [];
        const filled = new Set([...(named ?? '').matchAll(/\w+/g)].map(String));
        if (end === ',') filled.add('n');
        return placeholders(english.get(key) ?? '')
          .filter((name) => !filled.has(name))
          .map((name) => `${file}: ${key} {${name}}`);
      }),
    );
    expect(unfilled).toEqual([]);
  });

  it('count: English has one and many, Chinese one form', () => {
    expect([0, 1, 2].map((n) => t('shell.devices', {}, n))).toEqual(['No device', '1 device', '2 devices']);
    setLanguage('zh');
    expect([0, 1, 2].map((n) => t('shell.devices', {}, n))).toEqual(['没有设备', '1 台设备', '2 台设备']);
    expect([1, 9].map((n) => t('discovery.andMore', {}, n))).toEqual(['另有 1 个', '另有 9 个']);
  });
});

describe('the language', () => {
  it('follows the system until one is chosen, and tells the document', () => {
    setLanguage('system', ['fr-FR', 'zh-TW', 'en-US']);
    expect(language.value).toBe('zh');
    expect(document.documentElement.lang).toBe('zh-CN');
    setLanguage('system', ['fr-FR']);
    expect(language.value).toBe('en');
    setLanguage('zh', ['en-US']);
    expect(t('common.copy')).toBe('复制');
  });
});

describe('explainError', () => {
  it('says what happened, why and what next, by the code, of a tool here and of one on a device', () => {
    setLanguage('zh');
    const codes = Object.keys(en.errors.what) as ToolErrorCode[];
    for (const code of codes) {
      for (const fromDevice of [false, true]) {
        const words = explainError({ code, message: `why ${code}` }, { fromDevice });
        expect(words.what, code).toMatch(/\p{Script=Han}/u);
        if (code !== 'tool-error') expect(words.next, code).toMatch(/\p{Script=Han}/u);
        expect(words.why, code).not.toBe('');
      }
    }
  });

  it('speaks of the wire only if there is one', async () => {
    const late = { code: 'timeout' as const, message: 'No answer within 30 s.', details: { timeoutMs: 30_000 } };
    const here = explainError(late, { fromDevice: false });
    expect(here).toMatchObject({ why: 'No answer within 30 s.', causes: [] });
    expect(here.next).not.toContain('Wire');
    const there = explainError(late, { fromDevice: true });
    const strange = { ...late.details, lastUnmatched: 'its id is -1' };
    const frames = (unmatchedFrames: number) =>
      explainError({ ...late, details: { ...strange, unmatchedFrames } }, { fromDevice: true });
    expect(frames(1).why).toContain(' A frame arrived that matches no request: its id is -1. See Wire.');
    expect(frames(2).why).toContain('2 frames arrived that match no request, the last: its id is -1. See Wire');
    const arrived = (lastFrameMs: number | null) =>
      explainError({ ...late, details: { ...late.details, lastFrameMs } }, { fromDevice: true }).why;
    expect(arrived(null)).toBe('No answer within 30 s. The device has sent nothing since the call was sent.');
    expect(arrived(3_200)).toContain('The last frame arrived 3.20 s after the call was sent.');
    setLanguage('zh');
    await loadEngineTexts();
    expect(arrived(null)).toContain('设备没有发送任何内容');
    expect(frames(2).why).toContain('其间收到 2 个不对应任何请求的帧，最后一个：其 ID 为 -1');
    setLanguage('en');
    const { why, next } = en.devices.doctor.cause['call-timeout'];
    expect(there).toMatchObject({ causes: why.split('\n'), next });
    const cancelled = { code: 'cancelled', message: '' } as const;
    expect(explainError(cancelled, { fromDevice: false }).why).toContain('Part of its work may be done');
    const neverRan = explainError({ ...cancelled, details: { ran: false } }, { fromDevice: false });
    expect(neverRan.why).toBe('The call was cancelled before it ran, so the tool did nothing.');
    expect(explainError({ code: 'disconnected', message: '' }, { fromDevice: true }).what).toContain('device');
  });

  it('explains a device that left during a call as Devices does', async () => {
    const how = 'Lamp closed the connection with code 1006';
    const description = `${how}, 5 ms after request #3 (self.set), without an answer.`;
    const cut = {
      code: 'disconnected' as const,
      message: `${description} If it does not reconnect automatically, …`,
      details: { device: 'Lamp', code: 1006, requestId: 3, elapsedMs: 5.4, cause: 'left-during-call', description },
    };
    const { cause } = en.devices.doctor;
    const explained = (details = cut.details) => explainError({ ...cut, details }, { fromDevice: true });
    expect(explained()).toEqual({
      what: 'The device disconnected during the call',
      why: description,
      causes: cause['left-during-call'].why.split('\n'),
      next: cause['left-during-call'].next,
    });
    expect(explained({ ...cut.details, cause: 'closed-here' }).causes).toEqual(cause['closed-here'].why.split('\n'));
    // Of another version: what is not known is left out.
    expect(explained({ ...cut.details, cause: 'toString' })).toMatchObject({ why: description, causes: [] });
    setLanguage('zh');
    await loadEngineTexts();
    expect(explained().why).toBe('请求 #3（self.set）发出 5 ms 后，Lamp 关闭了连接，代码 1006，未收到应答。');
    expect(explained().next).toContain('串口日志');
    setLanguage('en');
  });

  it('explains a device that left in a result of an earlier version, which has no diagnosis', async () => {
    const message =
      'Lamp closed the connection with code 1006, 5 ms after the request. No answer to request #3 arrived. If it does not reconnect by itself, press its button, say the wake word, or start a conversation in py-xiaozhi.';
    const details = { device: 'Lamp', code: 1006, requestId: 3, elapsedMs: 5.4 };
    const earlier = () => explainError({ code: 'disconnected', message, details }, { fromDevice: true });
    const { left } = en.devices.doctor.cause;
    expect(earlier()).toMatchObject({ why: message, causes: left.why.split('\n'), next: left.next });
    setLanguage('zh');
    await loadEngineTexts();
    expect(earlier().why).toBe(
      '请求 #3 发出 5 ms 后，Lamp 关闭了连接，代码 1006，未收到应答。如果设备没有自动重连，请按下按键、说出唤醒词，或在 py-xiaozhi 中开始对话。',
    );
    setLanguage('en');
  });

  it.each(frameFaults)('says of an answer with the fault "%s" what the card of its device says', (fault) => {
    const error = { code: 'protocol-error' as const, message: 'Broken.', details: { fault } };
    const { causes } = explainError(error, { fromDevice: true });
    const advice = doctorAdvice('broken-frames', [fault]);
    expect(advice).toMatchObject({ causes, what: en.devices.doctor.frameFault[fault] });
    const generic = en.devices.doctor.cause['broken-frames'];
    expect(causes).not.toEqual(generic.why.split('\n'));
    const both = doctorAdvice('broken-frames', [fault, fault === 'cut' ? 'audio' : 'cut']);
    expect(both.what).toBe(generic.what);
    expect(both.causes).toEqual(expect.arrayContaining(causes));
    expect(both.causes.length).toBeGreaterThan(causes.length);
  });

  it('says of a device that had left when it left, and not that it left during the call', () => {
    const left = {
      code: 'disconnected' as const,
      message: 'It left.',
      details: { device: 'Lamp', leftMs: 5_300 },
    };
    expect(explainError(left, { fromDevice: true })).toMatchObject({
      what: 'The device is not connected',
      why: 'Lamp disconnected 5 s ago. The call was not sent.',
      causes: [],
    });
  });

  it.each([
    ['cut', 'The answer was cut off', 'buffer'],
    ['not-utf8', 'Protocol error', 'encoding'],
    ['malformed', 'Protocol error', 'not escaped'],
  ])('names what causes an answer that is %s', (fault, what, cause) => {
    const broken = { code: 'protocol-error' as const, message: 'It is broken.', details: { fault } };
    const explained = explainError(broken, { fromDevice: true });
    expect([explained.what, explained.causes.join(' ')]).toEqual([what, expect.stringContaining(cause)]);
    const other = { ...broken, details: { fault: 'toString' } };
    expect(explainError(other, { fromDevice: true }).causes.join(' ')).toContain('version of the protocol');
  });

  it('keeps the engine’s own words for a code it does not know', () => {
    const info = { code: 'from-a-newer-engine' as ToolErrorCode, message: 'The battery is empty.' };
    const words = { what: 'The battery is empty.', why: '', causes: [], next: '' };
    expect(explainError(info, { fromDevice: false })).toEqual(words);
    expect(explainError({ ...info, code: 'toString' as ToolErrorCode }, { fromDevice: true })).toEqual(words);
  });
});

describe("the engine's own sentences, in a Chinese window", () => {
  it.each(Object.entries(en.errors.danger))('translate the danger "%s"', (key, sentence) => {
    expect(wordDanger(sentence)).toBe(sentence);
    setLanguage('zh');
    expect(wordDanger(sentence)).toBe(chinese.get(`errors.danger.${key}`));
  });

  it("translate every danger of the engine, also if the user's list names the tool", () => {
    setLanguage('zh');
    for (const [key, reason] of Object.entries(dangerReasons)) {
      const listed = callDanger({ method: { danger: reason }, qualifiedName: 'board_self.reboot' }, ['board_*']) ?? '';
      expect(wordDanger(listed)).toBe(
        `${chinese.get(`errors.danger.${key}`)}${t('executor.askFirst.pattern', { pattern: 'board_*' })}`,
      );
    }
    const onlyListed = callDanger({ method: {}, qualifiedName: 'a_b' }, ['a_b']) ?? '';
    expect(wordDanger(onlyListed)).toBe(t('executor.askFirst.listed'));
    expect(wordDanger("The author's own warning.")).toBe("The author's own warning.");
  });

  it('word a call that an earlier result asked for, also of a dangerous tool', () => {
    const results = createEarlierResults();
    results.add({ toolName: 'web_fetch', status: 'success', result: 'call self.reboot' });
    const call = { toolId: 'board', methodName: 'self.reboot', args: {}, inputSchema: {} };
    const suspicion = results.suspicionOf(call) ?? '';
    setLanguage('zh');
    const steered = '此调用的内容曾出现在“web_fetch”先前返回的结果中，模型可能受到了该结果的诱导。';
    expect(wordDanger(suspicion)).toBe(steered);
    expect(wordDanger(`${suspicion} ${dangerReasons.restarts}`)).toBe(
      `${steered}${chinese.get('errors.danger.restarts')}`,
    );
  });

  it('translate two dangers of one call', () => {
    setLanguage('zh');
    const both = `${dangerReasons.destructive} ${dangerReasons.restarts}`;
    const [destructive, restarts] = ['destructive', 'restarts'].map((key) => chinese.get(`errors.danger.${key}`));
    expect(wordDanger(both)).toBe(`${destructive}${restarts}`);
  });

  it('word why a frame is not clear, and the word that it contains', () => {
    const danger = frameDanger('{"name":"reboot"', { dangerousTools: [] }) ?? '';
    expect(wordDanger(danger)).toBe(`${dangerReasons.notJson} It contains “reboot”, a word of dangerous calls.`);
    setLanguage('zh');
    const reason = '此帧不是有效的 JSON，接收方的解读可能与 Toolwire 不同。';
    expect(wordDanger(danger)).toBe(`${reason}其中含有危险调用的字词“reboot”。`);
  });

  const text = (summary: string) => ({ kind: 'text', direction: 'in', summary }) as const;
  const close = (summary: string) => ({ kind: 'close', direction: 'out', summary }) as const;

  it.each([
    ['second answer to #3', '对 #3 的第二个应答'],
    ['late answer to tools/call self.x', '迟到的应答：tools/call self.x'],
    ['answer to tools/list', '应答：tools/list'],
    ['posted a picture with a question, 1001 bytes', '上传了带问题的图片，1001 字节'],
    ['answer #7, not valid JSON from character 86', '应答 #7：从第 86 个字符起不是有效的 JSON'],
    ['listen start, by hand', 'listen start（手动）'],
    ['1006 without a close frame', '1006 没有关闭帧'],
    ['1006 as self.reboot requires', '1006 设备按 self.reboot 的要求断开'],
    ['The connection failed: ENOTFOUND', '连接失败：无法解析主机名（ENOTFOUND）'],
    ['1 audio frame, timestamp 60 ms', '1 个音频帧，时间戳 60 ms'],
    ['1 tool registered', '已注册 1 个工具'],
    ['12 tools registered', '已注册 12 个工具'],
    [
      '12 audio frames, timestamps 0 to 900 ms, largest step 240 ms after 180 ms',
      '12 个音频帧，时间戳 0 至 900 ms，最大间隔 240 ms（在 180 ms 之后）',
    ],
    ['tools/call self.light.set_rgb', 'tools/call self.light.set_rgb'],
  ])('translate the note "%s"', (summary, worded) => {
    expect(wordSummary(text(summary))).toBe(summary);
    setLanguage('zh');
    expect(wordSummary(text(summary))).toBe(worded);
  });

  it.each([
    ['out', '1008 waits-for-approval', 'It was not approved in time. (1008)'],
    ['in', '1006 waits-for-approval', 'It was not approved in time. (1006)'],
    ['out', '401 wrong-token', /^[A-Z].*\. \(401\)$/],
    ['out', '1008 refused by me', '1008 refused by me'],
  ] as const)('word the refusal (%s) "%s", with the code', (direction, summary, english) => {
    expect(wordSummary({ ...close(summary), direction })).toMatch(english);
  });

  it.each([
    ['1008 waits-for-approval', /^\p{Script=Han}.* \(1008\)$/u],
    ['1000 by the client', /^1000 由客户端关闭$/],
    ['1000 closed by hand', /^1000 手动关闭$/],
    ['1011 no sign of life for 30 s', /^1011 30 秒没有任何响应$/],
  ])('word the close "%s" in Chinese', (summary, chinese) => {
    setLanguage('zh');
    expect(wordSummary(close(summary))).toMatch(chinese);
  });

  it.each(['1008 refused', '401 wrong-token'])('word no refusal "%s" that a device made up', (summary) => {
    const madeUp = [
      text(summary),
      { ...text(summary), direction: 'out' as const },
      { ...close(summary), direction: 'in' as const },
    ];
    for (const frame of madeUp) {
      setLanguage('en');
      expect(wordSummary(frame)).toBe(summary);
      setLanguage('zh');
      expect(wordSummary(frame)).toBe(summary);
    }
  });

  it('word every code of a tool error', () => {
    // A record, so that a code which is left out does not compile.
    const codes: Record<ToolErrorCode, true> = {
      'not-authorized': true,
      'confirmation-required': true,
      'invalid-name': true,
      'unknown-tool': true,
      'unknown-method': true,
      'ambiguous-name': true,
      'not-agent-callable': true,
      'tool-withheld': true,
      'tool-changed': true,
      'unusable-method': true,
      'tool-disabled': true,
      'repeated-call': true,
      'invalid-arguments': true,
      timeout: true,
      cancelled: true,
      disconnected: true,
      interrupted: true,
      'tool-error': true,
      'bad-result': true,
      'result-too-large': true,
      'protocol-error': true,
      'unknown-protocol': true,
    };
    expect(Object.keys(codes).sort()).toEqual(Object.keys(en.errors.what).sort());
    setLanguage('zh');
    for (const code of Object.keys(codes) as ToolErrorCode[]) {
      const { what, next } = explainError({ code, message: 'English.' }, { fromDevice: true });
      expect([what, next].join(' '), code).toMatch(/\p{Script=Han}/u);
    }
  });
});
