import type { SessionStep } from './sessionStep.ts';
import { paneKey } from '../../e2e/paneKeys.ts';

/** What models take part in: a chat, an exchange through the gateway, a conversation by voice. All with the scripted models. */
export const modelSteps: readonly SessionStep[] = [
  {
    name: 'a chat of three turns, removed',
    async run({ page }) {
      await page.keyboard.press(paneKey('chat'));
      const conversation = page.getByRole('region', { name: 'Conversation' });
      await page.getByRole('button', { name: 'Start a chat' }).click();
      const answers = conversation.getByText(/The tool answered: \d{4}-/);
      const message = page.getByRole('textbox', { name: 'Message' });
      await answers.first().waitFor();
      for (let turn = 1; turn < 3; turn++) {
        await conversation.getByRole('button', { name: /^Send/ }).waitFor();
        await message.fill('What time is it?');
        await page.keyboard.press('Enter');
        await answers.nth(turn).waitFor();
      }
      await conversation.getByRole('button', { name: /^Send/ }).waitFor();
      await conversation.getByRole('button', { name: /^More for/ }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await page.getByRole('button', { name: 'Start a chat' }).waitFor();
    },
  },
  {
    name: 'an exchange through the gateway, its client gone again',
    async run({ page }) {
      await page.keyboard.press(paneKey('gateway'));
      await page
        .getByRole('button', { name: /^(Try it with a test client|Test client)$/ })
        .last()
        .click();
      // Until then the one of the round before is shown, which has left.
      const disconnect = page.getByRole('button', { name: 'Disconnect' });
      await disconnect.waitFor();
      const rows = page.getByRole('listbox', { name: /^Messages of/ }).getByRole('option');
      await rows.filter({ hasText: 'llm_response' }).filter({ hasText: 'The tool answered' }).last().waitFor();
      await rows.filter({ hasText: 'tool_callback' }).last().click();
      await page.getByRole('region', { name: 'Frame', exact: true }).getByText('tool_result').waitFor();
      await disconnect.click();
      await disconnect.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'a conversation by voice, removed',
    async run({ page }) {
      await page.keyboard.press(paneKey('realtime'));
      await page.getByRole('button', { name: 'Try it with the scripted model' }).click();
      const transcript = page.getByRole('log', { name: 'Transcript' });
      await transcript.getByText(/The tool answered: /).waitFor();
      await transcript.getByRole('button', { name: 'Show on the timeline' }).first().click();
      await page.getByRole('region', { name: 'Item of the timeline' }).getByText('Answered after').waitFor();
      await page.getByRole('tab', { name: /^Events/ }).click();
      await page.getByRole('listbox', { name: 'Wire events' }).getByRole('option').first().click();
      await page.getByRole('tab', { name: /^Timeline/ }).click();
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('button', { name: 'Talk again' }).waitFor();
      await page.getByRole('button', { name: 'Remove from the list' }).click();
      await page.getByRole('button', { name: 'Try it with the scripted model' }).waitFor();
    },
  },
];
