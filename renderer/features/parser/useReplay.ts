import { computed, onScopeDispose, ref, watch, type ComputedRef, type Ref } from 'vue';

/** A text as it came, letter by letter: what has come so far is what the pane reads. */
export interface Replay {
  active: Ref<boolean>;
  playing: Ref<boolean>;
  /** UTF-16 offset that has come. */
  position: Ref<number>;
  /** Characters a second. */
  speed: Ref<number>;
  shown: ComputedRef<string>;
  play: () => void;
  pause: () => void;
  /** On to the end of the next line; paused. */
  step: () => void;
  seek: (offset: number) => void;
  setSpeed: (charactersASecond: number) => void;
  stop: () => void;
}

const frameMs = 50;

/** `isWaiting`: what has come so far is not read yet, so nothing more comes. */
export function useReplay(full: Ref<string>, isWaiting: () => boolean = () => false): Replay {
  const active = ref(false);
  const playing = ref(false);
  const position = ref(0);
  const speed = ref(120);
  /** Parts of a character that a frame left over. */
  let owed = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  function seek(offset: number): void {
    const clamped = Math.max(0, Math.min(full.value.length, Math.round(offset)));
    const code = full.value.charCodeAt(clamped - 1);
    position.value = code >= 0xd800 && code <= 0xdbff ? Math.min(full.value.length, clamped + 1) : clamped;
  }

  function advance(): void {
    owed += (speed.value * frameMs) / 1_000;
    if (isWaiting()) return;
    const whole = Math.floor(owed);
    owed -= whole;
    seek(position.value + whole);
    if (position.value >= full.value.length) pause();
  }

  function play(): void {
    active.value = true;
    if (position.value >= full.value.length) position.value = 0;
    playing.value = true;
  }

  function pause(): void {
    playing.value = false;
  }

  watch(playing, (now) => {
    clearInterval(timer);
    owed = 0;
    if (now) timer = setInterval(advance, frameMs);
  });
  onScopeDispose(() => clearInterval(timer));

  return {
    active,
    playing,
    position,
    speed,
    shown: computed(() => (active.value ? full.value.slice(0, position.value) : full.value)),
    play,
    pause,
    seek,
    setSpeed: (charactersASecond) => (speed.value = charactersASecond),
    step() {
      pause();
      active.value = true;
      const next = full.value.indexOf('\n', position.value);
      seek(next === -1 ? full.value.length : next + 1);
    },
    stop() {
      pause();
      active.value = false;
      position.value = 0;
    },
  };
}
