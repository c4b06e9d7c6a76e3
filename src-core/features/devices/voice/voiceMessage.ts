/** What a server tells a device beside its sound; the firmware wants all three texts of an alert. */
export type VoiceMessage =
  | { type: 'stt'; text: string }
  | { type: 'llm'; emotion: string; text: string }
  | { type: 'tts'; state: 'start' | 'stop' }
  | { type: 'tts'; state: 'sentence_start'; text: string }
  | { type: 'alert'; status: string; message: string; emotion: string };
