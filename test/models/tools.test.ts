import {
  ClientError,
  McpError,
  type CallOptions,
  type CallToolResult,
  type ContentBlock,
  type Tool,
} from '@inpage-mcp/client';
import { toTools, type ToolCaller, type ToolFormat, type ToolsOptions } from '@inpage-mcp/models';
import { expect } from '@esm-bundle/chai';
import { failureOf } from '../support/failure.js';
import { useLinkedClient } from '../support/linked-server.js';
import { leastTime } from '../support/slowness.js';

const FORMATS: ToolFormat[] = ['anthropic', 'openai', 'openai-chat', 'google', 'ai-sdk', 'text'];
/** The head of a PNG of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ';
const PDF = 'JVBERi0xLjc=';

interface Called {
  name: string;
  args: { [name: string]: unknown } | undefined;
  options: CallOptions | undefined;
}

const toolOf = (name: string, inputSchema: object = {}): Tool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', ...inputSchema },
});

/** A server with these tools, which all give this answer, or fail with this error. */
function serverOf(
  tools: Tool[],
  answer: Partial<CallToolResult> | Error = {},
): ToolCaller & { called: Called[] } {
  const called: Called[] = [];
  return {
    called,
    listTools: async () => ({ tools }),
    async callTool(name, args, options) {
      called.push({ name, args, options });
      if (answer instanceof Error) throw answer;
      return { content: [], ...answer };
    },
  };
}

/** What a model gets of an answer. */
async function answerIn<Format extends ToolFormat>(
  format: Format,
  answer: Partial<CallToolResult> | Error,
  options: Partial<ToolsOptions<Format>> = {},
) {
  const { call } = await toTools(serverOf([toolOf('act')], answer), { format, ...options });
  return await call('act', {});
}

const textOf = async (answer: Partial<CallToolResult> | Error): Promise<string> =>
  await answerIn('text', answer);

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };
const pdf: ContentBlock = {
  type: 'resource',
  resource: { uri: 'file:///docs/paper', mimeType: 'application/pdf', blob: PDF },
};

/** One of each kind that the specification has. */
const EVERYTHING: ContentBlock[] = [
  text('Done.'),
  image,
  { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'note:///1', mimeType: 'text/markdown', text: '# A' } },
  pdf,
  { type: 'resource', resource: { uri: 'file:///x', mimeType: 'application/zip', blob: 'AAAA' } },
  {
    type: 'resource_link',
    uri: 'note:///2',
    name: '2',
    title: 'Plan\nB',
    mimeType: 'text/markdown',
    size: 12,
  },
];
const NO_SOUND = '[audio/wav of 3 bytes: not given to the model. This format takes no audio/wav.]';
const NOTE = 'Title: note:///1\nURI: note:///1\nType: text/markdown\n```\n# A\n```';
const PAPER = 'Title: file:///docs/paper\nURI: file:///docs/paper\nType: application/pdf';
const ZIP = 'Title: file:///x\nURI: file:///x\nType: application/zip';
const NO_ZIP =
  '[application/zip of 3 bytes: not given to the model. This format takes no application/zip.]';
const LINK =
  'A resource, which was not read:\nTitle: Plan B\nURI: note:///2\nType: text/markdown\nSize: 12 bytes';

