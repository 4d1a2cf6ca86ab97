import { expect } from '@open-wc/testing';
// Internal: which markup is parsed and drawn unasked is a matter of many cases.
import {
  costOf,
  sandboxedDocument,
} from '../../../packages/elements/src/show/renderers/html/sandbox.js';
import type { RendererElement } from '../../../packages/elements/src/show/renderers/renderer.js';
import { Canary } from '../../support/canary.js';
import { eventually, expectFocus, inside } from '../../support/elements.js';
import { all, longestTaskOf, show, showInView, shows, textOf } from '../../support/renderers.js';

const showHtml = async (markup: string): Promise<RendererElement> =>
  await show(textOf(markup, 'text/html', 'file:///a.html'));

const frameOf = (element: Element): HTMLIFrameElement =>
  inside(element, 'iframe') as HTMLIFrameElement;

/** Loads the document of a frame once more, with all that it may load. */
async function load(frame: HTMLIFrameElement): Promise<void> {
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  const { srcdoc } = frame;
  frame.srcdoc = srcdoc;
  await loaded;
}

/** What a document says of itself when it is parsed. */
const parse = (markup: string): Document => new DOMParser().parseFromString(markup, 'text/html');

/** All ways of a document to an address. */
const waysTo = (address: string): Record<string, string> => {
  const at = (name: string): string => `${address}/${name}`;
  return {
    script: `<script>fetch("${at('script')}")</script><script src="${at('script')}"></script>`,
    handler: `<img src=x onerror="location='${at('handler')}'"><svg onload="fetch('${at('svg')}')">`,
    image: `<img src="${at('img')}" srcset="${at('srcset')} 2x"><picture><source srcset="${at('source')}"></picture>`,
    links: [
      'stylesheet',
      'preload',
      'prefetch',
      'preconnect',
      'dns-prefetch',
      'modulepreload',
      'icon',
    ]
      .map((rel) => `<link rel="${rel}" as="image" href="${at(rel)}">`)
      .join(''),
    refresh: `<meta http-equiv="refresh" content="0;url=${at('refresh')}">`,
    base: `<base href="${at('base/')}" target="_top"><img src="relative">`,
    form: `<form action="${at('form')}" method="post"><input name=a autofocus><button id=b></form><form id=f action="${at('f')}"></form>`,
    style: `<style>@import "${at('import')}"; body { background: url("${at('style')}") } @font-face { font-family: a; src: url("${at('font')}") } p { font-family: a }</style><p style="background: url('${at('attribute')}')">text</p>`,
    media: `<video autoplay poster="${at('poster')}" src="${at('video')}"></video><audio autoplay src="${at('audio')}"></audio><track src="${at('track')}">`,
    frames: `<iframe src="${at('iframe')}"></iframe><object data="${at('object')}"></object><embed src="${at('embed')}"><iframe srcdoc="<img src='${at('srcdoc')}'>"></iframe>`,
    svg: `<svg><image href="${at('image')}"/><use href="${at('use')}#a"/><a><set attributeName="href" to="${at('set')}"/><text>a</text></a></svg>`,
    table: `<table background="${at('table')}"><tr><td background="${at('td')}">a</table>`,
    template: `<div><template shadowrootmode="open"><link rel="preconnect" href="${address}"><img src="${at('shadow')}"></template></div>`,
    noscript: `<noscript><link rel="preconnect" href="${address}"><img src="${at('noscript')}"></noscript>`,
    mutation: `<svg></p><style><a id="</style><link rel=preconnect href=${address}>">`,
    mathml: `<math><mtext><table><mglyph><style><!--</style><link rel=preconnect href="${address}"><img src="${at('mglyph')}">`,
    policy: `<meta http-equiv="Content-Security-Policy" content="default-src *"><meta http-equiv="x-dns-prefetch-control" content="on">`,
    speculation: `<script type="speculationrules">{"prefetch":[{"urls":["${at('rules')}"],"eagerness":"immediate"}]}</script>`,
    webrtc: `<script>new RTCPeerConnection({iceServers:[{urls:"stun:${address.slice(7)}"}]}).createDataChannel("a")</script>`,
  };
};

