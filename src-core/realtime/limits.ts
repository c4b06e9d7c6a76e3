/** What one realtime connection may cost: the server's events are untrusted, and so are the sizes of what is sent. */
export const realtimeLimits = Object.freeze({
  /** Bytes of one frame that comes; a larger one ends the connection (close code 1009). */
  frameBytes: 16 * 1024 * 1024,
  /** Characters of a noted event. */
  notedCharacters: 64 * 1024,
  /** Characters of the server's words in an error or an event's type. */
  detailCharacters: 1_000,
  /** ms from the first byte to the server's greeting and the answer to the first settings. */
  connectMs: 15_000,
  /** ms for the answer to a change of the session, and after which a response that never began is no longer waited for. */
  answerMs: 10_000,
  /** ms that the server has to answer our close. */
  closeGraceMs: 2_000,
  /** ms of silence after which the connection is asked whether it lives; as many more, and it is lost. */
  heartbeatMs: 20_000,
  /** ms before each attempt to connect again; after the last one it is given up. */
  reconnectDelaysMs: Object.freeze([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000, 15_000]),
  /** ms that a connection must have lasted for the delays to start again. */
  steadyMs: 10_000,
  /** Bytes that may lie in the socket before `sendAudio` makes its caller wait. */
  bufferedBytes: 256 * 1024,
  /** Bytes of sound in one event. */
  audioPieceBytes: 1024 * 1024,
  /** Bytes of one picture. */
  imageBytes: 8 * 1024 * 1024,
  /** ms of sound kept while there is no session to take it. */
  heldAudioMs: 2_000,
  /** ms of sound below which a turn is none: servers refuse to take so little. */
  minTurnMs: 100,
  /** Items of one finished response that are looked at. */
  responseItems: 256,
  /** Calls that run at the same time; a further one is answered with an error. */
  runningCalls: 64,
  /** Calls with an output that the server has not confirmed. */
  unconfirmedCalls: 64,
  /** Ids of calls that are known again when they come twice. */
  rememberedCalls: 1_000,
  /** Events of ours that an error can still be matched to. */
  rememberedEvents: 512,
  argumentCharacters: 256 * 1024,
  outputCharacters: 200_000,
  /** Texts of the conversation that a new session is told after a loss, and characters of each. */
  rememberedTexts: 20,
  rememberedCharacters: 4_000,
  tools: 512,
  instructionCharacters: 200_000,
  textCharacters: 32_000,
  /** Characters after which a sentence without an end is cut. */
  sentenceCharacters: 400,
});