describe('the tools of the real server', () => {
  const setup = useLinkedClient();

  it('leave out a tool that can only run as a task', async () => {
    const server = serverOf([
      { ...toolOf('long'), execution: { taskSupport: 'required' } },
      { ...toolOf('either'), execution: { taskSupport: 'optional' } },
    ]);
    const { tools } = await toTools(server, { format: 'anthropic' });
    expect(tools.map(({ name }) => name)).to.deep.equal(['either']);
  });

  it('are all there, in each format', async () => {
    const names = (await setup.client.listTools()).tools.map(({ name }) => name);
    expect(names).to.include('create_note');
    const { client } = setup;
    const anthropic = await toTools(client, { format: 'anthropic' });
    expect(anthropic.tools.map(({ name }) => name)).to.deep.equal(names);
    const openai = await toTools(client, { format: 'openai' });
    expect(openai.tools.map(({ name }) => name)).to.deep.equal(names);
    const chat = await toTools(client, { format: 'openai-chat' });
    expect(chat.tools.map((tool) => tool.function.name)).to.deep.equal(names);
    const [google] = (await toTools(client, { format: 'google' })).tools;
    expect(google!.functionDeclarations.map(({ name }) => name)).to.deep.equal(names);
    const aiSdk = await toTools(client, { format: 'ai-sdk' });
    expect(Object.keys(aiSdk.tools)).to.deep.equal(names);
    const plain = await toTools(client, { format: 'text' });
    expect(plain.tools.map(({ name }) => name)).to.deep.equal(names);
  });

  it('write a note, and the model gets its uri', async () => {
    const { notes } = setup.linked.server.store;
    for (const format of FORMATS) {
      const { call } = await toTools(setup.client, { format });
      const answer = JSON.stringify(await call('create_note', { title: format, text: 'Hello' }));
      const { notes: found } = await notes.list({ limit: 1 });
      expect(found[0]!.title).to.equal(format);
      expect(answer).to.contain(`URI: note:///${found[0]!.id}`);
    }
    expect((await notes.list()).notes).to.have.length(FORMATS.length);
  });

  it('take the arguments as JSON, as OpenAI gives them', async () => {
    const { call } = await toTools(setup.client, { format: 'openai' });
    expect(await call('create_note', '{"title":"A","text":"B"}')).to.contain('note:///');
    expect(await call('create_note', '{"title":"A","te')).to.match(/failed.*not a JSON object/s);
    expect((await setup.linked.server.store.notes.list()).notes).to.have.length(1);
  });

  it('say why they have failed', async () => {
    const { call } = await toTools(setup.client, { format: 'anthropic' });
    const answer = await call('update_note', { id: 'nothing', title: 'x' });
    expect(answer.is_error).to.equal(true);
    expect(answer.content[0]).to.have.property('type', 'text');
    const unknown = await call('fly', {});
    expect(unknown).to.deep.equal({
      content: [{ type: 'text', text: 'The tool "fly" does not exist.' }],
      is_error: true,
    });
  });

  it('can be called again by the AI SDK, from the tools themselves', async () => {
    const { tools } = await toTools(setup.client, { format: 'ai-sdk' });
    const output = await tools['create_note']!.execute({ title: 'A', text: 'B' }, {});
    expect(output).to.have.property('type', 'text');
    expect(tools['create_note']!.toModelOutput({ output })).to.equal(output);
  });
});

