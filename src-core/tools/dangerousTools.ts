/** A kind of harm: names that hold one of `verbs` and, where `objects` are named, one of those too. */
interface Danger {
  verbs: readonly string[];
  objects?: readonly string[];
  /** What it does, in a sentence. */
  reason: string;
}

/** What each kind of harm does, in a sentence; the window has the same sentences in its own language. */
export const dangerReasons = {
  restarts:
    'Restarts or switches off the device, which leaves the list until its button is pressed or its wake word is said.',
  reboots:
    'Restarts a board, which leaves the list until its button is pressed or its wake word is said; py-xiaozhi passes over it.',
  overwrites: 'Overwrites what is stored on the device. A wrong address can leave it unusable.',
  assets: 'Changes where the device loads its assets from, also after a restart.',
  changesWifi: 'Changes the Wi-Fi settings; the device can leave the network until someone sets it up again.',
  dropsWifi: 'Drops the Wi-Fi settings; the device leaves the network until someone sets it up again.',
  programs: 'Starts or ends programs on the computer that the client runs on.',
  unclear:
    'The receiver may read this frame differently than Toolwire does, and the frame contains a word of a dangerous call.',
  tooLong: 'The frame is too long to be checked for dangerous calls.',
} as const;

/** By the words of a tool's name (spec/xiaozhi.md §2). */
const dangers: readonly Danger[] = [
  { verbs: ['reboot'], reason: dangerReasons.restarts },
  {
    verbs: ['restart', 'shutdown', 'poweroff'],
    objects: ['device', 'system', 'board'],
    reason: dangerReasons.restarts,
  },
  { verbs: ['upgrade'], objects: ['firmware', 'ota', 'device', 'system'], reason: dangerReasons.overwrites },
  { verbs: ['update', 'flash'], objects: ['firmware', 'ota'], reason: dangerReasons.overwrites },
  { verbs: ['reset'], objects: ['factory'], reason: dangerReasons.overwrites },
  { verbs: ['erase', 'format'], objects: ['flash', 'nvs', 'storage', 'partition'], reason: dangerReasons.overwrites },
  {
    verbs: ['set', 'update', 'upgrade', 'download', 'delete', 'clear'],
    objects: ['assets'],
    reason: dangerReasons.assets,
  },
  {
    verbs: [
      'reconfigure',
      'configure',
      'config',
      'setup',
      'set',
      'change',
      'switch',
      'connect',
      'disconnect',
      'forget',
    ],
    objects: ['wifi'],
    reason: dangerReasons.changesWifi,
  },
  {
    verbs: ['reset', 'clear', 'delete', 'disable', 'off'],
    objects: ['wifi'],
    reason: dangerReasons.dropsWifi,
  },
  {
    verbs: ['kill', 'launch', 'terminate'],
    reason: dangerReasons.programs,
  },
];

/** What only reads does no harm, whatever else its name holds: `self.wifi.get_config`. */
const reads = new Set(['get', 'is', 'has', 'list', 'scan', 'query', 'status']);

/** Why a device's tool must be confirmed before it runs, in a sentence; `undefined` if it need not be. */
export function dangerOf(toolName: string): string | undefined {
  const words = wordsOf(toolName);
  if (words.some((word) => reads.has(word))) return undefined;
  // `self.restart` means the device; `music_player.restart` does not.
  if (words[0] === 'self' && words.length === 2) words.push('device');
  return dangerOfWords(new Set([...words, ...wordsOf(toolName.toLowerCase())]));
}

/** Whether the words of a dangerous name occur anywhere in a text. */
export function dangerInText(text: string): boolean {
  return dangerOfWords(new Set(['device', ...wordsOf(text), ...wordsOf(text.toLowerCase())])) !== undefined;
}

function dangerOfWords(words: ReadonlySet<string>): string | undefined {
  const holds = (any: readonly string[]) => any.some((word) => words.has(word));
  return dangers.find(({ verbs, objects }) => holds(verbs) && (objects === undefined || holds(objects)))?.reason;
}

/** Splits a name: `self.system.reconfigureWiFi` → self, system, reconfigure, wifi. */
function wordsOf(toolName: string): string[] {
  return toolName
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]+/gu, '')
    .replace(/wi-?_?fi/gi, '_wifi_')
    .replace(/(power|shut)_?(off|down)/gi, '$1$2')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
