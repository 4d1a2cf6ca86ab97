import type { ResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { css, html, type TemplateResult } from 'lit';
import { theme } from '../../base/look/theme.js';
import { blobOf } from '../../reading/content-bytes.js';
import type { Slices } from '../../reading/slices.js';
import { mediaTypeOf } from '../../base/text/media-type.js';
import { nameOf } from '../../base/text/name-of.js';
import { Refusal, RendererBase } from './renderer.js';
import { rendererStyles } from './renderer.styles.js';

interface Model {
  isAudio: boolean;
  url: string;
}

/** The number of bytes by which browsers guess a type. */
const HEADER_LENGTH = 1_445;

/** The types of which no browser makes a document. */
const MEDIA_TYPE = /^(audio|video)\/[\w.-]{1,60}$/;

/** The names of audio without a type. */
const AUDIO_NAME = /\.(mp3|m4a|oga|opus|wav|flac|aac)(?=[?#]|$)/i;

/**
 * Audio or video with the browser's own controls.
 *
 * @csspart media - The player.
 * @csspart partial - The remark that only the first part is shown.
 */
export class McpViewMedia extends RendererBase<Model> {
  static override readonly styles = [
    theme,
    rendererStyles,
    css`
      .player {
        display: grid;
        place-items: center;
        min-block-size: 0;
        padding: 1rem;
      }

      audio,
      video {
        max-inline-size: 100%;
        max-block-size: 100%;
      }

      audio {
        inline-size: min(100%, 36rem);
      }

      video {
        border-radius: var(--_radius);
        background: black;
      }
    `,
  ];

  protected override async prepare(contents: ResourceContents, slices: Slices): Promise<Model> {
    const blob = await blobOf(contents, slices);
    slices.throwIfAborted();
    const named = mediaTypeOf(contents.mimeType);
    const isNamed = MEDIA_TYPE.test(named);
    // Without a type, a tab would guess one: that of a document, if the bytes begin like one.
    const begins = await blob.slice(0, HEADER_LENGTH).text();
    slices.throwIfAborted();
    const fallback = /^\s*</.test(begins) ? 'application/octet-stream' : '';
    const type = isNamed ? named : fallback;
    return {
      isAudio: isNamed ? named.startsWith('audio/') : AUDIO_NAME.test(contents.uri.slice(-200)),
      url: URL.createObjectURL(blob.slice(0, blob.size, type)),
    };
  }

  override release(): void {
    if (this.model) URL.revokeObjectURL(this.model.url);
  }

  protected override renderModel({ isAudio, url }: Model): TemplateResult {
    const name = nameOf(this.contents!.uri);
    const player = isAudio
      ? html`<audio
          part="media"
          controls
          preload="metadata"
          aria-label=${name}
          src=${url}
          @error=${this.#refuse}
        ></audio>`
      : html`<video
          part="media"
          controls
          playsinline
          preload="metadata"
          aria-label=${name}
          src=${url}
          @error=${this.#refuse}
        ></video>`;
    return html`${this.renderPartial()}
      <div class="player">${player}</div>`;
  }

  #refuse(): void {
    const reason = msg('The browser cannot play this.', { id: 'mcp.renderers.not-playable' });
    this.onrefuse(new Refusal(reason, false));
  }
}

/** The element, for kinds.ts. */
export { McpViewMedia as renderer };
