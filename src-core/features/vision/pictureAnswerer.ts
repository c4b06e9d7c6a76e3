import type { AnswerPicture } from './visionDesk.ts';
import { scriptedModelId } from '../models/modelRegistry.ts';
import type { Models } from '../models/service.ts';

/** The answer is read aloud by a small speaker, and boards accept few bytes (docs/protocols/xiaozhi.md#vision). */
const instruction =
  'You are shown a picture that the camera of a small voice device has just taken. Answer the question about it in the ' +
  'language of the question, in a few short sentences to be read aloud, without markup.';
const unasked = 'What is in this picture?';

/** How the default chat model answers a picture's question; `undefined` if it is the built-in scripted model. */
export function pictureAnswerer(models: Models): AnswerPicture | undefined {
  const id = models.defaultId();
  if (id === scriptedModelId) return undefined;
  return async ({ mediaType, data }, question, signal) => {
    const { text } = await models.modelOf(id).generate({
      messages: [
        { role: 'system', content: instruction },
        { role: 'user', content: question === '' ? unasked : question, pictures: [{ mediaType, data }] },
      ],
      signal,
    });
    if (text.trim() === '') throw new Error('The answer of the model has no text.');
    return text.trim();
  };
}
