import type { ModelChange, ModelPreset } from '../../../../src-core/contract/types.ts';

/** A model as a preset makes it: it can be tested as soon as its key is there. */
export function newServerModel({ id, label, baseUrl, modelHint }: ModelPreset): ModelChange {
  return {
    kind: 'openai-compatible',
    label,
    preset: id,
    // Something has to stand there until the user has written the real one.
    baseUrl: baseUrl === '' ? 'http://127.0.0.1:8080/v1' : baseUrl,
    model: modelHint === '' ? 'default' : modelHint,
    stream: true,
    totalMs: 120_000,
    chunkMs: 60_000,
  };
}

/** A scripted model that says one thing, to be gone on with. */
export function newScriptedModel(label: string): ModelChange {
  return {
    kind: 'scripted',
    label,
    script: { turns: [{ text: 'Hello! You said: {{last_message}}' }], atEnd: 'repeat' },
  };
}
