/** The sound that we announce to devices, and send: Opus of one channel (docs/protocols/xiaozhi.md#hello). */
export const serverAudio = Object.freeze({ sampleRate: 24_000, frameMs: 60 });

/** Our answer to hello: `transport` always, since the firmware crashes without it, and whole numbers only. */
export function serverHello(sessionId: string): string {
  return JSON.stringify({
    type: 'hello',
    version: 1,
    transport: 'websocket',
    session_id: sessionId,
    audio_params: {
      format: 'opus',
      sample_rate: serverAudio.sampleRate,
      channels: 1,
      frame_duration: serverAudio.frameMs,
    },
  });
}
