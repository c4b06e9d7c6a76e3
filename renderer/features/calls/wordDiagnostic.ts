import type { ReplyDiagnostic, ReplyDiagnosticCode } from '../../../src-core/contract/types.ts';
import { wordEngine } from '../../i18n/engine/wordEngine.ts';
import type { Language } from '../../i18n/index.ts';

interface Words {
  why: string;
  /** If it is not an error. */
  mild?: string;
  fix?: string;
}

/** The engine words its remarks in English, with what it saw; these are the same facts for a reader of Chinese. */
const zh: Record<ReplyDiagnosticCode, Words> = {
  fenced: { why: '这个调用写在代码块里，只作展示，不会执行。', fix: '把调用移出代码块' },
  'in-reasoning': { why: '这个调用写在模型的推理里，不会执行。' },
  'echoed-result': { why: '这个调用写在模型复述的结果里。结果只是数据，不会执行。' },
  'unclosed-block': { why: '这个块没有结束标记，不会执行。', mild: '这里没有结束标记。', fix: '补上结束标记' },
  'unclosed-value': { why: '这个值没有「末」，边界只能猜测，所以不会执行。', fix: '用「末」结束这个值' },
  'unclosed-fence': { why: '代码围栏一直没有结束，因此不起作用：后面的调用照常读取和执行。', fix: '补上结束围栏' },
  'unclosed-reasoning': {
    why: '推理标签一直没有结束：后面全部算作推理，其中的调用都不会执行。',
    fix: '在末尾补上结束标签',
  },
  'duplicate-key': { why: '同一个键出现了多次，以最后一次为准。', fix: '删除前一个' },
  'malformed-field': { why: '这个字段的写法读不出来，所以这次调用不会执行。', fix: '改成 key:「始」value「末」的写法' },
  'bare-fields': { why: '这些字段不在块标记之间，什么也不会执行。', fix: '给它们加上块标记' },
  'misspelt-marker': { why: '块的标记写错了。', fix: '改成正确的标记' },
  'legacy-marker': { why: '这个块用的是已停用的标记，不会执行。', fix: '改用现行标记' },
  'escaped-block': { why: '这个块用的是表示“数据”的转义标记，不会执行。', fix: '改用普通标记' },
  'literal-newline': { why: '字段之间的 \\n 是两个字符，不是换行；这里按分隔处理。', fix: '换成真正的换行' },
  'missing-tool-name': { why: '没有写工具名，不知道该调用哪个工具。', fix: '改成 tool_name' },
  'empty-block': { why: '块里没有任何字段，没有可执行的内容。' },
  'stray-end': { why: '这里没有打开的块，结束标记多余。', fix: '删去这个标记' },
  'repeated-call': { why: '与前面的调用完全相同，会再执行一次。' },
  'host-defect': { why: '这是该宿主自身的缺陷，这里照样重现。' },
  'broken-json': { why: '这个调用的 JSON 读不出来，所以不会执行。', fix: '改成正确的 JSON' },
  'not-a-call': { why: '这里应该是调用，但写的不是：调用要写成 {"name": "…", "arguments": {…}}。' },
  'arguments-not-object': { why: '参数不是 JSON 对象，所以不会执行。' },
  'inline-call': { why: '这个调用写在一行文字中间，按举例看待，不会执行。', fix: '放到标签之间' },
  'tool-definition': { why: '这里是在说明一个工具和它的参数，并没有调用。' },
  'stream-fragment': { why: '这是流式回答的一小段，凑不成完整的调用，不会执行。' },
  'other-protocol': { why: '这个调用用的是另一种协议；一段回复只按一种协议读取，所以它不会执行。' },
};

/** Codes whose exact cause is only in the message. */
const exactCauses: ReadonlySet<ReplyDiagnosticCode> = new Set([
  'malformed-field',
  'misspelt-marker',
  'broken-json',
  'unclosed-block',
]);

/** A remark, and the word on its fix, in the window's language. */
export function wordDiagnostic(
  { code, message, severity, guess, fix }: ReplyDiagnostic,
  language: Language,
): { why: string; fix?: string } {
  if (language === 'en') return fix === undefined ? { why: message } : { why: message, fix: fix.title };
  const words = zh[code];
  const meant = guess === undefined ? '' : `原意可能是“${guess}”。`;
  // The exact cause, in the words of the engine.
  if (exactCauses.has(code)) {
    const cause = wordEngine(message);
    if (cause !== message) return fix === undefined ? { why: cause } : { why: cause, fix: words.fix ?? fix.title };
  }
  const why = (severity === 'error' ? words.why : (words.mild ?? words.why)) + meant;
  return fix === undefined ? { why } : { why, fix: words.fix ?? fix.title };
}