describe('the answer of a tool', () => {
  it('has images and documents for Anthropic, and words for the rest', async () => {
    expect(await answerIn('anthropic', { content: EVERYTHING })).to.deep.equal({
      content: [
        { type: 'text', text: 'Done.' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
        { type: 'text', text: NO_SOUND },
        { type: 'text', text: NOTE },
        { type: 'text', text: PAPER },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: PDF },
          title: 'file:///docs/paper',
          context: 'file:///docs/paper',
        },
        { type: 'text', text: ZIP },
        { type: 'text', text: NO_ZIP },
        { type: 'text', text: LINK },
      ],
      is_error: false,
    });
  });

  it('has input parts for the Responses API, and is a text where that is enough', async () => {
    const input = (words: string): object => ({ type: 'input_text', text: words });
    expect(await answerIn('openai', { content: EVERYTHING })).to.deep.equal([
      input('Done.'),
      { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
      input(NO_SOUND),
      input(NOTE),
      input(PAPER),
      {
        type: 'input_file',
        filename: 'file:   docs paper.pdf',
        file_data: `data:application/pdf;base64,${PDF}`,
      },
      input(ZIP),
      input(NO_ZIP),
      input(LINK),
    ]);
    expect(await answerIn('openai', { content: [text('Done.')] })).to.equal('Done.');
  });

  it('has the media of Google beside one text', async () => {
    const words = ['Done.', '[image]', NO_SOUND, NOTE, PAPER, '[file:///docs/paper]', ZIP];
    expect(await answerIn('google', { content: EVERYTHING })).to.deep.equal({
      response: { output: [...words, NO_ZIP, LINK].join('\n') },
      parts: [
        { inlineData: { mimeType: 'image/png', data: PNG } },
        { inlineData: { mimeType: 'application/pdf', data: PDF } },
      ],
    });
    expect(await answerIn('google', { content: [text('No.')], isError: true })).to.deep.equal({
      response: { error: 'No.' },
    });
  });

  it('has content parts for the AI SDK, and is a text where that is enough', async () => {
    const answer = await answerIn('ai-sdk', { content: [text('Done.'), image, pdf] });
    expect(answer).to.deep.equal({
      type: 'content',
      value: [
        { type: 'text', text: 'Done.' },
        { type: 'image-data', data: PNG, mediaType: 'image/png' },
        { type: 'text', text: PAPER },
        {
          type: 'file-data',
          data: PDF,
          mediaType: 'application/pdf',
          filename: 'file:   docs paper.pdf',
        },
      ],
    });
    const plain = { type: 'text', value: 'Done.' };
    expect(await answerIn('ai-sdk', { content: [text('Done.')] })).to.deep.equal(plain);
    expect(await answerIn('ai-sdk', { content: [text('No.')], isError: true })).to.deep.equal({
      type: 'error-text',
      value: 'No.',
    });
  });

  it('is one text for chat completions and for any other library', async () => {
    const noImage =
      '[image/png of 33 bytes: not given to the model. This format takes no image/png.]';
    const noPdf =
      '[application/pdf of 8 bytes: not given to the model. This format takes no application/pdf.]';
    const words = ['Done.', noImage, NO_SOUND, NOTE, PAPER, noPdf, ZIP, NO_ZIP, LINK].join('\n');
    expect(await answerIn('openai-chat', { content: EVERYTHING })).to.equal(words);
    expect(await answerIn('text', { content: EVERYTHING })).to.equal(words);
  });

  it('has no image or PDF for a model that takes only texts', async () => {
    for (const format of FORMATS) {
      const answer = await answerIn(format, { content: EVERYTHING }, { media: false });
      expect(JSON.stringify(answer), format).to.contain('image/png of 33 bytes: not given');
      expect(JSON.stringify(answer), format).not.to.contain(PNG);
      expect(JSON.stringify(answer), format).not.to.contain(PDF);
    }
  });

  it('says that the tool has failed, in every format', async () => {
    const failed = { content: [text('No room.'), image], isError: true };
    // With an image, the API would refuse the failure and all that follows it.
    expect(await answerIn('anthropic', failed)).to.deep.equal({
      content: [
        { type: 'text', text: 'No room.' },
        { type: 'text', text: '[image]' },
      ],
      is_error: true,
    });
    expect((await answerIn('openai', failed))[0]).to.have.property('text', 'The tool has failed.');
    expect(await answerIn('openai-chat', failed)).to.match(/^The tool has failed\.\nNo room\./);
    expect((await answerIn('google', failed)).response).to.have.property('error');
    expect(await answerIn('ai-sdk', failed)).to.have.property('type', 'error-text');
    expect(await answerIn('text', failed)).to.match(/^The tool has failed\.\nNo room\./);
  });

  it('has the structured content if no text repeats it', async () => {
    const structuredContent = { id: 7 };
    expect(await textOf({ structuredContent })).to.equal('{"id":7}');
    expect(await textOf({ structuredContent, content: [text(' ')] })).to.equal('{"id":7}');
    expect(await textOf({ structuredContent, content: [text('Seven.')] })).to.equal('Seven.');
  });

  it('is never empty', async () => {
    const nothing = '[The tool has run, but returned no content.]';
    expect(await textOf({})).to.equal(nothing);
    expect(await textOf({ content: [text(''), text(' \n')] })).to.equal(nothing);
    expect(await answerIn('anthropic', { content: [text('')] })).to.deep.equal({
      content: [{ type: 'text', text: nothing }],
      is_error: false,
    });
  });

  it('leaves out what is only for the user', async () => {
    const block = { ...image, annotations: { audience: ['user'] } } as ContentBlock;
    const both = { ...text('Both.'), annotations: { audience: ['user', 'assistant'] } };
    expect(await textOf({ content: [block, both as ContentBlock] })).to.equal(
      '[A part of the answer (image) is only for the user.]\nBoth.',
    );
  });

  it('never rejects, whatever a server has put into it', async () => {
    const circle: { self?: object } = {};
    circle.self = circle;
    const wrong = [
      { type: 'image', data: '%%%', mimeType: 'image/png' },
      { type: 'image', data: '', mimeType: 'image/png' },
      { type: 'image', data: PNG, mimeType: 'image/svg+xml' },
      { type: 'resource', resource: { uri: 'a:1', mimeType: 'text/plain', blob: '/w==' } },
      { type: 'hologram', uri: 'a:2' },
      { type: 'resource_link', uri: 'a:3\nURI: a:4', name: 'x\r\nURI: a:5' },
    ] as ContentBlock[];
    for (const structuredContent of [circle, 7n, undefined]) {
      const words = await textOf({ content: wrong, structuredContent, unusable: 2 });
      expect(words).to.match(/\(image\) is not valid/);
      expect(words).to.contain('image/png of 0 bytes: not given');
      expect(words).to.contain('image/svg+xml of 33 bytes: not given');
      expect(words).to.match(/\(resource\) is not valid/);
      expect(words).to.contain('(hologram) is not given to the model');
      expect(words.match(/^URI: /gm)).to.have.length(1);
      expect(words).to.match(/2 parts of the answer are not valid/);
    }
    for (const format of FORMATS)
      expect(await answerIn(format, { content: wrong, structuredContent: circle }), format).to.be
        .ok;
  });

  it('never rejects for what a caller of another kind returns', async () => {
    const parts = [
      null,
      5,
      { type: 'text', text: 7 },
      { type: 'text', text: 'a', annotations: { audience: 3 } },
      {},
    ];
    const holes: unknown[] = [text('last')];
    holes.length = 4_000_000_000;
    for (const format of FORMATS) {
      const answers = [
        undefined,
        null,
        'done',
        { content: null },
        { content: parts },
        { content: holes },
      ];
      for (const answer of answers) {
        const { call } = await toTools(
          { ...serverOf([toolOf('act')]), callTool: async () => answer as CallToolResult },
          { format },
        );
        expect(JSON.stringify(await call('act')), format).to.match(/not valid|no content|last/);
      }
    }
  });

  it('has no halves of characters', async () => {
    const content = [
      text('a\uD800'),
      { type: 'resource', resource: { uri: 'a:\uDC00', text: '\uD800' } },
    ];
    for (const format of FORMATS) {
      const answer = await answerIn(format, { content: content as ContentBlock[] });
      expect(JSON.stringify(answer), format)
        .to.contain('a\uFFFD')
        .and.not.match(/\\ud[89a-f]/);
    }
  });

  it('has no GIF for Google, whose API refuses the whole request', async () => {
    const gif: ContentBlock = {
      type: 'image',
      data: btoa('GIF89a\x01\0\x01\0'),
      mimeType: 'image/gif',
    };
    const { parts, response } = await answerIn('google', { content: [gif] });
    expect([parts, response]).to.deep.equal([
      undefined,
      {
        output: '[image/gif of 10 bytes: not given to the model. This format takes no image/gif.]',
      },
    ]);
  });
});

