/** What both sides said, what was really heard of it, and what happened between. */
import { expect, test } from 'vitest';

import { Revisions } from '../../../../../src-core/features/realtime/record/revisedList.ts';
import { Transcript } from '../../../../../src-core/features/realtime/record/transcript.ts';

test('an interrupted answer says how much of its voice was heard, also after its end', () => {
  const revisions = new Revisions();
  const transcript = new Transcript(revisions);
  transcript.botVoice('r1', 1_000);
  transcript.botSaid('r1', 'It is grey', 10);
  transcript.botVoice('r1', 2_400.4);
  transcript.botEnded('r1', { interrupted: false });
  const before = revisions.last;
  transcript.heard(1_200.6);
  expect(transcript.since(before)).toEqual([
    {
      id: 'bot-1',
      who: 'bot',
      text: 'It is grey',
      partial: false,
      interrupted: true,
      heard: { ms: 1_201, ofMs: 3_400 },
      at: 10,
    },
  ]);
});

test('an answer that was heard whole is not interrupted, and an earlier one is not marked', () => {
  const transcript = new Transcript(new Revisions());
  transcript.botSaid('r1', 'One.', 1);
  transcript.botVoice('r1', 500);
  transcript.botEnded('r1', { interrupted: false });
  transcript.heard(500);
  transcript.botSaid('r2', 'Two.', 2);
  transcript.botVoice('r2', 800);
  transcript.heard(0);
  const [one, two] = transcript.since(0);
  expect(one).not.toHaveProperty('heard');
  expect(one).not.toHaveProperty('interrupted');
  expect(two).toMatchObject({ heard: { ms: 0, ofMs: 800 }, interrupted: true });
});

test('notes and pictures stand between, and are whole at once', () => {
  const transcript = new Transcript(new Revisions());
  transcript.userSaid('Hi', 1);
  transcript.note('The connection was lost.', 2);
  transcript.pictureShown(84_000, 3);
  expect(transcript.since(0)).toEqual([
    { id: 'user-1', who: 'user', text: 'Hi', partial: false, at: 1 },
    { id: 'note-2', who: 'note', text: 'The connection was lost.', partial: false, at: 2 },
    { id: 'user-3', who: 'user', text: '', partial: false, pictureBytes: 84_000, at: 3 },
  ]);
});

test('words of speech come after the answer began, to where the speech began', () => {
  const transcript = new Transcript(new Revisions());
  transcript.speechBegan('i1', 1);
  transcript.botSaid('r1', 'Yes', 2);
  transcript.userSaid('Hello?', 3, 'i1');
  transcript.end();
  expect(transcript.since(0)).toMatchObject([
    { who: 'user', text: 'Hello?', partial: false, at: 1 },
    { who: 'bot', text: 'Yes', partial: false, interrupted: true },
  ]);
});
