/** A part of what is said, with its sound. */
export interface SpokenPart {
  /** The words or signs of it, spaces and punctuation included: all parts together are the text. */
  text: string;
  pcm: Int16Array;
}

const syllableMs = 180;
/** ms of silence after a sign; a full stop takes longer than a comma. */
const pauses = new Map([...'.!?。！？'].map((sign): [string, number] => [sign, 260]));
for (const sign of ',;:，；：、') pauses.set(sign, 130);

/** First three formants in Hz of the vowels. */
const vowels: Record<string, readonly [number, number, number]> = {
  a: [800, 1_200, 2_500],
  e: [500, 1_900, 2_500],
  i: [300, 2_200, 2_900],
  o: [450, 850, 2_400],
  u: [320, 800, 2_300],
};
const vowelNames = 'aeiou';

/**
 * Says a text with a voice of our own: a buzz through moving formants, a syllable for each group of letters with a vowel
 * or each Chinese character, about 180 ms each. It is no language, but has the rhythm, the length and the spectrum of
 * speech. The same text always sounds the same. 24,000 samples a second by default.
 */
export function* speak(text: string, sampleRate = 24_000): Generator<SpokenPart> {
  const voice = new Voice(sampleRate);
  for (const part of text.match(/[\p{Script=Han}]|[^\s\p{Script=Han}]+\s*|\s+/gu) ?? [])
    yield { text: part, pcm: voice.say(part) };
}

class Voice {
  readonly #rate: number;
  #phase = 0;
  #said = 0;

  constructor(rate: number) {
    this.#rate = rate;
  }

  say(part: string): Int16Array {
    const sounds = syllablesOf(part);
    const pauseMs = [...part].reduce((longest, sign) => Math.max(longest, pauses.get(sign) ?? 0), 0);
    const each = Math.round((syllableMs * this.#rate) / 1_000);
    const pcm = new Int16Array(sounds.length * each + Math.round((pauseMs * this.#rate) / 1_000));
    for (const [index, vowel] of sounds.entries())
      this.#syllable(pcm.subarray(index * each, (index + 1) * each), vowel);
    return pcm;
  }

  #syllable(target: Int16Array, vowel: string): void {
    const formants = vowels[vowel] ?? [500, 1_500, 2_500];
    // The voice falls over a sentence and moves a little with each syllable, as the user's does.
    const base = 130 + 18 * Math.sin(this.#said * 1.7) - 12 * Math.min(1, this.#said / 20);
    this.#said += 1;
    const cycle = cycleOf(base, formants);
    for (let at = 0; at < target.length; at += 1) {
      const done = at / target.length;
      const pitch = base * (1 + 0.06 * Math.sin(Math.PI * done));
      this.#phase = (this.#phase + pitch / this.#rate) % 1;
      target[at] = Math.round(11_000 * envelope(done) * valueAt(cycle, this.#phase));
    }
  }
}

/** One swing of the vocal folds through the formants, -1 to 1: all harmonics up to 3,600 Hz. */
function cycleOf(pitch: number, formants: readonly number[]): Float64Array {
  const cycle = new Float64Array(1_024);
  for (let harmonic = 1; harmonic * pitch < 3_600; harmonic += 1) {
    const gain = gainAt(harmonic * pitch, formants);
    for (let at = 0; at < cycle.length; at += 1)
      cycle[at] = (cycle[at] ?? 0) + gain * Math.sin((2 * Math.PI * harmonic * at) / cycle.length);
  }
  const peak = cycle.reduce((highest, value) => Math.max(highest, Math.abs(value)), 0);
  return cycle.map((value) => value / peak);
}

/** Between two values of the cycle, a straight line: steps would hiss. */
function valueAt(cycle: Float64Array, phase: number): number {
  const place = phase * cycle.length;
  const index = Math.floor(place);
  const value = cycle[index] ?? 0;
  return value + ((cycle[(index + 1) % cycle.length] ?? 0) - value) * (place - index);
}

/** One vowel for each syllable of a word; a Chinese character is one, digits and strange letters are one each. */
function syllablesOf(part: string): string[] {
  const groups = part.toLowerCase().match(/[aeiouyäöü]+|\p{Script=Han}|\d|[^\sa-z\p{P}\p{S}]/gu) ?? [];
  if (groups.length === 0) return /[\p{L}\p{N}]/u.test(part) ? ['e'] : [];
  return groups.map((group) => {
    const first = group[0] ?? '';
    return Object.hasOwn(vowels, first) ? first : (vowelNames[(group.codePointAt(0) ?? 0) % 5] ?? 'a');
  });
}

function gainAt(hertz: number, formants: readonly number[]): number {
  let gain = 0.02;
  for (const [index, formant] of formants.entries()) {
    const width = 90 + index * 40;
    gain += 1 / (1 + index) / (1 + ((hertz - formant) / width) ** 2);
  }
  return gain;
}

/** Rises fast, holds, falls: the edges are silent, so that syllables join without a click. */
function envelope(done: number): number {
  if (done < 0.12) return Math.sin((Math.PI / 2) * (done / 0.12)) ** 2;
  if (done > 0.7) return Math.cos((Math.PI / 2) * ((done - 0.7) / 0.3)) ** 2;
  return 1;
}