describe('an image in an answer', () => {
  const imageOf = (bytes: string): ContentBlock => ({
    type: 'image',
    data: btoa(bytes),
    mimeType: 'image/png',
  });

  it('has the type of its bytes, whatever the server says', async () => {
    const { content } = await answerIn('anthropic', {
      content: [imageOf('\xff\xd8\xff\xc0\0\x11\x08\0\x01\0\x01')],
    });
    expect(content[0]).to.have.nested.property('source.media_type', 'image/jpeg');
  });

  it('is left out with the reason if it is empty, damaged, or more than the API takes', async () => {
    const content = [
      imageOf(''),
      imageOf('<html>'),
      imageOf(`\x89PNG\r\n\x1a\n${'x'.repeat(4e6)}`),
    ];
    const { content: sent } = await answerIn('anthropic', { content });
    expect(sent.map((part) => part.type === 'text' && part.text)).to.deep.equal([
      '[image/png of 0 bytes: not given to the model. It is empty.]',
      '[image/png of 6 bytes: not given to the model. Its bytes are not image/png.]',
      '[image/png of 4000008 bytes: not given to the model. It has 4000008 bytes, and this format takes at most 3932160 of image/png.]',
    ]);
  });

  it('is left out with more than 2,000 pixels beside more than 20, where the API refuses it', async () => {
    const wide = (pixels: number, more = '') =>
      imageOf(
        `${atob(PNG).slice(0, 16)}\0\0${String.fromCharCode(pixels >> 8, pixels & 255)}\0\0\0\x01${more}`,
      );
    const many = (count: number): ContentBlock[] => [
      wide(2_001),
      ...Array.from({ length: count - 1 }, () => wide(2_000)),
    ];
    const read = async (count: number, options = {}) =>
      (await answerIn('anthropic', { content: many(count) }, options)).content;
    const isImage = ({ type }: { type: string }): boolean => type === 'image';
    expect((await read(20)).filter(isImage)).to.have.length(20);
    const sent = await read(21);
    expect(sent[0]).to.deep.equal({
      type: 'text',
      text: '[image/png of 24 bytes: not given to the model. It has 2001 pixels in a row or column, and this format takes at most 2000 of more than 20 images.]',
    });
    expect(sent.filter(isImage)).to.have.length(20);
    expect(JSON.stringify(await answerIn('openai', { content: many(21) }))).not.to.contain(
      '[image',
    );
    // An image that is not sent takes no room from what follows.
    const heavy = Array.from({ length: 21 }, () => wide(2_001, '\0'.repeat(1_100_000)));
    const { content: rest } = await answerIn('anthropic', {
      content: [...heavy, text('x'.repeat(400_000))],
    });
    expect(rest.filter(isImage)).to.have.length(0);
    expect(rest.at(-1)).to.have.property('text', 'x'.repeat(400_000));
    // Images that the budget leaves out do not count.
    const few = await read(21, { budget: 20 * 1_600 });
    expect(few.filter(isImage)).to.have.length(20);
    expect(few[0]).to.have.property('type', 'image');
  });

  it('is left out if the request would be too large with it, and what still fits is not', async () => {
    const pdfOf = (bytes: number): ContentBlock => {
      const blob = btoa('%PDF-'.padEnd(bytes, '\0'));
      return {
        type: 'resource',
        resource: { uri: 'a:1', mimeType: 'application/pdf', blob },
      };
    };
    const content = [pdfOf(14_000_000), pdfOf(14_000_000), text('Yes.'), text('x'.repeat(4e5))];
    const { response, parts = [] } = await answerIn('google', { content });
    expect(parts).to.have.length(1);
    const { output } = response as { output: string };
    const reason =
      'With it, the request would have more than 19000000 bytes, which is the most for this format.';
    expect(output).to.contain(
      `[application/pdf of 14000000 bytes: not given to the model. ${reason}]`,
    );
    expect(output).to.contain('\nYes.\n').and.not.to.contain('xx');
    expect(output).to.contain(`[text of 400000 bytes: not given to the model. ${reason}]`);
    const texts = await answerIn(
      'google',
      { content: [text('x'.repeat(19e6 + 1))] },
      { media: false },
    );
    expect(JSON.stringify(texts)).to.contain('not given to the model').and.not.to.contain('xx');
  });
});

