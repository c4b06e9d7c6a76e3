/** Events that have no effect here, and whose meaning is known all the same. */
const withoutEffect = [
  'conversation.created',
  'conversation.item.deleted',
  'conversation.item.retrieved',
  'conversation.item.truncated',
  'conversation.item.input_audio_transcription.delta',
  'conversation.item.input_audio_transcription.segment',
  'input_audio_buffer.cleared',
  'input_audio_buffer.committed',
  'input_audio_buffer.dtmf_event_received',
  'input_audio_buffer.timeout_triggered',
  'output_audio_buffer.started',
  'output_audio_buffer.stopped',
  'output_audio_buffer.cleared',
  'mcp_list_tools.in_progress',
  'mcp_list_tools.completed',
  'mcp_list_tools.failed',
  'rate_limits.updated',
  'response.content_part.added',
  'response.content_part.done',
  'response.function_call_arguments.delta',
  // Comes for interrupted responses, too: the call is run when its item is done (docs/protocols/realtime.md).
  'response.function_call_arguments.done',
  // Of tools that the server calls by itself: none of ours.
  'response.mcp_call_arguments.delta',
  'response.mcp_call_arguments.done',
  'response.mcp_call.in_progress',
  'response.mcp_call.completed',
  'response.mcp_call.failed',
  'response.output_item.added',
  'response.output_audio.done',
  'response.output_audio_transcript.done',
  'response.output_text.done',
  'response.audio.done',
  'response.audio_transcript.done',
  'response.text.done',
  'session.finished',
  'transcription_session.updated',
];

const withEffect = [
  'session.created',
  'session.updated',
  'error',
  'response.created',
  'response.done',
  'response.output_audio.delta',
  'response.output_audio_transcript.delta',
  'response.output_text.delta',
  'response.audio.delta',
  'response.audio_transcript.delta',
  'response.text.delta',
  'response.output_item.done',
  'conversation.item.created',
  'conversation.item.added',
  'conversation.item.done',
  'conversation.item.input_audio_transcription.completed',
  'conversation.item.input_audio_transcription.failed',
  'input_audio_buffer.speech_started',
  'input_audio_buffer.speech_stopped',
];

/** Events that we send. */
const sent = [
  'session.update',
  'input_audio_buffer.append',
  'input_audio_buffer.clear',
  'input_audio_buffer.commit',
  'input_image_buffer.append',
  'conversation.item.create',
  'conversation.item.truncate',
  'response.create',
  'response.cancel',
];

const known = new Set([...withoutEffect, ...withEffect]);
const ofDialects = new Set([...known, ...sent]);

/** True for an event of either name set (docs/protocols/realtime.md#dialects). */
export function isKnownEvent(type: string): boolean {
  return known.has(type);
}

/** True for an event that a dialect sends or understands. */
export function isDialectEvent(type: string): boolean {
  return ofDialects.has(type);
}