describe('<mcp-view-html>', () => {
  it('shows a document in a sandbox, and says so', async () => {
    const element = await showHtml('<title>t</title><h1>Hello</h1>');
    const frame = frameOf(element);
    await load(frameOf(element));
    expect(frame.getAttribute('sandbox')).to.equal('');
    expect(frame.contentDocument).to.equal(null);
    expect(frame.title).to.equal('a.html');
    expect(parse(frame.srcdoc).body.textContent).to.equal('Hello');
    expect(inside(element, '[part=bar]').textContent).to.contain('A sandbox');
    await expect(element).to.be.accessible();
    element.style.colorScheme = 'dark';
    await expect(element).to.be.accessible();
  });

  it('lets no document reach another server', async () => {
    const canary = await Canary.open();
    for (const [way, markup] of Object.entries(waysTo(canary.origin))) {
      const loading = showHtml(`<!doctype html><html><head>${markup}</head><body>${markup}`);
      const element = await loading;
      element.shadowRoot!.querySelector<HTMLElement>('.show')?.click();
      const frame = await eventually(() => element.shadowRoot!.querySelector('iframe'));
      await load(frame);
      expect(await canary.reached(), way).to.deep.equal({ connections: 0, requests: [] });
    }
    // What is fetched late would have been by now: the canary can be reached.
    await fetch(`${canary.origin}/control`, { mode: 'no-cors' });
    expect((await canary.reached()).requests).to.deep.equal(['/control']);
  });

  it('would notice: the canary receives requests of the same documents outside of the renderer', async () => {
    const canary = await Canary.open();
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', '');
    frame.srcdoc = Object.values(waysTo(canary.origin)).join('');
    document.body.append(frame);
    await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.remove();
    const { requests } = await canary.reached();
    expect(requests).to.include('/img').and.include('/stylesheet').and.include('/preload');
  });

  it('runs no script, and lets no document leave its frame', async () => {
    let isReached = false;
    const listener = (): void => void (isReached = true);
    window.addEventListener('message', listener);
    const element = await showHtml(
      '<script>parent.postMessage("a", "*"); top.location = "about:blank"</script>' +
        '<body onload="parent.postMessage(1, `*`)"><a href="javascript:parent.postMessage(2, `*`)" ' +
        'target="_top" id="a">a</a>',
    );
    await load(frameOf(element));
    // A message of this page comes after those of the frame.
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = (): void => resolve();
      port2.postMessage('');
    });
    window.removeEventListener('message', listener);
    expect(isReached).to.equal(false);
  });

  it('leaves nothing in a document that opens an address', () => {
    for (const [way, markup] of Object.entries(waysTo('http://127.0.0.1:9'))) {
      const source = sandboxedDocument(
        `<a href="//x" ping="//y" target=_top>a</a>${markup}`,
      )?.source;
      if (source === undefined) continue;
      const parsed = parse(source);
      const [policy] = parsed.head.children;
      expect(policy!.getAttribute('content'), way).to.match(/^default-src 'none'/);
      const found = parsed.querySelectorAll('link, base, script, template, iframe, [href], [ping]');
      expect(found, way).to.have.length(0);
      expect(parsed.querySelectorAll('meta[http-equiv]'), way).to.have.length(2);
    }
  });

  it('makes the browser report no inline handler to the page', async () => {
    const policy = document.createElement('meta');
    policy.httpEquiv = 'Content-Security-Policy';
    policy.content = "script-src-attr 'none'";
    document.head.append(policy);
    const reports: string[] = [];
    const note = ({ blockedURI }: SecurityPolicyViolationEvent) => reports.push(blockedURI);
    document.addEventListener('securitypolicyviolation', note);
    const ways = [
      '<p onclick="a()">a<p class=b onclick=a()>',
      "<p a='1'onclick='a()'>",
      '<p/onclick="a()"/>',
      '<p title="on click > = 1" ONCLICK = \n"a()" id=c>',
      '<p ="onclick=a()" onclick>',
      '<!-- " --><p onclick=a()>',
      '<p onclick=>a</p>',
      '<svg onload="a()"><a onclick="a()"/>',
      '<p a="<p " onclick="b()" b>',
      '<p onclick="a()',
    ];
    for (const way of [...ways, '<p onclick="a()">a</p>'.repeat(3_000)]) {
      const source = sandboxedDocument(way)?.source ?? '';
      expect(source, way.slice(0, 40)).not.to.match(/<[^>]*\son\w+=/i);
    }
    // A document with SVG is drawn only if the user asks for it.
    const element = await showHtml(ways.filter((way) => !way.includes('svg')).join(''));
    await load(frameOf(element));
    // Events come in the order of their causes: this one is the last.
    document.createElement('p').setAttribute('onclick', 'last()');
    await eventually(() => reports.length > 0);
    expect(reports).to.have.length(1);
    document.removeEventListener('securitypolicyviolation', note);
  });

  it('keeps words and values that only look like handlers', () => {
    const markup =
      '<p class="a" title="turned on = 1" data-once="b">on = 1 <b on-top=1 one>only</b></p>' +
      '<!-- <p onclick="a --><i>kept</i>';
    const parsed = parse(String(sandboxedDocument(markup)?.source));
    expect(parsed.body.textContent).to.equal('on = 1 onlykept');
    const paragraph = parsed.querySelector('p')!;
    expect({ ...paragraph.dataset }).to.deep.equal({ once: 'b' });
    expect(paragraph.title).to.equal('turned on = 1');
  });

  it('keeps what is harmless', () => {
    const markup =
      '<style>p { color: red }</style><p class="a" style="color: blue">a <b>b</b></p>' +
      '<img alt="dot" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">';
    const source = String(sandboxedDocument(markup)?.source);
    expect(source).to.contain('color: red').and.contain('style="color: blue"').and.contain('data:');
  });

  it('asks before it draws what may take long', async () => {
    const element = await showHtml(`<div>${'<p>a</p>'.repeat(5_000)}</div>`);
    expect(all(element, 'iframe')).to.have.length(0);
    await expect(element).to.be.accessible();
    const button = inside(element, '.show');
    button.focus();
    button.click();
    const frame = await eventually(() => element.shadowRoot!.querySelector('iframe'));
    await element.updateComplete;
    expectFocus(element, frame);
  });

  it('only shows the source of what the browser could choke on', async () => {
    const view = await showInView(textOf('<template>'.repeat(50_000), 'text/html'));
    await shows(view, 'cannot be shown safely');
    expect(all(view, 'mcp-view-html')).to.have.length(0);
    expect(inside(view, '[part=text]').textContent).to.contain('<template>');
    expect(all(view, '.tok-tag').length).to.be.above(0);
  });

  it('knows what may take long', () => {
    expect(costOf('<h1>a</h1>')).to.equal('quick');
    for (const markup of ['<b>'.repeat(4_000), '<svg></svg>', `<a ${'a '.repeat(9_000)}>`])
      expect(costOf(markup), markup.slice(0, 20)).to.equal('slow');
    for (const markup of ['<b>'.repeat(30_000), 'a'.repeat(600_000)])
      expect(costOf(markup), markup.slice(0, 20)).to.equal('too-much');
    const tables = sandboxedDocument('<table><tr><td>'.repeat(10));
    expect(tables?.isQuick).to.equal(false);
    expect(sandboxedDocument('<ul><li>a</ul><table><tr><td>b</table>')?.isQuick).to.equal(true);
  });

  for (const [name, markup] of Object.entries({
    'tables in tables': '<table><tr><td>'.repeat(900),
    'unclosed elements': '<b>'.repeat(2_900),
    'many attributes': `<a ${Array.from({ length: 1_500 }, (_, index) => `a${index}`).join(' ')}>`,
    'long stretches of text': `${'a'.repeat(8_000)}<b>`.repeat(16),
    'half a megabyte': '<p>a '.repeat(100_000),
  })) {
    it(`never keeps the main thread longer than 100 ms unasked: ${name}`, async () => {
      expect(await longestTaskOf(textOf(markup, 'text/html'))).to.be.below(100);
    });
  }
});
