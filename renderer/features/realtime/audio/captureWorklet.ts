/** Runs in the audio thread: gathers what the microphone hears and hands it to the page in pieces of some 50 ms. */
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
  abstract process(inputs: readonly (readonly Float32Array[])[]): boolean;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

const samples = 2_048;

class Capture extends AudioWorkletProcessor {
  #piece = new Float32Array(samples);
  #filled = 0;

  override process(inputs: readonly (readonly Float32Array[])[]): boolean {
    const heard = inputs[0]?.[0];
    if (heard === undefined) return true;
    this.#piece.set(heard, this.#filled);
    this.#filled += heard.length;
    if (this.#filled + heard.length > samples) {
      const piece = this.#piece.slice(0, this.#filled);
      this.port.postMessage(piece, [piece.buffer]);
      this.#filled = 0;
    }
    return true;
  }
}

registerProcessor('capture', Capture);
