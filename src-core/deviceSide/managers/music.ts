import type { JsonObject } from '../../base/json.ts';
import { McpTool } from '../mcp/mcpTool.ts';
import type { ToolManager } from '../mcp/toolManager.ts';

/** What plays music. A failure of any of these becomes the answer. */
export interface MusicPlayer {
  /** Finds a song and plays it in place of the current one. Returns its title. */
  play: (song: string, options: { signal: AbortSignal }) => string | Promise<string>;
  pause: () => void | Promise<void>;
  /** Goes on with a song that was paused. */
  resume: () => void | Promise<void>;
  stop: () => void | Promise<void>;
  /** Seconds from the beginning of the song. */
  seek: (position: number) => void | Promise<void>;
  /** Titles of the songs that are stored on the device. */
  playlist: () => readonly string[] | Promise<readonly string[]>;
  /** What is playing, for a model to read: title, state, position and duration in seconds. */
  status: () => JsonObject | Promise<JsonObject>;
}

type PlayerState = 'stopped' | 'playing' | 'paused';

/** Songs of three minutes without sound. The position moves only by `seek`. */
export function createSimulatedPlayer(): MusicPlayer {
  const songs = ['Moonlight Serenade', 'Street after Rain', 'Morning Train'];
  const duration = 180;
  let [song, state, position] = ['', 'stopped' as PlayerState, 0];
  const become = (next: PlayerState, from: readonly PlayerState[]): void => {
    if (!from.includes(state)) throw new Error(`No song is ${from.join(' or ')}.`);
    state = next;
  };
  return {
    play: (wanted) => {
      [song, state, position] = [
        songs.find((title) => title.toLowerCase() === wanted.toLowerCase()) ?? wanted,
        'playing',
        0,
      ];
      return song;
    },
    pause: () => become('paused', ['playing']),
    resume: () => become('playing', ['paused']),
    stop: () => {
      become('stopped', ['playing', 'paused']);
      position = 0;
    },
    seek: (to) => {
      if (state === 'stopped') throw new Error('No song is playing or paused.');
      if (to > duration) throw new Error(`The song is ${duration} s long.`);
      position = to;
    },
    playlist: () => songs,
    status: () => ({ song, state, position, duration: state === 'stopped' ? 0 : duration, simulated: true }),
  };
}

/** `self.music_player.search_and_play`, `pause`, `resume`, `stop`, `seek`, `get_status` and `get_playlist`. */
export function createMusicManager(player: MusicPlayer = createSimulatedPlayer()): ToolManager {
  return {
    initTools(addTool, PropertyList, Property, PropertyType) {
      const control = (name: string, description: string, run: () => void | Promise<void>): void =>
        addTool(
          new McpTool({
            name: `self.music_player.${name}`,
            description,
            callback: async () => {
              await run();
              return true;
            },
          }),
        );
      addTool(
        new McpTool({
          name: 'self.music_player.search_and_play',
          description: 'Finds a song by its name and plays it in place of the current one. Answers with its title.',
          properties: new PropertyList([new Property('song_name', PropertyType.STRING)]),
          callback: ({ song_name: song }, { signal }) => {
            if (String(song).trim() === '') throw new Error('"song_name" must not be empty.');
            return player.play(String(song), { signal });
          },
        }),
      );
      control('pause', 'Pauses the song. self.music_player.resume goes on with it.', () => player.pause());
      control('resume', 'Goes on with the song that was paused.', () => player.resume());
      control('stop', 'Stops the music.', () => player.stop());
      addTool(
        new McpTool({
          name: 'self.music_player.seek',
          description: 'Moves to a position of the song, in seconds from its beginning.',
          properties: new PropertyList([
            new Property('position', PropertyType.INTEGER, { minimum: 0, maximum: 86_400 }),
          ]),
          callback: async ({ position }) => {
            await player.seek(Number(position));
            return true;
          },
        }),
      );
      addTool(
        new McpTool({
          name: 'self.music_player.get_status',
          description: 'Reports what is playing as JSON: song, state, position and duration in seconds.',
          callback: async () => JSON.stringify(await player.status()),
        }),
      );
      addTool(
        new McpTool({
          name: 'self.music_player.get_playlist',
          description: 'Lists the songs that are stored on the device as JSON.',
          callback: async () => JSON.stringify({ songs: [...(await player.playlist())] }),
        }),
      );
    },
  };
}
