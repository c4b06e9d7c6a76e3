import { dangerReasons } from './dangerReasons.ts';
import { plainText } from '../base/plainText.ts';

/** A kind of harm: names that hold one of `verbs` and, where `objects` are named, one of those too. */
interface Danger {
  verbs: readonly string[];
  objects?: readonly string[];
  /** What it does, in a sentence. */
  reason: string;
}

const files = ['file', 'files', 'folder', 'folders', 'directory', 'directories'];
const storage = ['flash', 'nvs', 'storage', 'partition', 'disk', 'drive', 'card', 'sdcard', 'filesystem', 'eeprom'];
const firmware = ['firmware', 'ota', 'bootloader', 'rom'];
const machine = ['device', 'system', 'board', 'computer', 'pc', 'host', 'server', 'machine', 'router', 'gateway'];
const messages = ['mail', 'mails', 'email', 'emails', 'message', 'messages', 'sms', 'mms', 'tweet', 'comment'];
const documents = ['document', 'page', 'notebook', 'block', 'code', 'note', 'notes', 'record', 'records', 'table'];
const repository = ['git', 'repo', 'repository', 'branch', 'branches', 'commit', 'commits'];
const goods = ['food', 'meal', 'pizza', 'taxi', 'ride', 'ticket', 'tickets', 'hotel', 'flight', 'product', 'item'];

/** By the words of a tool's name. A verb with many harmless uses needs an object. */
const dangers: readonly Danger[] = [
  { verbs: ['reboot'], reason: dangerReasons.restarts },
  { verbs: ['restart', 'shutdown', 'poweroff', 'halt', 'hibernate'], objects: machine, reason: dangerReasons.restarts },
  {
    verbs: ['set', 'update', 'upgrade', 'download', 'delete', 'clear'],
    objects: ['assets'],
    reason: dangerReasons.assets,
  },
  {
    verbs: ['upgrade', 'downgrade', 'rollback'],
    objects: [...firmware, 'device', 'system'],
    reason: dangerReasons.overwrites,
  },
  {
    verbs: ['update', 'flash', 'download', 'burn', 'begin', 'start'],
    objects: firmware,
    reason: dangerReasons.overwrites,
  },
  {
    verbs: ['reset'],
    objects: ['factory', 'device', 'system', 'board', 'nvs', 'settings'],
    reason: dangerReasons.overwrites,
  },
  { verbs: ['write', 'burn'], objects: [...files, ...storage, 'efuse', 'memory'], reason: dangerReasons.overwrites },
  { verbs: ['format'], objects: storage, reason: dangerReasons.overwrites },
  { verbs: ['overwrite'], reason: dangerReasons.overwrites },
  {
    verbs: ['edit', 'modify', 'patch', 'replace', 'update', 'append', 'move', 'rename'],
    objects: files,
    reason: dangerReasons.edits,
  },
  { verbs: ['edit'], objects: [...documents, 'multi'], reason: dangerReasons.edits },
  { verbs: ['replace'], objects: ['str', 'editor'], reason: dangerReasons.edits },
  { verbs: ['reset', 'rebase', 'revert', 'patch', 'checkout'], objects: repository, reason: dangerReasons.edits },
  {
    verbs: ['push'],
    objects: [...repository, ...files, 'tag', 'code', 'changes', 'force'],
    reason: dangerReasons.edits,
  },
  { verbs: ['merge', 'accept'], objects: [...repository, 'pull', 'pr', 'mergerequest'], reason: dangerReasons.edits },
  {
    verbs: [
      ...['reconfigure', 'configure', 'config', 'setup', 'set', 'change', 'switch'],
      ...['connect', 'disconnect', 'forget'],
    ],
    objects: ['wifi'],
    reason: dangerReasons.changesWifi,
  },
  {
    verbs: ['reset', 'clear', 'delete', 'remove', 'disable', 'off'],
    objects: ['wifi'],
    reason: dangerReasons.dropsWifi,
  },
  {
    verbs: ['kill', 'launch', 'terminate', 'spawn', 'install', 'uninstall', 'sideload'],
    reason: dangerReasons.programs,
  },
  { verbs: ['exec', 'eval', 'shell', 'sudo', 'powershell', 'chmod', 'chown'], reason: dangerReasons.programs },
  {
    verbs: ['execute', 'run'],
    objects: ['command', 'commands', 'cmd', 'script', 'code', 'program', 'process', 'sql', 'python', 'bash', 'query'],
    reason: dangerReasons.programs,
  },
  {
    verbs: ['stop', 'end'],
    objects: ['process', 'service', 'program', 'application'],
    reason: dangerReasons.programs,
  },
  { verbs: ['delete', 'erase', 'wipe', 'purge', 'destroy', 'rm', 'rmdir', 'unlink'], reason: dangerReasons.deletes },
  {
    verbs: ['remove', 'clear', 'drop', 'truncate'],
    objects: [
      ...[...files, ...storage, 'data', 'database', 'table', 'collection', 'index', 'log', 'logs', 'history'],
      ...['user', 'users', 'account', 'accounts', 'contact', 'contacts', 'app', 'application', 'key', 'keys'],
    ],
    reason: dangerReasons.deletes,
  },
  { verbs: ['unlock', 'disarm', 'revoke', 'grant', 'unpair'], reason: dangerReasons.access },
  { verbs: ['open'], objects: ['door', 'gate', 'garage', 'lock', 'safe'], reason: dangerReasons.access },
  {
    verbs: ['disable', 'off'],
    objects: ['security', 'firewall', 'protection', 'safety', 'lock', 'user', 'account'],
    reason: dangerReasons.access,
  },
  {
    verbs: ['set', 'change', 'reset', 'update', 'clear'],
    objects: ['password', 'passwd', 'passcode', 'credential', 'credentials', 'permission', 'permissions'],
    reason: dangerReasons.access,
  },
  { verbs: ['pair', 'forget'], objects: ['device', 'bluetooth', 'ble'], reason: dangerReasons.access },
  { verbs: ['pay', 'purchase', 'buy', 'checkout', 'donate'], reason: dangerReasons.spends },
  {
    verbs: ['transfer', 'send', 'withdraw'],
    objects: ['money', 'funds', 'payment', 'balance', 'cash', 'bank', 'redpacket'],
    reason: dangerReasons.spends,
  },
  { verbs: ['order', 'book'], objects: goods, reason: dangerReasons.spends },
  { verbs: ['place', 'submit', 'create', 'confirm'], objects: ['order', 'booking'], reason: dangerReasons.spends },
  { verbs: ['publish', 'tweet', 'dial'], reason: dangerReasons.sends },
  { verbs: ['send', 'post', 'reply', 'forward'], objects: messages, reason: dangerReasons.sends },
  { verbs: ['call'], objects: ['phone', 'contact', 'emergency', 'police', 'ambulance'], reason: dangerReasons.sends },
  { verbs: ['make', 'place'], objects: ['call'], reason: dangerReasons.sends },
];

