import { t, type MessageKey } from '../../../i18n/index.ts';

/** A frame that is often sent by hand. */
export type TemplateId =
  | 'tts-start'
  | 'tts-sentence'
  | 'tts-stop'
  | 'stt'
  | 'llm'
  | 'alert'
  | 'reboot'
  | 'custom'
  | 'mcp'
  | 'text'
  | 'binary';

/** A blank in a template. `json`: its text goes in as it stands. */
export interface TemplateField {
  name: 'text' | 'emotion' | 'status' | 'message' | 'payload' | 'method' | 'params';
  readonly initial: string;
  json?: true;
  /** What is often written; anything else goes, too. */
  suggestions?: readonly string[];
}

export interface Template {
  id: TemplateId;
  fields: readonly TemplateField[];
  /** The frame's text; `id` is free for a request. */
  build: (values: Readonly<Record<string, string>>, id: number) => string;
}

/** Faces that the firmware has (78/xiaozhi-esp32, display). */
const emotions = [
  'neutral',
  'happy',
  'laughing',
  'funny',
  'sad',
  'angry',
  'crying',
  'loving',
  'embarrassed',
  'surprised',
  'shocked',
  'thinking',
  'winking',
  'cool',
  'relaxed',
  'delicious',
  'kissy',
  'confident',
  'sleepy',
  'silly',
  'confused',
] as const;

const quote = (value: string | undefined): string => JSON.stringify(value ?? '');
const object = (members: Record<string, string>): string =>
  `{${Object.entries(members)
    .map(([name, text]) => `${quote(name)}:${text}`)
    .join(',')}}`;

/** A text in the window's language. */
const example = (key: MessageKey): TemplateField => ({
  name: 'text',
  get initial() {
    return t(key);
  },
});

/** What the firmware takes from a server (docs/protocols/xiaozhi.md), a request of MCP, and anything at all. */
export const templates: readonly Template[] = [
  { id: 'tts-start', fields: [], build: () => object({ type: quote('tts'), state: quote('start') }) },
  {
    id: 'tts-sentence',
    fields: [example('devices.send.example.spoken')],
    build: ({ text }) => object({ type: quote('tts'), state: quote('sentence_start'), text: quote(text) }),
  },
  { id: 'tts-stop', fields: [], build: () => object({ type: quote('tts'), state: quote('stop') }) },
  {
    id: 'stt',
    fields: [example('devices.send.example.heard')],
    build: ({ text }) => object({ type: quote('stt'), text: quote(text) }),
  },
  {
    id: 'llm',
    fields: [
      { name: 'emotion', initial: 'happy', suggestions: emotions },
      { name: 'text', initial: '🙂' },
    ],
    build: ({ emotion, text }) => object({ type: quote('llm'), emotion: quote(emotion), text: quote(text) }),
  },
  {
    id: 'alert',
    fields: [
      { name: 'status', initial: 'Toolwire' },
      { name: 'message', initial: 'Hello' },
      { name: 'emotion', initial: 'neutral', suggestions: emotions },
    ],
    build: ({ status, message, emotion }) =>
      object({ type: quote('alert'), status: quote(status), message: quote(message), emotion: quote(emotion) }),
  },
  { id: 'reboot', fields: [], build: () => object({ type: quote('system'), command: quote('reboot') }) },
  {
    id: 'custom',
    fields: [{ name: 'payload', initial: '{"hello":"there"}', json: true }],
    build: ({ payload }) => object({ type: quote('custom'), payload: payload || '{}' }),
  },
  {
    id: 'mcp',
    fields: [
      {
        name: 'method',
        initial: 'tools/call',
        suggestions: ['tools/call', 'tools/list', 'initialize', 'ping', 'resources/list'],
      },
      { name: 'params', initial: '{"name":"self.get_device_status","arguments":{}}', json: true },
    ],
    build: ({ method, params }, id) =>
      object({
        type: quote('mcp'),
        payload: object({
          jsonrpc: quote('2.0'),
          id: String(id),
          method: quote(method),
          ...(params && { params }),
        }),
      }),
  },
  { id: 'text', fields: [], build: () => '' },
  { id: 'binary', fields: [], build: () => '' },
];
