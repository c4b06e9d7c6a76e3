/** What the Parser's editor completes, without Monaco itself. */
import { afterEach, expect, it } from 'vitest';

import { provideCompletions } from '../../../../renderer/ui/editor/vcp/provideCompletions.ts';
import { vcpContexts, type VcpMethod } from '../../../../renderer/ui/editor/vcp/vcpContext.ts';

type Monaco = Parameters<typeof provideCompletions>[0];
type Provide = ReturnType<typeof provideCompletions>['provideCompletionItems'];

const method = (toolId: string, command: string): VcpMethod => ({
  qualifiedName: `${toolId}_${command}`,
  toolId,
  toolName: toolId.toUpperCase(),
  command,
  description: 'Does it.',
  sourceLabel: 'Samples',
  parameters: [],
});
const methods = [method('lamp', 'set_on'), method('lamp_set', 'on'), method('lamp', 'off')];

/** Label and inserted text of each suggestion at the end of `text`. */
async function complete(text: string): Promise<unknown[]> {
  const monaco = {
    languages: { CompletionItemKind: { Function: 1 }, CompletionItemInsertTextRule: {} },
    Range: { fromPositions: () => ({}) },
  } as unknown as Monaco;
  const model = { uri: 'text:1', getValueInRange: () => text, getPositionAt: () => ({}) };
  vcpContexts.set('text:1', {
    reading: () => undefined,
    methods: () => methods,
    problems: () => [],
    words: () => ({ required: 'required', newRequest: 'A call', notRun: (name) => name }),
  });
  const [given, position] = [model, { lineNumber: 1, column: 1 }] as unknown as Parameters<Provide>;
  const list = await provideCompletions(monaco).provideCompletionItems(
    given,
    position,
    ...([] as never as [never, never]),
  );
  return list?.suggestions.map(({ label, insertText }) => [label, insertText]) ?? [];
}

afterEach(() => vcpContexts.clear());

it('tells methods that share a name apart, and inserts the tool and the command, which run', async () => {
  expect(await complete('<<<[TOOL_REQUEST]>>>\ntool_name:「始」')).toEqual([
    [
      { label: 'lamp_set_on', detail: ' lamp · set_on', description: 'LAMP · Samples' },
      'lamp「末」,\ncommand:「始」set_on',
    ],
    [
      { label: 'lamp_set_on', detail: ' lamp_set · on', description: 'LAMP_SET · Samples' },
      'lamp_set「末」,\ncommand:「始」on',
    ],
    [{ label: 'lamp_off', description: 'Samples' }, 'lamp_off'],
  ]);
});

it('inserts the tool alone if the command is written', async () => {
  const items = await complete('<<<[TOOL_REQUEST]>>>\ncommand:「始」on「末」,\ntool_name:「始」');
  expect(items.map((item) => (item as unknown[])[1])).toEqual(['lamp', 'lamp_set', 'lamp_off']);
});
