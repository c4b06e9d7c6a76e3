import { realtimeLimits } from '../limits.ts';

/** What one side said. */
export interface RememberedText {
  role: 'user' | 'assistant';
  text: string;
}

/** The last texts of both sides, for a session that begins after a loss. */
export class ConversationMemory {
  readonly #texts: RememberedText[] = [];
  #speaking = '';

  /** A part of what the model says. */
  heard(delta: string): void {
    this.#speaking = (this.#speaking + delta).slice(0, realtimeLimits.rememberedCharacters);
  }

  /** The model has ended, or was cut short. */
  ended(): void {
    this.#add('assistant', this.#speaking);
    this.#speaking = '';
  }

  /** The user said or typed this. */
  said(text: string): void {
    this.#add('user', text);
  }

  get texts(): readonly RememberedText[] {
    return this.#texts;
  }

  #add(role: RememberedText['role'], text: string): void {
    if (text.trim() === '') return;
    this.#texts.push({ role, text: text.slice(0, realtimeLimits.rememberedCharacters) });
    if (this.#texts.length > realtimeLimits.rememberedTexts) this.#texts.shift();
  }
}
