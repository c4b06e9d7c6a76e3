/**
 * Our answer to hello (spec/xiaozhi.md §1.2): `transport` always, since the firmware crashes without it, and whole
 * numbers only.
 */
export function serverHello(sessionId: string): string {
  return JSON.stringify({
    type: 'hello',
    version: 1,
    transport: 'websocket',
    session_id: sessionId,
    audio_params: { format: 'opus', sample_rate: 24_000, channels: 1, frame_duration: 60 },
  });
}
