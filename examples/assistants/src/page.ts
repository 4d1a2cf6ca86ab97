import '@inpage-mcp/elements/define/mcp-provider';
import '@inpage-mcp/elements/define/mcp-resource-list';
import { startRuntime } from '@inpage-mcp/runtime';
import { html, render } from 'lit';

/** Where the model is: an endpoint of the vendor, or a server of yours that adds the key. */
export interface Settings {
  baseURL: string;
  apiKey: string;
  model: string;
}

render(
  html` <mcp-provider><mcp-resource-list label="Notes"></mcp-resource-list></mcp-provider>
    <form>
      <label>Endpoint <input name="baseURL" type="url" required /></label>
      <label>Key <input name="apiKey" type="password" required autocomplete="off" /></label>
      <label>Model <input name="model" required /></label>
      <label>Question <input name="question" required /></label>
      <button>Ask</button>
    </form>
    <output></output>`,
  document.body,
);

const runtime = await startRuntime({ confirm: async ({ message }) => window.confirm(message) });
document.querySelector('mcp-provider')!.client = await runtime.connect();

/** What the model sees and does: the notes, and the user is asked before each change. */
export const client = await runtime.connect({ access: { read: ['note:///'], write: 'ask' } });

const form = document.querySelector('form')!;
const output = document.querySelector('output')!;

/** Calls back with each question, and shows the answer, or why there is none. */
export function onQuestion(
  endpoint: string,
  answer: (question: string, settings: Settings) => Promise<string | undefined>,
) {
  const { baseURL } = form.elements as unknown as { baseURL: HTMLInputElement };
  baseURL.value = endpoint;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(form)) as unknown as Settings & {
      question: string;
    };
    output.textContent = 'Thinking …';
    try {
      output.textContent = (await answer(fields.question, fields)) ?? '';
    } catch (error) {
      output.textContent = String(error);
    }
  });
}
