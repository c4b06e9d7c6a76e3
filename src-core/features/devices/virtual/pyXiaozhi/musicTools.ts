import { McpTool } from '../../../../deviceSide/mcp/mcpTool.ts';
import { Property, PropertyType } from '../../../../deviceSide/mcp/property.ts';
import { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';

/** A song of three minutes without sound. Seconds. */
interface Player {
  song: string;
  state: 'stopped' | 'playing' | 'paused';
  position: number;
  duration: number;
}

const playlist = ['月光小夜曲 - 虚拟乐队', '雨后的街道 - 虚拟乐队', '清晨列车 - 模拟歌手'];
const notGiven = -1;

/** The eight tools `music_player.*`. */
export function createMusicTools(): McpTool[] {
  const player: Player = { song: '', state: 'stopped', position: 0, duration: 0 };
  return [
    new McpTool({
      name: 'music_player.search_and_play',
      description:
        '按歌名找一首歌并马上播放。只需要歌名，不必带歌手；正在播放的歌会被替换。适用于“放一首……”“我想听……”这样的请求。' +
        '如果用户没有说清是哪一首，先用 music_player.get_local_playlist 看看有什么，再来调用。参数 song_name：歌名，不能为空。' +
        '返回正在播放的歌名。',
      properties: new PropertyList([new Property('song_name', PropertyType.STRING)]),
      callback: ({ song_name: song }) => {
        Object.assign(player, { song: String(song), state: 'playing', position: 0, duration: 180 });
        return `正在播放: ${String(song)}`;
      },
    }),
    new McpTool({
      name: 'music_player.pause',
      description:
        '让正在播放的歌停在现在的位置，之后可以用 music_player.resume 接着听。用户说“停一下”“先别放”时使用。' +
        '请在开口回答之前调用它，因为说完话以后播放会自动继续。没有歌在播放时，只返回一句说明，不算出错。没有参数。',
      callback: () => {
        if (player.state !== 'playing') return '没有正在播放的歌曲';
        player.state = 'paused';
        return `已暂停: ${player.song}`;
      },
    }),
    new McpTool({
      name: 'music_player.resume',
      description:
        '从暂停的位置继续播放。只有用户自己暂停过、现在要求继续时才需要它；设备说话时的停顿会自己恢复，不必调用。' +
        '没有被暂停的歌时，只返回一句说明，不算出错。没有参数。',
      callback: () => {
        if (player.state !== 'paused') return '没有已暂停的歌曲';
        player.state = 'playing';
        return `继续播放: ${player.song}`;
      },
    }),
    new McpTool({
      name: 'music_player.stop',
      description:
        '结束播放，位置回到开头。用户不想再听、要求关掉音乐时使用；如果只是想停一会儿，请改用 music_player.pause。' +
        '停止以后不能用 resume 继续，需要重新用 search_and_play 播放。没有参数。',
      callback: () => {
        Object.assign(player, { state: 'stopped', position: 0 });
        return '已停止播放';
      },
    }),
    new McpTool({
      name: 'music_player.seek',
      description:
        '在当前歌曲里跳到另一个位置。两个参数只给一个：percent 是整首歌的百分之几（0 到 100），用于“跳到一半”“到百分之三十”；' +
        'position 是从开头算起的秒数，用于“跳到一分半”“回到开头”。要快进或后退多少秒，先用 music_player.get_status 读出现在的位置，' +
        '再把相加的结果作为 position。',
      properties: new PropertyList([
        new Property('percent', PropertyType.INTEGER, { defaultValue: notGiven }),
        new Property('position', PropertyType.INTEGER, { defaultValue: notGiven }),
      ]),
      callback: ({ percent, position }) => {
        const to = Number(percent) >= 0 ? (Number(percent) * player.duration) / 100 : Number(position);
        if (to < 0) return '请给出 percent（0 到 100）或 position（秒）';
        player.position = Math.min(to, player.duration);
        return `已跳到第 ${player.position} 秒`;
      },
    }),
    new McpTool({
      name: 'music_player.get_status',
      description:
        '说明现在的播放情况：歌名、是在播放还是已暂停、总长、当前位置和进度百分比。回答“放到哪里了”“这首歌有多长”，' +
        '以及在快进、后退之前确认位置时使用。它只读取，不改变播放。没有参数。',
      callback: () => {
        const words = { stopped: '未播放', playing: '播放中', paused: '已暂停' };
        const progress = player.duration === 0 ? 0 : Math.round((100 * player.position) / player.duration);
        return [
          `当前歌曲: ${player.song}`,
          `播放状态: ${words[player.state]}`,
          `总时长（秒）: ${player.duration}`,
          `当前位置（秒）: ${player.position}`,
          `进度: ${progress}%`,
        ].join('\n');
      },
    }),
    new McpTool({
      name: 'music_player.get_lyrics',
      description:
        '取得当前歌曲的歌词全文，用于“歌词是什么”“这句唱的是什么”。不要用歌词推算播放位置，位置请看 music_player.get_status，' +
        '跳转请用 music_player.seek。没有歌词时返回一句说明。没有参数。',
      callback: () => '这首歌没有歌词',
    }),
    new McpTool({
      name: 'music_player.get_local_playlist',
      description:
        '列出保存在本机的歌曲，每行一首，写作“歌名 - 歌手”。用户问“有什么歌”“下载了哪些”时使用。' +
        '播放其中一首时，只把歌名交给 music_player.search_and_play。参数 force_refresh：为 true 时重新扫描磁盘，平时不需要。',
      properties: new PropertyList([new Property('force_refresh', PropertyType.BOOLEAN, { defaultValue: false })]),
      callback: () => playlist.join('\n'),
    }),
  ];
}