/** Chinese names have no spaces between words, so these are looked for anywhere in a name. */
const chineseDangers: readonly (readonly [RegExp, string])[] = [
  [/重启|重新启动|关机|关闭(?:系统|设备|电脑)/, dangerReasons.restarts],
  [/出厂|升级|刷机|刷写|烧录|格式化|覆盖|写入|(?:更新|下载)固件|固件更新/, dangerReasons.overwrites],
  [
    /(?:编辑|修改|替换|移动|重命名)文件|推送(?:代码|提交|分支)|合并(?:请求|分支|代码)|重置(?:仓库|分支)/,
    dangerReasons.edits,
  ],
  [/配网|(?:设置|更改|修改|连接|断开|切换)_?(?:网络|wifi|无线)/, dangerReasons.changesWifi],
  [
    /卸载|(?<!已)安装|(?:终止|结束|启动|停止)(?:进程|程序|应用|服务)|(?:执行|运行)(?:命令|脚本|代码|程序)/,
    dangerReasons.programs,
  ],
  [/删除|擦除|抹除|清空|清除(?!屏)|销毁/, dangerReasons.deletes],
  [/解锁|开锁|撤防|授权|打开(?:车|大|房)?门|开门|禁用|(?:修改|重置|更改)密码|解除配对/, dangerReasons.access],
  [/支付|付款|转账|购买|下单|订购|充值/, dangerReasons.spends],
  [/发送|发布|群发|拨打|拨号|转发/, dangerReasons.sends],
];

/** What only reads does no harm, whatever else its name holds: `self.wifi.get_config`. */
const reads = new Set([
  ...['get', 'is', 'has', 'can', 'list', 'read', 'query', 'status', 'scan', 'check', 'show', 'find', 'search'],
  'describe',
]);
const chineseReads = /^(?:获取|查询|读取|列出|查看|查找|搜索|检查|检测|是否|状态|统计)/;
/** A name of two actions is not one that only reads: `get_status_and_reboot`. */
const joins = new Set(['and', 'then', 'or']);
const chineseJoins = /(?<!合)并|然后|再|和|后/;

/** Verbs of the list that are more often nouns at the start of a name: `config.get_wifi`, `order.list_items`. */
const nouns = ['config', 'setup', 'order', 'book', 'call', 'post'];
const firstVerbs = /* @__PURE__ */ (() =>
  new Set(dangers.flatMap(({ verbs }) => verbs).filter((verb) => !nouns.includes(verb))))();

/** By name: thousands of boards have equal tools. */
const known = new Map<string, string | undefined>();
const maxKnown = 2_048;

/**
 * Why a device's tool must be confirmed before it runs, in a sentence; `undefined` if it need not be. Judged by the words
 * of its name. A reading word exempts a tool only as the first word, or as the second if the first is not a dangerous
 * verb; the namespace `self` does not count.
 */
