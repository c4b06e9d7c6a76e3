import { McpTool } from '../../../../deviceSide/mcp/mcpTool.ts';
import { Property, PropertyType } from '../../../../deviceSide/mcp/property.ts';
import { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';
import { pythonJson } from './pythonJson.ts';

/** The three tools `self.audio_speaker.*`. */
export function createSpeakerTools({ soundCard }: { soundCard: boolean }): McpTool[] {
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
        pythonJson(
          soundCard
            ? { volume, muted: volume === 0, available: true }
            : { volume, muted: false, available: false, reason: '没有可以控制的声卡' },
          { ascii: false },
        ),
    }),
  ];
}