describe('the budget of an answer', () => {
  const read = (content: ContentBlock[], budget?: number): Promise<string> =>
    answerIn('text', { content }, { budget });

  it('is none by default, and lets through what just fits', async () => {
    const words = [text('x'.repeat(40)), text('é'.repeat(20))];
    const whole = `${'x'.repeat(40)}\n${'é'.repeat(20)}`;
    expect(await read(words)).to.equal(whole);
    expect(await read(words, 20)).to.equal(whole);
  });

  it('cuts a text between two characters, and says so', async () => {
    expect(await read([text('x'.repeat(9))], 2)).to.equal(
      `${'x'.repeat(8)}\n[Truncated here. The full text has about 3 tokens.]`,
    );
    expect(await read([text(`xxx${'é'.repeat(5)}`)], 1)).to.match(/^xxx\n\[Truncated/);
    expect(await read([text('xxxx'), text('y')], 0)).to.equal(
      '[Truncated here. The full text has about 1 tokens.]\n[All after this is left out.]',
    );
  });

  it('bounds an answer of very many parts, and looks only at those that fit', async () => {
    const tiny = Array.from({ length: 20_000 }, () => text('x'));
    expect(await read(tiny, 100)).to.equal(
      `${'x\n'.repeat(100)}[Truncated here. The full text has about 1 tokens.]\n[All after this is left out.]`,
    );
    const pdfs = Array.from({ length: 20_000 }, () => pdf);
    const sent = JSON.stringify(await answerIn('anthropic', { content: pdfs }, { budget: 100 }));
    expect(sent.length).to.be.below(2_000);
  });

  it('goes on after an image that is too large', async () => {
    const { content } = await answerIn(
      'anthropic',
      { content: [image, text('Yes.')] },
      { budget: 20 },
    );
    expect(content.at(-1)).to.deep.equal({ type: 'text', text: 'Yes.' });
  });

  it('without one, is of 10,000 parts at most', async () => {
    const resource = { uri: 'a:1', mimeType: 'text/plain', text: 'x' };
    const parts = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        index % 2 ? text('x') : { type: 'resource' as const, resource },
      );
    expect(await read(parts(10_000))).not.to.contain('left out');
    expect(await read(parts(10_001))).to.match(/\n\[1 more parts of the answer were left out\.\]$/);
    // With a Blob for each part it was 7 seconds.
    expect(await leastTime(2_000, () => read(parts(10_000)))).to.be.below(2_000);
  });

  it('leaves out an image that is too large', async () => {
    const { content } = await answerIn('anthropic', { content: [image] }, { budget: 1_599 });
    expect(content).to.deep.equal([
      { type: 'text', text: '[image is too large, and was left out.]' },
    ]);
    const fits = await answerIn('anthropic', { content: [image] }, { budget: 1_600 });
    expect(fits.content[0]).to.have.property('type', 'image');
  });

  it('may not be negative or NaN, and the format has to exist', async () => {
    for (const budget of [-1, NaN])
      expect(await failureOf(read([], budget))).to.be.an.instanceof(RangeError);
    const format = 'constructor' as 'text';
    expect(await failureOf(toTools(serverOf([]), { format }))).to.be.an.instanceof(TypeError);
  });
});