export function dangerOf(toolName: string): string | undefined {
  if (known.has(toolName)) return known.get(toolName);
  const danger = readDanger(toolName);
  if (known.size >= maxKnown) known.clear();
  known.set(toolName, danger);
  return danger;
}

function readDanger(toolName: string): string | undefined {
  if (onlyReads(toolName)) return undefined;
  const words = wordsOf(toolName);
  // `self.restart` and `restart` mean the device; `music_player.restart` does not.
  if (withoutSelf(words).filter((word) => !reads.has(word)).length === 1) words.push('device');
  const all = [...words, ...wordsOf(toolName.toLowerCase())];
  return (dangerOfWords(new Set(all)) ?? chineseDanger(all.join('_')))?.reason;
}

/** Whether a tool only reads, by the words of its name. */
export function onlyReads(toolName: string): boolean {
  const words = withoutSelf(wordsOf(toolName));
  if (words.some((word) => joins.has(word) || chineseJoins.test(word))) return false;
  const [first = '', second = ''] = words;
  if (isReading(first)) return true;
  return isReading(second) && !firstVerbs.has(first) && !chineseDangers.some(([names]) => names.test(first));
}

function isReading(word: string): boolean {
  return reads.has(word) || chineseReads.test(word);
}

function withoutSelf(words: readonly string[]): readonly string[] {
  return words[0] === 'self' ? words.slice(1) : words;
}

/** Verbs and objects of all kinds of harm. A word begins and ends where `wordsOf` splits a name. */
const dangerWord = /* @__PURE__ */ (() => {
  const words = dangers.flatMap(({ verbs, objects = [] }) => [...verbs, ...objects]);
  const anyCase = (word: string): string => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  const camel = '(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])';
  const all = [...new Set(words)].map(anyCase).join('|');
  return new RegExp(`(?:(?<![A-Za-z0-9])|${camel})(?:${all})(?:(?![A-Za-z])|${camel})`, 'g');
})();

/** The words of a dangerous name that occur anywhere in a text. Takes linear time and makes no list of all words. */
export function dangerInText(text: string): string | undefined {
  // NFKD expands some Arabic characters to 18, and no dangerous word contains any.
  const folded = fold(text.replace(/\p{Script=Arabic}+/gu, ' '));
  const written = new Set<string>();
  for (const [word] of folded.matchAll(dangerWord)) written.add(word.toLowerCase());
  const danger = dangerOfWords(new Set([...written, 'device']));
  if (danger !== undefined) return danger.words.filter((word) => written.has(word)).join(' … ');
  if (!/\p{Script=Han}/u.test(folded)) return undefined;
  return chineseDanger(folded.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_'))?.word;
}

function dangerOfWords(words: ReadonlySet<string>): { reason: string; words: string[] } | undefined {
  for (const { verbs, objects, reason } of dangers) {
    const verb = verbs.find((each) => words.has(each));
    const object = objects?.find((each) => words.has(each));
    if (verb !== undefined && objects === undefined) return { reason, words: [verb] };
    if (verb !== undefined && object !== undefined) return { reason, words: [verb, object] };
  }
  return undefined;
}

/** The words of `text` are joined by "_". */
function chineseDanger(text: string): { reason: string; word: string } | undefined {
  for (const [names, reason] of chineseDangers) {
    const word = names.exec(text)?.[0];
    if (word !== undefined) return { reason, word };
  }
  return undefined;
}

/** Writes a name's characters and the spellings of a word in one way: `Wi-Fi` and `wi_fi` as `_wifi_`. */
function fold(text: string): string {
  return (
    plainText(text)
      .replace(/wi-?_?fi/gi, '_wifi_')
      .replace(/(power|shut)[_.\s-]?(off|down)/gi, (_whole, ...[verb, end]: string[]) =>
        `_${verb}${end}_`.toLowerCase(),
      )
      .replace(written, '_$1_$2_')
      .replace(/factory[_.-]?(?:reset|default)/gi, '_factory_reset_')
      .replace(/check[_-]?out/gi, '_checkout_')
      // A noun: only a verb before it says what is done with it.
      .replace(/merge[_.-]?requests?/gi, '_mergerequest_')
  );
}

/** A verb and an object without a separator: `deletefile`, `rebootnow`. */
const written =
  /(?<![a-z])(reboot|restart|shutdown|poweroff|delete|erase|wipe|purge|remove|unlock|kill|install|uninstall|reset|clear)(all|now|everything|files?|folders?|data|device|system|apps?|users?|door|disk|history|storage|flash)(?![a-z])/gi;

/** Splits a name: `self.system.reconfigureWiFi` → self, system, reconfigure, wifi. */
function wordsOf(toolName: string): string[] {
  return fold(toolName)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/(\p{Script=Han})([a-z])/giu, '$1_$2')
    .replace(/([a-z])([\p{Script=Han}\d])/giu, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
