import type { EngineTexts } from '../createWording.ts';

/** The words of the validator that checks what the window asks for (zod). */
export const validatorTexts: EngineTexts = {
  'Invalid input': '输入无效',
  'Invalid input: expected {0}, received {1}': '输入无效：应为 {0}，实际为 {1}',
  'Invalid input: expected {0}': '输入无效：应为 {0}',
  'Invalid option: expected one of {0}': '无效的选项：应为 {0} 之一',
  'Too big: expected {0} to be <={1}': '过大：最大为 {1}',
  'Too big: expected {0} to be <{1}': '过大：必须小于 {1}',
  'Too big: expected {0} to have <={1} {2}': '过多：最多 {1} 个',
  'Too small: expected {0} to be >={1}': '过小：最小为 {1}',
  'Too small: expected {0} to be >{1}': '过小：必须大于 {1}',
  'Too small: expected {0} to have >={1} {2}': '过少：至少 {1} 个',
  'Invalid string: must match pattern {0}': '无效的文本：必须符合模式 {0}',
  'Unrecognized key: {0}': '未知的键：{0}',
  'Unrecognized keys: {0}': '未知的键：{0}',
};
