// What the kit sends to a server that is not ours: one of the official SDK, over Streamable HTTP.
import '@inpage-mcp/elements/all';
import type {
  McpPromptSubmitEvent,
  McpToolForm,
  McpToolResourceEvent,
  McpToolResultEvent,
} from '@inpage-mcp/elements';
import { WireRecorder } from '@inpage-mcp/elements/wire-recorder';
import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import { eventually, inside } from '../support/elements.js';
import { useRemoteElements, wordsOf } from '../support/remote-elements.js';

const type = (host: Element, selector: string, text: string): void => {
  const field = inside(host, selector) as HTMLInputElement;
  field.focus();
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
};
const option = (host: Element, text: string): Promise<HTMLElement> =>
  eventually(() =>
    [...host.shadowRoot!.querySelectorAll<HTMLElement>('[role=option]')].find((one) =>
      wordsOf(one).includes(text),
    ),
  );
const button = (host: Element, selector: string): Promise<HTMLElement> =>
  eventually(() => host.shadowRoot!.querySelector<HTMLElement>(selector));
const labelled = (form: McpToolForm, label: string): string => {
  const labels = [...form.shadowRoot!.querySelectorAll('label')];
  const found = labels.find(({ textContent }) => textContent.trim().startsWith(label));
  if (!found) throw new Error(`The form has no field ${label}.`);
  return `#${found.htmlFor}`;
};

for (const era of ['modern', 'legacy'] as const) {
  describe(`the elements, calling a remote server of the SDK in the ${era} era,`, () => {
    let recorder: WireRecorder;
    const remote = useRemoteElements({
      era,
      wrap: (transport) => (recorder = new WireRecorder()).wrap(transport),
    });

    const ended = async (form: McpToolForm): Promise<McpToolResultEvent> => {
      const event = (await oneEvent(form, 'mcp-tool-result')) as unknown as McpToolResultEvent;
      await form.updateComplete;
      return event;
    };
    const showTool = async (tool: string): Promise<McpToolForm> => {
      const form = await remote.show('mcp-tool-form', { tool });
      await button(form, 'button.call');
      return form;
    };

    it('fill in a template, with suggestions of the server', async () => {
      const form = await remote.show('mcp-template-form');
      await eventually(() => form.shadowRoot!.querySelector('[name=item]'));
      type(form, '[name=item]', 'ap');
      (await option(form, 'apricot')).click();
      await form.updateComplete;
      expect(form.uri).to.equal('remote:///items/apricot');
      await expect(form).to.be.accessible();
    });

    it('fill in a prompt, with suggestions of the server', async () => {
      const menu = await remote.show('mcp-prompt-menu');
      (await option(menu, 'Translate')).click();
      await eventually(() => menu.shadowRoot!.querySelector('[name=language]'));
      type(menu, '[name=language]', 'g');
      (await option(menu, 'Greek')).click();
      await menu.updateComplete;
      await expect(menu).to.be.accessible();
      const submitted = oneEvent(menu, 'mcp-prompt-submit');
      inside(menu, 'button.primary').click();
      const { result } = (await submitted) as unknown as McpPromptSubmitEvent;
      expect(result.messages[0]!.content).to.include({ text: 'Translate into Greek: Hello.' });
    });

    it('call a tool with fields of each type', async () => {
      const form = await showTool('order');
      type(form, labelled(form, 'dish'), 'Soup');
      type(form, labelled(form, 'count'), '2');
      await expect(form).to.be.accessible();
      const result = ended(form);
      inside(form, 'button.call').click();
      const order = { dish: 'Soup', size: 'small', count: 2 };
      expect((await result).result?.structuredContent).to.deep.equal({ order });
      expect(wordsOf(form)).to.contain('The tool has answered.');
    });

    it('say what a tool reports as its error', async () => {
      const form = await showTool('fail');
      const result = ended(form);
      inside(form, 'button.call').click();
      // The server does not say that the tool destroys nothing.
      (await button(form, 'button.confirm[aria-disabled=false]')).click();
      await result;
      expect(wordsOf(form)).to.contain('The tool reports an error.').and.contain('It has failed.');
    });

    it('show the images and links of a result', async () => {
      const form = await showTool('show_media');
      inside(form, 'button.call').click();
      (await button(form, 'button.confirm[aria-disabled=false]')).click();
      const image = await eventually(() => form.shadowRoot!.querySelector('img'));
      await eventually(() => image.naturalWidth > 0);
      const opened = oneEvent(form, 'mcp-tool-resource');
      (await button(form, 'button.link')).click();
      const { resource } = (await opened) as unknown as McpToolResourceEvent;
      expect(resource.uri).to.be.oneOf(['remote:///text', 'remote:///photo']);
    });

    it('cancel a call, so that the server stops its work', async () => {
      const form = await showTool('wait');
      const result = ended(form);
      inside(form, 'button.call').click();
      (await button(form, 'button.confirm[aria-disabled=false]')).click();
      const cancel = await button(form, 'button.cancel');
      // The first progress: the server is at work.
      await eventually(() => recorder.entries.some(isProgress));
      cancel.click();
      await result;
      const { content } = await remote.client.callTool('count_aborted');
      expect(content[0]).to.include({ text: '1' });
    });

    it('ask the user what the server wants to know', async () => {
      const consent = await fixture<HTMLElementTagNameMap['mcp-consent']>(
        html`<mcp-consent></mcp-consent>`,
      );
      const elicit = consent.asElicit({ requester: 'A remote server' });
      remote.sdk.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
        if (params.mode === 'url') return { action: 'decline' };
        return await elicit(params, mcpReq);
      });
      const answer = remote.client.callTool('ask_name');
      await eventually(() => consent.shadowRoot!.querySelector('textarea'));
      expect(wordsOf(consent)).to.contain('Who are you?').and.contain('A remote server');
      await expect(consent).to.be.accessible();
      type(consent, 'textarea', 'Ann');
      (await button(consent, '.once[aria-disabled=false]')).click();
      const { content } = await answer;
      expect(content[0]).to.include({ text: 'Hello, Ann.' });
    });

    it('show the messages', async () => {
      await remote.client.readResource('remote:///text');
      const wire = await remote.show('mcp-wire', { recorder, style: 'block-size: 30rem' });
      await eventually(() => /resources\/read remote:\/\/\/text OK/.test(wordsOf(wire)));
      await expect(wire).to.be.accessible();
    });
  });
}

function isProgress({ method }: WireRecorder['entries'][number]): boolean {
  return method === 'notifications/progress';
}
