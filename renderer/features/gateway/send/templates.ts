import { t } from '../../../i18n/index.ts';

/** Facts about the connection that a template may fill in. */
export interface TemplateFacts {
  sessionId: string;
  /** Id of the call that waits for an answer; a made-up one if none does. */
  callId: string;
  /** ISO 8601. */
  timestamp: string;
}

/** A message that is often sent manually. */
export interface Template {
  id: string;
  build: (facts: TemplateFacts) => string;
}

const json = (message: object): string => JSON.stringify(message, null, 2);
const raw: Template = { id: 'raw', build: () => '' };

/** Every message a client may send (docs/protocols/gateway.md#client-messages), and a free-form message. */
export const clientTemplates: readonly Template[] = [
  {
    id: 'text_input',
    build: ({ timestamp }) => json({ type: 'text_input', text: t('gateway.try.text'), timestamp }),
  },
  {
    id: 'configure',
    build: () => json({ type: 'configure', temperature: 0.2, max_tokens: 1024, enable_context: true }),
  },
  { id: 'start_session', build: ({ sessionId }) => json({ type: 'start_session', session_id: sessionId }) },
  { id: 'end_session', build: () => json({ type: 'end_session' }) },
  {
    id: 'register_tools',
    build: () =>
      json({
        type: 'register_tools',
        tools: [
          {
            name: 'lamp.set',
            description: 'Sets the brightness of the lamp.',
            parameters: {
              type: 'object',
              properties: { brightness: { type: 'integer', minimum: 0, maximum: 100 } },
              required: ['brightness'],
            },
          },
        ],
      }),
  },
  {
    id: 'tool_result',
    build: ({ callId }) => json({ type: 'tool_result', call_id: callId, success: true, result: { ok: true } }),
  },
  { id: 'ping', build: () => json({ type: 'ping' }) },
  raw,
];

/** Every message a gateway may send (docs/protocols/gateway.md#server-messages), and a free-form message. */
export const serverTemplates: readonly Template[] = [
  {
    id: 'llm_response',
    build: ({ timestamp }) =>
      json({ type: 'llm_response', content: 'It is 12:41.', tool_calls: [], is_final: true, timestamp }),
  },
  {
    id: 'status',
    build: ({ sessionId, timestamp }) =>
      json({ type: 'status', status: 'processing', data: { session_id: sessionId }, timestamp }),
  },
  {
    id: 'tool_callback',
    build: ({ timestamp }) =>
      json({ type: 'tool_callback', call_id: 'by-hand-1', tool_name: 'get_time', arguments: {}, timestamp }),
  },
  {
    id: 'tool_call',
    build: ({ timestamp }) =>
      json({
        type: 'tool_call',
        tool_name: 'get_current_time',
        arguments: {},
        result: { time: '12:41' },
        success: true,
        duration_ms: 3,
        timestamp,
      }),
  },
  {
    id: 'tools_registered',
    build: ({ timestamp }) =>
      json({ type: 'tools_registered', count: 1, tools: [{ name: 'get_time', status: 'registered' }], timestamp }),
  },
  {
    id: 'error',
    build: ({ timestamp }) =>
      json({ type: 'error', code: 'LLM_ERROR', message: 'The model is not there', details: '', timestamp }),
  },
  { id: 'pong', build: ({ timestamp }) => json({ type: 'pong', timestamp }) },
  raw,
];
