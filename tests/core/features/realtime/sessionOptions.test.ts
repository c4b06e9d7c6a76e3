/** Further settings of sessions: of the model, of a conversation, and those that the server refuses. */
import { expect, test } from 'vitest';

import { ended, openRealtime, say, updatesOnce, wholeConversation } from './support.ts';

test('settings of the model hold, those of a conversation go before them, and refused ones are told', async () => {
  const workbench = await openRealtime();
  const { realtime, frames } = workbench.services;
  const saved = await realtime.saveProfile({
    kind: 'scripted',
    label: 'Mine',
    dialect: 'openai',
    script: { turns: [{ heard: 'Hello?', say: 'Good day.' }] },
    session: { temperature: 0.7, speed: 1.2, transcription: { model: 'mine' } },
  });
  expect((await realtime.profiles()).profiles.at(-1)).toMatchObject({ session: { temperature: 0.7, speed: 1.2 } });
  const { sessionId: id } = await realtime.open({
    profileId: saved.id,
    session: { speed: 0.9, output: 'text', turnDetection: { type: 'semantic_vad', eagerness: 'high' } },
  });
  const { session, transcript, events } = await wholeConversation(workbench, { id });
  expect(session.session).toEqual({
    temperature: 0.7,
    speed: 0.9,
    transcription: { model: 'mine' },
    output: 'text',
    turnDetection: { type: 'semantic_vad', eagerness: 'high' },
  });
  // The scripted server has no temperature, as OpenAI has none.
  expect(transcript.map(({ who, text }) => [who, text])).toEqual([
    ['note', expect.stringMatching(/^The server refused temperature\. The session is set without it\./)],
  ]);
  const updated = events.findLast(({ type }) => type === 'session.updated');
  expect(
    JSON.parse((await frames.frame({ source: 'realtime', connection: id, seq: updated?.seq ?? 0 })).text!),
  ).toMatchObject({
    session: {
      output_modalities: ['text'],
      audio: {
        input: { transcription: { model: 'mine' }, turn_detection: { type: 'semantic_vad', eagerness: 'high' } },
        output: { speed: 0.9 },
      },
    },
  });
  const after = await realtime.update({ id, session: { ...session.session, output: 'audio' } }).catch(String);
  // A later change is refused as a whole: the temperature is in it.
  expect(after).toContain('The server refused the session');
  await realtime.update({ id, session: { output: 'audio', speed: 1 } });
  expect((await realtime.sessions())[0]?.session).toEqual({ output: 'audio', speed: 1 });
});

test('a picture is shown to the model, and stands in the transcript', async () => {
  for (const dialect of ['openai', 'qwen'] as const) {
    const workbench = await openRealtime();
    const { realtime } = workbench.services;
    const saved = await realtime.saveProfile({
      kind: 'scripted',
      label: 'Mine',
      dialect,
      script: { turns: [{ heard: 'What is it?', say: 'A cat.' }] },
    });
    const { sessionId: id } = await realtime.open({ profileId: saved.id });
    await realtime.sendImage({ id, image: '/9j/', mimeType: 'image/jpeg' });
    await say(workbench, id);
    const { transcript } = await updatesOnce(workbench, id, ended(1));
    expect(transcript[0]).toMatchObject({ who: 'user', pictureBytes: 3 });
    expect(transcript.filter(({ who }) => who === 'note')).toEqual([]);
    expect(transcript.at(-1)).toMatchObject({ who: 'bot', text: 'A cat.' });
  }
});