describe('the schema of a tool for a model', () => {
  const schemaOf = async (inputSchema: object): Promise<object> => {
    const { tools } = await toTools(serverOf([toolOf('act', inputSchema)]), { format: 'text' });
    return tools[0]!.inputSchema;
  };

  it('always has properties, and nothing at its top that an API refuses', async () => {
    expect(await schemaOf({})).to.deep.equal({ type: 'object', properties: {} });
    const properties = { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } };
    const refused = { $schema: 'x', anyOf: [{ required: ['a'] }], allOf: [], oneOf: [], not: {} };
    expect(await schemaOf({ properties, ...refused, additionalProperties: false })).to.deep.equal({
      type: 'object',
      properties,
      additionalProperties: false,
    });
  });

  it('has no idempotency key, and each call gets its own', async () => {
    const properties = { idempotencyKey: { type: 'string' }, a: { type: 'string' } };
    const tool = toolOf('act', { properties, required: ['a', 'idempotencyKey'] });
    const server = serverOf([tool, toolOf('look')]);
    const { tools, call } = await toTools(server, { format: 'text' });
    expect(tools[0]!.inputSchema).to.deep.equal({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
    });
    await call('act', { a: '1' });
    await call('act', { a: '1' });
    await call('act', { a: '1', idempotencyKey: 'mine' });
    await call('look', {});
    const keys = server.called.map(({ args }) => args!['idempotencyKey']);
    expect(keys[0]).to.match(/^[0-9a-f]{32}$/);
    expect(keys[1])
      .to.match(/^[0-9a-f]{32}$/)
      .and.not.equal(keys[0]);
    expect(keys.slice(2)).to.deep.equal(['mine', undefined]);
    expect(tool.inputSchema.properties).to.equal(properties);
  });

  it('has names of arguments that all APIs accept, and the server gets its own', async () => {
    const long = 'n'.repeat(65);
    const own = [
      'a.b-c',
      'filter[id]',
      'filter_id_',
      '$top',
      'größe',
      long,
      `${long}2`,
      '',
      '__proto__',
    ];
    const properties = Object.fromEntries(own.map((name) => [name, { title: name }]));
    const server = serverOf([toolOf('act', { properties, required: ['$top', 'a.b-c', 'x', 'x'] })]);
    const { tools, call } = await toTools(server, { format: 'text' });
    const schema = tools[0]!.inputSchema;
    const names = Object.keys(schema.properties);
    for (const name of names) expect(name).to.match(/^[\w.-]{1,64}$/);
    expect(schema.required).to.deep.equal(['_top', 'a.b-c', 'x']);
    const args = Object.fromEntries(
      Object.entries(schema.properties).map(([name, about]) => [
        name,
        (about as Tool).title ?? name,
      ]),
    );
    await call('act', args);
    const sent = Object.entries(server.called[0]!.args!);
    expect(sent).to.have.deep.members([...own, 'x'].map((name) => [name, name]));
  });

  it('has references that lead somewhere, whatever was left out or has another name', async () => {
    const inputSchema = {
      properties: {
        größe: { type: 'number' },
        idempotencyKey: { type: 'string' },
        a: { $ref: '#/properties/größe' },
        b: { $ref: '#/properties/idempotencyKey', description: '"$ref":"#/properties/a"' },
        c: { $ref: '#/allOf/0/properties/d' },
        d: { items: { $ref: '#' } },
        e: { $ref: '#/$defs/f' },
      },
      allOf: [{ properties: { d: { maxItems: 5 } } }],
      dependentRequired: { größe: ['a'] },
      $defs: { f: { $ref: '#/properties/a' } },
    };
    const { tools } = await toTools(serverOf([toolOf('act', inputSchema)]), { format: 'text' });
    const { inputSchema: schema } = tools[0]!;
    expect(schema).not.to.have.any.keys('allOf', 'dependentRequired');
    expect(schema.properties['b']).to.have.property('description', '"$ref":"#/properties/a"');
    const refs = [...JSON.stringify(schema).matchAll(/"\$ref":"#([^"]*)"/g)].map(([, ref]) => ref!);
    expect(refs).to.have.length(11);
    for (const ref of refs) {
      let found: unknown = schema;
      for (const key of ref.split('/').slice(1)) found = (found as { [key: string]: unknown })[key];
      expect(found, ref).to.be.an('object');
    }
    const plain = toolOf('act', { properties: { e: { $ref: '#/$defs/f' } }, $defs: { f: {} } });
    const { tools: others } = await toTools(serverOf([plain]), { format: 'text' });
    expect(others[0]!.inputSchema).to.deep.equal(plain.inputSchema);
  });

  it('is JSON without halves of characters, or the tool is left out', async () => {
    const circle: { self?: object } = {};
    circle.self = circle;
    const half = toolOf('half', {
      properties: { '\uD800': { description: '\\ud800 \uDC00"' } },
    });
    const server = serverOf([
      { ...half, description: 'a\uD800b\u{1F600}' },
      toolOf('circle', { properties: circle }),
      toolOf('big', { properties: { a: { default: 7n } } }),
    ]);
    const { tools } = await toTools(server, { format: 'text' });
    expect(tools).to.deep.equal([
      {
        name: 'half',
        description: 'a\uFFFDb\u{1F600}',
        inputSchema: { type: 'object', properties: { _: { description: '\\ud800 \uFFFD"' } } },
      },
    ]);
  });

  it('reaches the AI SDK unchanged, as a schema of its own and as a standard one', async () => {
    const { tools } = await toTools(serverOf([toolOf('act')]), { format: 'ai-sdk' });
    const schema = tools['act']!.inputSchema;
    const expected = { type: 'object', properties: {} };
    expect(schema).to.have.property('jsonSchema').that.deep.equals(expected);
    expect(schema).to.have.property(Symbol.for('vercel.ai.schema') as unknown as string, true);
    expect(schema['~standard'].jsonSchema.input()).to.deep.equal(expected);
    expect(schema['~standard'].validate(7)).to.deep.equal({ value: 7 });
  });
});

