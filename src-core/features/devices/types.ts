/** What sort of message a frame is; `event` is a type we do not know, `invalid` what could not be read. */
export type FrameType = (typeof frameTypes)[number];

export const frameTypes = [
  'hello',
  'mcp',
  'listen',
  'abort',
  'iot',
  'ping',
  'pong',
  'goodbye',
  'tts',
  'stt',
  'llm',
  'system',
  'alert',
  'custom',
  'audio',
  'open',
  'close',
  'note',
  'event',
  'invalid',
] as const;
