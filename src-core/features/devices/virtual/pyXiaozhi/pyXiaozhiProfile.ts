import { randomUUID } from 'node:crypto';

import { createConcurrentScheduler } from '../../../../deviceSide/client/callScheduler.ts';
import type { VirtualProfile, VirtualHost } from '../profile.ts';
import { pyXiaozhiDialect } from './pyXiaozhiDialect.ts';
import type { DeviceWire } from '../../../../deviceSide/client/deviceWire.ts';
import { helloMessage, standardWire } from '../../../../deviceSide/client/standardWire.ts';
import { virtualUserAgent } from '../virtualUserAgent.ts';
import { pythonJson } from './pythonJson.ts';
import { McpTool, type ToolContext } from '../../../../deviceSide/mcp/mcpTool.ts';
import { Property, PropertyType } from '../../../../deviceSide/mcp/property.ts';
import { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';
import { describeThrown } from '../../../../base/describeThrown.ts';
import { postForm, questionHeaders } from '../postForm.ts';
import { drawTestCard } from '../testCard/drawTestCard.ts';
import type { JsonValue } from '../../../../base/json.ts';

const installed = ['计算器', '记事本', '浏览器', '终端', '日历'];

const json = (value: JsonValue): string => pythonJson(value, { ascii: false });

const question = new Property('question', PropertyType.STRING);

const softFailure = (message: string): string => json({ success: false, message });

const days = ['今天', '明天', '后天', '第四天', '第五天', '第六天', '第七天'];

const city = new Property('city', PropertyType.STRING, { defaultValue: '北京' });

/** The socket of py-xiaozhi: a session id that is always empty, Python's JSON, a close frame with 1000. */
const pyXiaozhiWire: DeviceWire = {
  ...standardWire,
  headers: ({ token }) => ({
    'User-Agent': virtualUserAgent,
    // Without a token Python writes its None.
    ...(token === undefined ? { Authorization: 'Bearer None' } : {}),
  }),
  hello: (name) => pythonJson(helloMessage({ name, frameDuration: 20 })),
  afterHello: () => [pythonJson({ session_id: '', type: 'listen', state: 'start', mode: 'manual' })],
  envelope: (payload) => `{"session_id": "", "type": "mcp", "payload": ${payload}}`,
};

/**
 * py-xiaozhi 2.1.1 on a computer: 19 tools in three pages (docs/protocols/device-mcp.md#tools-and-schemas). Without a
 * sound card its volume cannot be set, as on the machine that the corpus was recorded on.
 */
export function createPyXiaozhiProfile({ soundCard = true }: { soundCard?: boolean } = {}): VirtualProfile {
  return {
    id: 'py-xiaozhi',
    board: 'py-xiaozhi',
    firmware: '2.1.1',
    dialect: pyXiaozhiDialect,
    wire: pyXiaozhiWire,
    listenMode: 'manual',
    frameMs: 20,
    createScheduler: createConcurrentScheduler,
    createTools: (host) => [
      ...createMusicTools(),
      ...createSpeakerTools({ soundCard }),
      ...createApplicationTools(),
      ...createWeatherTools(),
      ...createPictureTools(host),
    ],
  };
}

/** `get_weather` and `get_forecast`: the same fair weather everywhere, as the sample plug-in of py-xiaozhi has it. */
function createWeatherTools(): McpTool[] {
  return [
    new McpTool({
      name: 'get_weather',
      description:
        '说明一座城市现在的天气：气温（摄氏度）、天空状况和湿度（百分比），返回 JSON。参数 city：城市名，例如“杭州”“成都”；不给时是北京。',
      properties: new PropertyList([city]),
      callback: (args) => json({ city: String(args['city']), temperature: 23, condition: '晴', humidity: 48 }),
    }),
    new McpTool({
      name: 'get_forecast',
      description:
        '说明一座城市今后几天的天气，每天有最高、最低气温（摄氏度）和天空状况，返回 JSON。参数 city：城市名；days：从今天算起的天数，1 到 7，不给时是 3。',
      properties: new PropertyList([
        city,
        new Property('days', PropertyType.INTEGER, { defaultValue: 3, minimum: 1, maximum: 7 }),
      ]),
      callback: (args) => {
        const forecast = days.slice(0, Number(args['days'])).map((date, index) => ({
          date,
          high: 26 - index,
          low: 16 - index,
          condition: index % 2 === 0 ? '晴' : '多云',
        }));
        return json({ city: String(args['city']), forecast });
      },
    }),
  ];
}

/** The three tools `self.audio_speaker.*`. */
function createSpeakerTools({ soundCard }: { soundCard: boolean }): McpTool[] {
  let volume = 70;
  return [
    new McpTool({
      name: 'self.audio_speaker.set_volume',
      description:
        '把电脑的音量设为一个绝对值，0 是静音，100 是最大。用户说“大声一点”“小声一点”时，先用 self.audio_speaker.get_volume ' +
        '读出现在的音量，再加减 10 左右。成功返回 true；没有可以控制的声卡时返回 false。' +
        ' Sets the loudness of the computer. Parameter volume: a whole number from 0 to 100.',
      properties: new PropertyList([new Property('volume', PropertyType.INTEGER, { minimum: 0, maximum: 100 })]),
      callback: ({ volume: next }) => {
        if (soundCard) volume = Number(next);
        return soundCard;
      },
    }),
    new McpTool({
      name: 'self.audio_speaker.get_volume',
      description:
        '读出电脑现在的音量，从 0 到 100 的整数。在调整之前，或者用户问“现在多大声”时使用。它只读取，不改变音量。没有参数。' +
        ' Reads how loud the computer is; changes nothing.',
      callback: () => volume,
    }),
    new McpTool({
      name: 'self.audio_speaker.get_volume_status',
      description:
        '以 JSON 说明扬声器的情况：volume 是音量，muted 表示是否静音，available 表示音量能否控制，不能时 reason 说明原因。' +
        '当 set_volume 返回 false 时，用它查明为什么。没有参数。',
      callback: () =>
        json(
          soundCard
            ? { volume, muted: volume === 0, available: true }
            : { volume, muted: false, available: false, reason: '没有可以控制的声卡' },
        ),
    }),
  ];
}

/** `take_photo` and `take_screenshot`; they report a failure in a successful result, as py-xiaozhi does. */
function createPictureTools(host: VirtualHost): McpTool[] {
  return [
    new McpTool({
      name: 'take_photo',
      description:
        '用摄像头拍一张照片，并请视觉服务回答关于它的问题。用户想知道眼前是什么、上面写了什么字、有几个人、是什么颜色时使用；' +
        '说得含糊，例如“帮我看看”，也用它。参数 question：想从照片里知道的事，请完整地写出用户的问题，不要只写“看图”。' +
        '返回 JSON：success 表示是否成功，response 是回答，失败时 message 说明原因。如果要看的是电脑屏幕而不是周围，请改用 take_screenshot。' +
        ' Takes one photo with the camera and has the question about it answered. The photo leaves this computer: it goes to the server that explains pictures. ' +
        'Call it again for every new question, since things may have moved.',
      properties: new PropertyList([question]),
      callback: (args, context) => explain({ title: 'Virtual camera', question: args['question'], host, context }),
    }),
    new McpTool({
      name: 'take_screenshot',
      description:
        '截取电脑的桌面，并请视觉服务回答关于它的问题。用户问屏幕上有什么、某个窗口里写了什么、出现的错误是什么意思时使用。' +
        '桌面上可能有私人内容，截取之前请先得到用户的同意。参数 question：想知道的事；display：要截取哪一个显示器，' +
        '“main”是主显示器，“secondary”是另一个，为空时是全部。返回 JSON：success 表示是否成功，失败时 message 说明原因。' +
        ' Takes a picture of the desktop and has the question about it answered. Ask the user first: whatever is on the screen goes to the server.',
      properties: new PropertyList([question, new Property('display', PropertyType.STRING, { defaultValue: '' })]),
      callback: (args, context) => explain({ title: 'Virtual desktop', question: args['question'], host, context }),
    }),
  ];
}

/** Posts whole, with a Content-Length, and waits 10 s (docs/protocols/xiaozhi.md#vision). */
async function explain(options: {
  title: string;
  question: unknown;
  host: VirtualHost;
  context: ToolContext;
}): Promise<string> {
  const { title, question, host, context } = options;
  if (context.vision === undefined) return softFailure('视觉服务的地址还没有设置');
  try {
    const { status, text } = await postForm({
      url: context.vision.url,
      form: { boundary: randomUUID().replaceAll('-', ''), chunked: false, timeoutMs: 10_000 },
      picture: drawTestCard({ title, at: host.now() }),
      fileName: 'camera.jpg',
      question: String(question),
      headers: questionHeaders(context),
      signal: context.signal,
    });
    return status === 200 ? text : softFailure(`Failed to upload photo: ${status}`);
  } catch (error) {
    return softFailure(`Failed to upload photo: ${describeThrown(error)}`);
  }
}

/** The four tools `self.application.*`, for programs that only this device knows: nothing is really started or ended. */
function createApplicationTools(): McpTool[] {
  const running = new Map<number, string>([[1001, '终端']]);
  let lastPid = 1001;
  return [
    new McpTool({
      name: 'self.application.launch',
      description:
        '按名称打开这台电脑上的一个程序，例如计算器、浏览器、记事本。名称可以是中文，也可以是英文。用户说“打开……”“启动……”时使用。' +
        '不确定名称时，先调用 self.application.scan_installed，用结果里的 name。同一个程序可以打开多次，每次都有自己的进程号。' +
        '成功返回 true；找不到这个程序时返回 false，这时请告诉用户它没有安装，不要反复尝试。参数 app_name：程序的名称，不要写路径，也不要带启动选项。' +
        ' Opens a program of this computer by the name that people call it. It tries the exact name first and then names that contain it. ' +
        'Answers true when the program has been started, which does not yet mean that its window can be seen, and false when there is no such program. ' +
        'It opens no documents and no web addresses.',
      properties: new PropertyList([new Property('app_name', PropertyType.STRING)]),
      callback: ({ app_name: name }) => {
        const found = installed.find((each) => each === name);
        if (found === undefined) return false;
        lastPid += 1;
        running.set(lastPid, found);
        return true;
      },
    }),
    new McpTool({
      name: 'self.application.scan_installed',
      description:
        '列出这台电脑上可以打开的程序，返回 JSON：success、total_count 和 applications，每个程序有 name 和 display_name。' +
        '用户问“装了什么软件”，或者打开程序之前需要确认名称时使用。结果会保存一段时间，所以再次调用很快；' +
        '刚刚安装了新的程序，而列表里还没有它时，把参数 force_refresh 设为 true，重新扫描一遍，这可能需要几秒钟。' +
        '把结果中的 name 原样交给 self.application.launch。' +
        ' Lists the programs that can be opened here, those of the system and those of the user, each with the name to open it by and the name to show. ' +
        'The list is kept for a while; ask for a fresh one only where something has just been installed.',
      properties: new PropertyList([new Property('force_refresh', PropertyType.BOOLEAN, { defaultValue: false })]),
      callback: () =>
        json({
          success: true,
          total_count: installed.length,
          applications: installed.map((name) => ({ name, display_name: name, type: 'system' })),
        }),
    }),
    new McpTool({
      name: 'self.application.kill',
      description:
        '结束正在运行的程序。会先请它自己退出，没有保存的内容可能会丢失，所以请先向用户确认。用户说“关掉……”“退出……”，' +
        '或者程序不再响应时使用。参数 app_name：程序的名称；force：为 true 时不再等待，直接结束，只在程序没有反应时使用，平时为 false。' +
        '同名的程序会全部结束。成功返回 true；没有这样的程序在运行时返回 false。想知道有哪些程序在运行，请用 self.application.list_running。' +
        ' Ends every running program of that name. It asks them to leave first; with force they are ended at once and what they had not saved is lost. ' +
        'Confirm with the user before calling it. Answers false when nothing of that name runs.',
      properties: new PropertyList([
        new Property('app_name', PropertyType.STRING),
        new Property('force', PropertyType.BOOLEAN, { defaultValue: false }),
      ]),
      callback: ({ app_name: name }) => {
        const pids = [...running].filter(([, each]) => each === name).map(([pid]) => pid);
        for (const pid of pids) running.delete(pid);
        return pids.length > 0;
      },
    }),
    new McpTool({
      name: 'self.application.list_running',
      description:
        '列出正在运行的程序，返回 JSON：success、total_count 和 applications，每个程序有 pid、name 和 display_name。' +
        '用户问“现在开着什么”，或者结束程序之前需要确认它真的在运行时使用。参数 filter_name：只列出名称里含有这段文字的程序，' +
        '为空时列出全部。程序很多时列表会很长，请尽量给出 filter_name。它只读取，不会改变任何程序。' +
        ' Lists what runs now. Give filter_name wherever you look for a certain program, for the whole list can be long.',
      properties: new PropertyList([new Property('filter_name', PropertyType.STRING, { defaultValue: '' })]),
      callback: ({ filter_name: filter }) => {
        const found = [...running].filter(([, name]) => name.includes(String(filter)));
        return json({
          success: true,
          total_count: found.length,
          applications: found.map(([pid, name]) => ({ pid, name, display_name: name, type: 'application' })),
        });
      },
    }),
  ];
}

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
function createMusicTools(): McpTool[] {
  const player: Player = { song: '', state: 'stopped', position: 0, duration: 0 };
  return [...createPlaybackTools(player), ...createSongTools(player)];
}

/** The tools that control a player. */
function createPlaybackTools(player: Player): McpTool[] {
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
  ];
}

/** The tools that read a player and the songs. */
function createSongTools(player: Player): McpTool[] {
  return [
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