describe('the name of a tool for a model', () => {
  it('is its own, unless an API refuses it', async () => {
    const long = 'n'.repeat(70);
    const own = ['act', 'a_b', '9', 'get.note', 'get/note', 'get_note', long, `${long}2`, ''];
    const server = serverOf(own.map((name) => toolOf(name)));
    const { tools, call } = await toTools(server, { format: 'text' });
    const names = tools.map(({ name }) => name);
    expect(names).to.deep.equal([
      'act',
      'a_b',
      'get_note',
      '_9',
      'get_note_2',
      'get_note_3',
      'n'.repeat(64),
      `${'n'.repeat(62)}_2`,
      '_',
    ]);
    for (const name of names) await call(name);
    expect(server.called.map(({ name }) => name)).to.have.members(own);
  });
});

describe('a call without an answer', () => {
  it('is an error for the model, and says whether the tool may have run', async () => {
    const refused = await textOf(new McpError(-32_602, 'Unknown\ntool'));
    expect(refused).to.equal('The tool has failed.\nThe server has refused the call: Unknown tool');
    for (const code of ['closed', 'connection-lost', 'timeout', 'invalid-result'] as const)
      expect(await textOf(new ClientError(code, 'Gone.'))).to.match(/Gone\. The tool may have run/);
    const unsupported = await textOf(new ClientError('unsupported', 'No.'));
    expect(unsupported).not.to.contain('may have run');
    expect(await textOf(new Error('Odd.'))).to.contain('may have run');
  });

  it('rejects only with the reason of a signal', async () => {
    const reason = new Error('enough');
    const server = serverOf([toolOf('act')], new Error('aborted elsewhere'));
    const options = { format: 'text', signal: AbortSignal.abort(reason) } as const;
    const { call } = await toTools(server, { format: 'text' });
    expect(await failureOf(call('act', {}, { signal: options.signal }))).to.equal(reason);
    expect(server.called).to.have.length(0);

    const stopping = new AbortController();
    const tools = await toTools(server, { format: 'ai-sdk', signal: stopping.signal });
    const running = tools.tools['act']!.execute({});
    stopping.abort(reason);
    expect(await failureOf(running)).to.equal(reason);
  });

  it('has the time that a user needs, unless it gets another', async () => {
    const server = serverOf([toolOf('act')]);
    const { call } = await toTools(server, { format: 'text' });
    await call('act');
    await call('act', {}, { timeoutMs: 5 });
    const short = await toTools(server, { format: 'text', timeoutMs: 7 });
    await short.call('act');
    const times = server.called.map(({ options }) => options!.timeoutMs);
    expect(times).to.deep.equal([600_000, 5, 7]);
  });
});

