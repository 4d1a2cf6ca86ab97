import { expect } from '@open-wc/testing';
import type { ResourceContents } from '@inpage-mcp/client';
import { eventually, inside } from '../../support/elements.js';
import { all, bytesOf, show, showVersions } from '../../support/renderers.js';

const RATE = 8_000;

/** A tone, as a WAV file with one channel of bytes. */
function wav(seconds: number): Uint8Array<ArrayBuffer> {
  const length = RATE * seconds;
  const view = new DataView(new ArrayBuffer(44 + length));
  const write = (at: number, text: string): void => {
    for (const [index, letter] of [...text].entries())
      view.setUint8(at + index, letter.charCodeAt(0));
  };
  write(0, 'RIFF');
  view.setUint32(4, 36 + length, true);
  write(8, 'WAVEfmt ');
  for (const [at, value] of [
    [16, 16],
    [24, RATE],
    [28, RATE],
    [40, length],
  ] as const)
    view.setUint32(at, value, true);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    view.setUint16(at, value, true);
  write(36, 'data');
  for (let index = 0; index < length; index += 1)
    view.setUint8(44 + index, 128 + 50 * Math.sin(index / 5));
  return new Uint8Array(view.buffer);
}

const tone = (seconds = 2): ResourceContents =>
  bytesOf([wav(seconds)], 'audio/wav', 'file:///a.wav');

describe('<mcp-view-media>', () => {
  it('plays audio with the controls of the browser', async () => {
    const element = await show(tone());
    const player = inside(element, 'audio') as HTMLAudioElement;
    await eventually(() => player.readyState > 0);
    expect(player.duration).to.be.closeTo(2, 0.1);
    expect(player.controls).to.equal(true);
    expect(player.preload).to.equal('metadata');
    expect(player.getAttribute('aria-label')).to.equal('a.wav');
    await expect(element).to.be.accessible();
  });

  it('plays audio whose type has parameters or capitals, or is only in its name', async () => {
    for (const [type, name, given] of [
      ['audio/wav; codecs=1', 'a', 'audio/wav'],
      ['AUDIO/WAV', 'a', 'audio/wav'],
      ['application/octet-stream', 'a.wav', ''],
      ['', 'a.MP3', ''],
    ] as const) {
      const element = await show(bytesOf([wav(1)], type, `file:///${name}`));
      const player = inside(element, 'audio') as HTMLAudioElement;
      await eventually(() => player.readyState > 0);
      expect((await (await fetch(player.src)).blob()).type).to.equal(given);
    }
  });

  it('makes a player for video', async () => {
    const element = await show(bytesOf([wav(1)], 'video/mp4', 'file:///a.mp4'));
    expect(inside(element, 'video').getAttribute('src')).to.match(/^blob:/);
  });

  it('offers what the browser cannot play as a download that nothing can run', async () => {
    const { view, change } = await showVersions([
      bytesOf(['no video'], 'video/mp4', 'file:///a.mp4'),
    ]);
    const link = await eventually(() => view.shadowRoot!.querySelector<HTMLAnchorElement>('a'));
    expect(link.download).to.equal('a.mp4');
    expect(view.shadowRoot!.textContent).to.contain('cannot play');
    const saved = await fetch(link.href);
    expect(saved.headers.get('content-type')).to.equal('application/octet-stream');
    expect(await saved.text()).to.equal('no video');
    expect(all(view, 'mcp-view-media')).to.have.length(0);
    await expect(view).to.be.accessible();
    change([tone()]);
    await eventually(() => all(view, 'mcp-view-media').length === 1);
  });

  it('gives the bytes no type of which the browser makes a document', async () => {
    const contents = bytesOf(['<script>1</script>'], 'video/mp4"><text/html', 'file:///a.mp4');
    const element = await show(contents);
    const player = await eventually(() => element.shadowRoot!.querySelector('audio, video, a'));
    const address = player.getAttribute('src') ?? player.getAttribute('href')!;
    expect((await (await fetch(address)).blob()).type).to.equal('application/octet-stream');
  });

  it('releases the bytes when it lets go of them', async () => {
    const element = await show(tone());
    const { src } = inside(element, 'audio') as HTMLAudioElement;
    element.release();
    expect(await fetch(src).catch(() => 'released')).to.equal('released');
  });
});