describe('the list of tools', () => {
  it('has those of all pages', async () => {
    const { tools } = await toTools(
      {
        ...serverOf([]),
        listTools: async ({ cursor } = {}) => ({
          tools: [toolOf(cursor ?? 'first')],
          ...(cursor !== 'third' && { nextCursor: cursor === undefined ? 'second' : 'third' }),
        }),
      },
      { format: 'text' },
    );
    expect(tools.map(({ name }) => name)).to.deep.equal(['first', 'second', 'third']);
  });

  it('has no tools that are only for apps', async () => {
    const tool = (name: string, visibility: unknown): Tool => ({
      ...toolOf(name),
      _meta: { ui: { visibility } },
    });
    const server = serverOf([
      tool('app', ['app']),
      tool('model', ['model']),
      tool('both', ['app', 'model']),
      tool('odd', 'app'),
      tool('unset', undefined),
      { ...toolOf('nothing'), _meta: { ui: null } as object as { [name: string]: unknown } },
    ]);
    const { tools, call } = await toTools(server, { format: 'text' });
    const names = ['model', 'both', 'odd', 'unset', 'nothing'];
    expect(tools.map(({ name }) => name)).to.deep.equal(names);
    expect(await call('app')).to.contain('The tool "app" does not exist.');
    expect(server.called).to.deep.equal([]);
  });

  it('has 10,000 tools at most, and ends though each page has another', async () => {
    const serverWith = (count: number) => {
      let listed = 0;
      return {
        ...serverOf([]),
        listTools: async () => {
          const tools = Array.from({ length: 100 }, () => toolOf(`ä${(listed += 1)}`));
          return { tools, ...(listed < count && { nextCursor: `${listed}` }) };
        },
      };
    };
    const { tools } = await toTools(serverWith(10_000), { format: 'text' });
    expect(tools).to.have.length(10_000);
    const endless = await failureOf(toTools(serverWith(Infinity), { format: 'text' }));
    expect(endless).to.be.an.instanceof(ClientError).and.include({ code: 'endless-list' });
  });

  it('may be empty: no API gets an entry without a tool', async () => {
    for (const format of FORMATS) {
      const { tools } = await toTools(serverOf([]), { format });
      expect(Object.keys(tools), format).to.deep.equal([]);
    }
  });
});
